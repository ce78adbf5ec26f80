import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { readOperatorSettings, type Config, type SettingName } from '../infrastructure/config.js';
import { tryMailServer } from '../infrastructure/mailer.js';
import { outageCause, type PartName } from '../infrastructure/outage-cause.js';
import { connectionFailure } from '../infrastructure/temporal/connection-failure.js';
import { CONNECTION_SETTINGS, temporalConnection } from '../infrastructure/temporal/place.js';
import { print, withParts, type Command, type Open } from './command.js';

interface Part {
  readonly name: string;
  /** Answers a try: it resolves with the cause, or null when the part can be used. Throws when a setting is wrong. */
  readonly prepare: () => Promise<() => Promise<string | null>>;
}

const part = <Name extends SettingName>(definition: {
  readonly name: string;
  readonly part: PartName;
  readonly settings: readonly Name[];
  readonly use: (settings: Pick<Config, Name>, open: Open) => Promise<unknown>;
}): Part => ({
  name: definition.name,
  prepare: async () => {
    const settings = await readOperatorSettings(definition.settings);
    return () =>
      withParts((open) => definition.use(settings, open)).then(
        () => null,
        (error: unknown) => outageCause(error, definition.part),
      );
  },
});

const LIMIT_MS = 5_000;
const PROBE_LIMIT_MS = 2_000;

const PARTS: readonly Part[] = [
  part({
    name: 'database',
    part: 'database',
    settings: ['DATABASE_URL'],
    use: (settings, open) => open.database(settings).query('select 1'),
  }),
  part({
    name: 'event-store',
    part: 'event store',
    settings: ['EVENTSTORE_URL'],
    use: (settings, open) => open.eventStore(settings).ping(),
  }),
  part({
    name: 'workflows',
    part: 'workflow server',
    settings: [...CONNECTION_SETTINGS, 'TEMPORAL_NAMESPACE'],
    use: async (settings) => {
      const place = await temporalConnection(settings);
      const failure = await connectionFailure(place, PROBE_LIMIT_MS);
      if (failure !== null) throw failure;
      // Without interceptors: the one that tries again does so after the end too, where nobody hears its error.
      const connection = await Connection.connect({ ...place, connectTimeout: LIMIT_MS, interceptors: [] });
      try {
        const { workflowService } = connection;
        const namespace = settings.TEMPORAL_NAMESPACE;
        await connection.withDeadline(Date.now() + LIMIT_MS, () => workflowService.describeNamespace({ namespace }));
      } finally {
        await connection.close();
      }
    },
  }),
  part({
    name: 'mail',
    part: 'mail server',
    settings: ['SMTP_URL'],
    use: ({ SMTP_URL: url }) => tryMailServer(url, LIMIT_MS),
  }),
];

const AGAIN_AFTER_MS = 1_000;
const MAX_WAIT_S = 3_600;

/** Tries every part at once, and those that fail again and again for as long as is waited; tells a new cause on the way. */
async function check(parts: readonly Part[], waitMs: number): Promise<number> {
  const tries = await Promise.all(parts.map(({ prepare }) => prepare()));
  const until = Date.now() + waitMs;
  const causes = await Promise.all(
    tries.map(async (attempt, index) => {
      for (let told: string | null = null; ;) {
        const cause = await attempt();
        if (cause === null || Date.now() + AGAIN_AFTER_MS > until) return cause;
        if (cause !== told) process.stderr.write(`waiting: ${parts[index]?.name}: ${cause}\n`);
        told = cause;
        await sleep(AGAIN_AFTER_MS);
      }
    }),
  );
  for (const [index, { name }] of parts.entries()) print(`${name}: ${causes[index] ?? 'can be used'}`);
  return causes.every((cause) => cause === null) ? 0 : 1;
}

function read(words: readonly string[]): { parts: readonly Part[]; waitMs: number } | null {
  const at = words.indexOf('--wait');
  const [seconds = '', ...behind] = at === -1 ? ['0'] : words.slice(at + 1);
  const names = at === -1 ? words : [...words.slice(0, at), ...behind];
  const isKnown = names.every((name) => PARTS.some((one) => one.name === name));
  if (!isKnown || !/^\d{1,4}$/.test(seconds) || Number(seconds) > MAX_WAIT_S) return null;
  const parts = names.length === 0 ? PARTS : PARTS.filter(({ name }) => names.includes(name));
  return { parts, waitMs: Number(seconds) * 1_000 };
}

export const checkParts: Command = {
  name: 'check',
  usage: [
    [
      `[${PARTS.map(({ name }) => name).join('|')}]... [--wait <seconds>]`,
      'use what the service stands on, or some of it, and say why what cannot be used cannot',
    ],
  ],
  prepare: (words) => {
    const asked = read(words);
    return asked === null ? null : () => check(asked.parts, asked.waitMs);
  },
};
