import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { rebuild } from '../projections/rebuild.js';
import { commandContext } from './core/context.js';
import { readOperatorConfig } from './infrastructure/config.js';
import { createEventStore } from './infrastructure/event-store/eventstoredb.js';
import type { EventLog } from './infrastructure/event-store/port.js';
import { verifyAll, verifyStream } from './infrastructure/event-store/verify.js';
import { createLogger } from './infrastructure/logger.js';
import { askForRetry, parkedEvents } from './infrastructure/parked-events.js';
import { connectDatabase, type Database } from './infrastructure/postgres/database.js';
import { createPrivateTexts, eraseTextKeys } from './infrastructure/private-texts/private-texts.js';
import { withPrivateTexts } from './infrastructure/private-texts/private-event-store.js';
import { changePlan } from './modules/organizations/handlers.js';
import { PRIVATE_FIELDS } from './modules/private-fields.js';

const USAGE = `Usage: npm run cli -- <command>

  plan <organization> <free|pro>   change the plan of an organization
  verify [stream]                  check the history, or one stream of it, and name the first bad event
  rebuild                          make the read models anew beside the live ones, then swap them
  erase-texts <id>                 erase for good the private texts of an organization, a supplier's record or a factory
  parked list                      the events that the reactor could not take, and those that wait behind them
  parked retry [event]...          have them tried again, of these streams or of all

It works on the database and the event store of the environment (DATABASE_URL, EVENTSTORE_URL) or, where that names none,
on the service that runs on DATA_DIR (.data).

Exit code: 0 done, 1 not done or history broken, 2 wrong usage.
`;

type Command =
  | { readonly name: 'help' }
  | { readonly name: 'plan'; readonly organizationId: string; readonly plan: 'free' | 'pro' }
  | { readonly name: 'verify'; readonly stream: string | null }
  | { readonly name: 'rebuild' }
  | { readonly name: 'erase-texts'; readonly holder: string }
  | { readonly name: 'parked'; readonly retry: readonly string[] | 'all' | null };

interface Stores {
  readonly database: Database;
  readonly eventStore: EventLog;
  readonly encryptionKey: Uint8Array;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Null for what is no command. */
function parse(words: readonly string[]): Command | null {
  const [name, first, second] = words;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') return { name: 'help' };
  if (name === 'plan' && first && (second === 'free' || second === 'pro') && words.length === 3) {
    return { name, organizationId: first, plan: second };
  }
  if (name === 'verify' && words.length <= 2) return { name, stream: first ?? null };
  if (name === 'rebuild' && words.length === 1) return { name };
  if (name === 'erase-texts' && /^(org|sup|fac)_/.test(first ?? '') && words.length === 2) {
    return { name, holder: first ?? '' };
  }
  if (name === 'parked' && first === 'list' && words.length === 2) return { name, retry: null };
  if (name === 'parked' && first === 'retry') return { name, retry: words.length === 2 ? 'all' : words.slice(2) };
  return null;
}

async function setPlan(stores: Stores, organizationId: string, plan: 'free' | 'pro'): Promise<number> {
  const eventStore = withPrivateTexts(stores.eventStore, PRIVATE_FIELDS, createPrivateTexts(stores));
  const context = commandContext({
    organizationId,
    actor: { type: 'operator', id: null },
    correlationId: `cli-${randomUUID()}`,
    now: Date.now(),
  });
  const changed = await changePlan(eventStore, context, { organizationId, plan });
  print(`${changed.name} (${changed.id}) is on the plan ${changed.plan}.`);
  return 0;
}

async function verify({ eventStore }: Pick<Stores, 'eventStore'>, stream: string | null): Promise<number> {
  const { streams, events, problems } = await (stream === null
    ? verifyAll(eventStore)
    : verifyStream(eventStore, stream));
  for (const { stream: where, revision, id, reason } of problems) {
    print(`BROKEN  ${where}  revision ${revision ?? '?'}  event ${id ?? '?'}: ${reason}`);
  }
  if (problems.length > 0) return 1;
  if (stream !== null && events === 0) {
    print(`There is no stream "${stream}".`);
    return 1;
  }
  print(`Unbroken: ${events} events in ${streams} ${streams === 1 ? 'stream' : 'streams'}.`);
  return 0;
}

async function eraseTexts(database: Database, holder: string): Promise<number> {
  const erased = await eraseTextKeys(database, [holder]);
  print(erased === 0 ? `No private text hangs on "${holder}".` : `The private texts of "${holder}" are erased.`);
  return erased === 0 ? 1 : 0;
}

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

async function run(command: Exclude<Command, { name: 'help' }>): Promise<number> {
  const config = await readOperatorConfig();
  const logger = createLogger('cli', 'warn');
  const database = connectDatabase({ url: config.DATABASE_URL, size: 4, logger, name: 'cli' });
  const eventStore = createEventStore({ url: config.EVENTSTORE_URL, logger });
  try {
    switch (command.name) {
      case 'plan':
        return await setPlan(
          { database, eventStore, encryptionKey: config.ENCRYPTION_KEY },
          command.organizationId,
          command.plan,
        );
      case 'verify':
        return await verify({ eventStore }, command.stream);
      case 'erase-texts':
        return await eraseTexts(database, command.holder);
      case 'rebuild': {
        const { events, durationMs } = await rebuild({ database, eventStore, logger });
        print(`Rebuilt from ${events} events in ${(durationMs / 1000).toFixed(1)} s.`);
        return 0;
      }
      case 'parked':
        return command.retry === null ? await listParked(database) : await retryParked(database, command.retry);
    }
  } finally {
    await Promise.all([eventStore.close(), database.end()]);
  }
}

const command = parse(process.argv.slice(2));
if (command === null || command.name === 'help') {
  (command === null ? process.stderr : process.stdout).write(USAGE);
  process.exitCode = command === null ? 2 : 0;
} else {
  try {
    process.exitCode = await run(command);
  } catch (error) {
    // One line for the operator; what a refusal says is written for people.
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
