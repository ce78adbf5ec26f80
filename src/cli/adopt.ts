import { createInterface } from 'node:readline/promises';
import { rebuild } from '../../projections/rebuild.js';
import { migrate } from '../infrastructure/postgres/migrate.js';
import {
  beginAdoption,
  type DeploymentDependencies,
  DeploymentRefused,
  describePostgres,
  describeStore,
  endAdoption,
  joinDeployment,
  programsOn,
} from '../modules/deployment/index.js';
import { adoptionFigures } from './adoption-figures.js';
import { command, print } from './command.js';

export const adopt = command({
  name: 'adopt',
  usage: [
    ['[--yes]', 'after a restore: make event store and Postgres one deployment; says what that redoes, and asks'],
  ],
  settings: ['DATABASE_URL', 'EVENTSTORE_URL'],
  read: (words) =>
    words.length === 0 ? { isAgreed: false } : words.length === 1 && words[0] === '--yes' ? { isAgreed: true } : null,
  run: async ({ isAgreed }, settings, open) => {
    const [database, eventStore] = [open.database(settings), open.eventStore(settings)];
    // It may be a new one.
    await migrate(database, 'service', new URL('../infrastructure/postgres/migrations/', import.meta.url));
    await migrate(database, 'read', new URL('../../projections/migrations/', import.meta.url));
    const conflict = await conflictBetween({ database, eventStore });
    if (typeof conflict === 'string') {
      print(`They belong together already: ${conflict}.`);
      return 0;
    }
    const running = await programsOn(database);
    if (running.length > 0) throw new Error(`On this Postgres run ${running.join(', ')}: stop them first.`);

    const [store, postgres] = await Promise.all([
      describeStore({ eventStore }, conflict.store),
      describePostgres({ database }, conflict.postgres),
    ]);
    print(`The event store ${store}; Postgres ${postgres}.`);
    if (conflict.kind === 'adopting') print('An adoption of them was begun and is brought to its end.');
    print('Both become one deployment under an id of its own; each together with another is refused from then on.\n');
    for (const line of await adoptionFigures({ database, eventStore }, Date.now())) print(line);
    if (!isAgreed && !(await says('\nAdopt? [y/N] '))) {
      print('Nothing was changed.');
      return 1;
    }

    const deploymentId = await beginAdoption({ database, eventStore });
    // What the tables hold may be of another log: they are not to be caught up with, but replaced.
    await database.query('update read.checkpoint set position = 0');
    const { events } = await rebuild({ database, eventStore, logger: open.logger });
    await endAdoption(database);
    print(`Adopted as ${deploymentId}; read models made from ${events} events. The programs may start.`);
    return 0;
  },
});

/** Answers the id where there is none. */
async function conflictBetween(deps: DeploymentDependencies) {
  try {
    return (await joinDeployment(deps)).deploymentId;
  } catch (error) {
    if (error instanceof DeploymentRefused) return error.conflict;
    throw error;
  }
}

async function says(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    lines.setPrompt(question);
    lines.prompt();
    for await (const line of lines) return /^y(es)?$/i.test(line.trim());
    return false;
  } finally {
    lines.close();
  }
}
