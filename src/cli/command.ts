import { readOperatorSettings, type Config, type SettingName } from '../infrastructure/config.js';
import { createEventStore } from '../infrastructure/event-store/eventstoredb.js';
import type { EventLog } from '../infrastructure/event-store/port.js';
import { createLogger, type Logger } from '../infrastructure/logger.js';
import { connectDatabase, type Database } from '../infrastructure/postgres/database.js';

/** Opens what a command works on; all of it is closed when the command has ended. */
export interface Open {
  readonly database: (settings: Pick<Config, 'DATABASE_URL'>) => Database;
  readonly eventStore: (settings: Pick<Config, 'EVENTSTORE_URL'>) => EventLog;
  readonly logger: Logger;
}

/** A command of the operator's. */
export interface Command {
  readonly name: string;
  /** What may follow the name, and what it does then, for the usage. */
  readonly usage: readonly (readonly [words: string, effect: string])[];
  /** Runs it with the words that follow its name, and answers the exit code; null when it takes no such words. */
  readonly prepare: (words: readonly string[]) => (() => Promise<number>) | null;
}

/** `settings`: all that it reads, and all that it asks for. `read`: what the words after its name say, null for no use of it. */
export const command = <Name extends SettingName, Words>(definition: {
  readonly name: string;
  readonly usage: Command['usage'];
  readonly settings: readonly Name[];
  readonly read: (words: readonly string[]) => Words | null;
  readonly run: (words: Words, settings: Pick<Config, Name>, open: Open) => Promise<number>;
}): Command => ({
  name: definition.name,
  usage: definition.usage,
  prepare: (words) => {
    const read = definition.read(words);
    if (read === null) return null;
    return async () => {
      const settings = await readOperatorSettings(definition.settings);
      return withParts((open) => definition.run(read, settings, open));
    };
  },
});

/** Closes what `work` has opened. */
export async function withParts<T>(work: (open: Open) => Promise<T>): Promise<T> {
  const logger = createLogger('cli', 'warn');
  const closing: (() => Promise<void>)[] = [];
  try {
    return await work({
      logger,
      database: ({ DATABASE_URL: url }) => {
        const database = connectDatabase({ url, size: 4, logger, name: 'cli' });
        closing.push(() => database.end());
        return database;
      },
      eventStore: ({ EVENTSTORE_URL: url }) => {
        const eventStore = createEventStore({ url, logger });
        closing.push(() => eventStore.close());
        return eventStore;
      },
    });
  } finally {
    await Promise.all(closing.map((close) => close()));
  }
}

export const print = (line: string): void => void process.stdout.write(`${line}\n`);
