import { setTimeout as sleep } from 'node:timers/promises';
import { askForRetry, parkedEvents } from '../infrastructure/parked-events.js';
import type { Database } from '../infrastructure/postgres/database.js';
import { command, print } from './command.js';

export const parked = command({
  name: 'parked',
  usage: [
    ['list', 'the events that the reactor could not take, and those that wait behind them'],
    ['retry [event]...', 'have them tried again, of these streams or of all'],
  ],
  settings: ['DATABASE_URL'],
  read: ([what, ...eventIds]) => {
    if (what === 'list' && eventIds.length === 0) return { retry: null };
    return what === 'retry' ? { retry: eventIds.length === 0 ? ('all' as const) : eventIds } : null;
  },
  run: async ({ retry }, settings, open) => {
    const database = open.database(settings);
    return retry === null ? await listParked(database) : await retryParked(database, retry);
  },
});

async function listParked(database: Database): Promise<number> {
  const parked = await parkedEvents(database);
  for (const { eventId, type, stream, revision, parkedAt, tries, error } of parked) {
    const why = error === null ? 'waits for an earlier event of its stream' : `${tries} tries: ${error}`;
    print(`${parkedAt.toISOString()}  ${eventId}  ${type}  revision ${revision} of ${stream}\n    ${why}`);
  }
  print(parked.length === 0 ? 'Nothing is parked.' : `${parked.length} parked.`);
  return 0;
}

const RETRY_LIMIT_MS = 30_000;

/** The worker tries them; this waits for what comes of it. */
async function retryParked(database: Database, eventIds: readonly string[] | 'all'): Promise<number> {
  const asked = new Set(await askForRetry(database, eventIds === 'all' ? null : eventIds));
  if (asked.size === 0) {
    print('Nothing of that is parked.');
    return eventIds === 'all' ? 0 : 1;
  }
  const deadline = Date.now() + RETRY_LIMIT_MS;
  for (;;) {
    const left = (await parkedEvents(database)).filter(({ eventId }) => asked.has(eventId));
    const isOver = left.every(({ isAsked }) => !isAsked);
    if (isOver) {
      print(`${asked.size - left.length} of ${asked.size} taken.`);
      if (left.length > 0) print('See "parked list" for what is left.');
      return left.length === 0 ? 0 : 1;
    }
    if (Date.now() > deadline) {
      print(`Asked for, and ${left.length} of ${asked.size} not tried yet: is the worker running?`);
      return 1;
    }
    await sleep(500);
  }
}
