import { rebuild as rebuildReadModels } from '../../projections/rebuild.js';
import { joinDeployment } from '../modules/deployment/index.js';
import { command, print } from './command.js';

export const rebuild = command({
  name: 'rebuild',
  usage: [['', 'make the read models anew beside the live ones, then swap them']],
  settings: ['DATABASE_URL', 'EVENTSTORE_URL'],
  read: (words) => (words.length === 0 ? {} : null),
  run: async (_words, settings, open) => {
    const [database, eventStore] = [open.database(settings), open.eventStore(settings)];
    await joinDeployment({ database, eventStore });
    const { events, durationMs } = await rebuildReadModels({ database, eventStore, logger: open.logger });
    print(`Rebuilt from ${events} events in ${(durationMs / 1000).toFixed(1)} s.`);
    return 0;
  },
});
