import type { CommandContext } from '../core/context.js';
import { fold, startFold, type Decider } from '../core/decider.js';
import { Refusal } from '../core/errors.js';
import type { DomainEvent, EventMetadata, Recorded } from '../core/events.js';
import { linkHash } from '../core/hash-chain.js';
import { deterministicUuid } from '../core/ids.js';
import type { JsonObject } from '../core/json.js';
import { WrongExpectedRevision, type EventStore, type NewEvent } from './event-store/port.js';

/** A lost race is run again from the start; a stream that is contended harder than this is refused with 409. */
const MAX_CONFLICTS = 8;
const SCHEMA_VERSION = 1;

/** As much of the event store as a command needs. */
export type EventWriter = Pick<EventStore, 'readStream' | 'append' | 'sealed'>;

export interface Loaded<State> {
  readonly state: State;
  /** -1 when the stream does not exist. */
  readonly revision: number;
  readonly lastHash: string | null;
  /** When the first event happened, in milliseconds; null when the stream does not exist. */
  readonly createdAt: number | null;
  readonly updatedAt: number | null;
}

export interface Executed<State, E extends DomainEvent> extends Loaded<State> {
  /** The events that this call appended; empty when everything was so already. */
  readonly events: readonly E[];
}

const NOTHING = { revision: -1, lastHash: null, createdAt: null, updatedAt: null };

/** Folds a whole stream. Streams are short (tens of events), so there are no snapshots. */
export async function load<State, E extends DomainEvent>(
  eventStore: Pick<EventStore, 'readStream'>,
  decider: Pick<Decider<State, never, E>, 'initialState' | 'evolve'>,
  stream: string,
): Promise<Loaded<State>> {
  const folding = startFold(decider);
  let first: Recorded | undefined;
  let last: Recorded | undefined;
  for await (const event of eventStore.readStream(stream)) {
    folding.take(event as unknown as E);
    first ??= event;
    last = event;
  }
  const state = folding.state();
  if (first === undefined || last === undefined) return { ...NOTHING, state };
  return {
    state,
    revision: last.revision,
    lastHash: last.metadata.hash,
    createdAt: first.metadata.recordedAt,
    updatedAt: last.metadata.recordedAt,
  };
}

/**
 * Load, fold, decide, append at the exact revision. `isNew` and `known` skip the load: the stream is expected not to exist, or to
 * be still as it was read before, and only if it is not is it read.
 */
export async function execute<State, Command, E extends DomainEvent>(
  eventStore: EventWriter,
  context: CommandContext,
  call: {
    stream: string;
    decider: Decider<State, Command, E>;
    /** A function when the command depends on what the stream says. */
    command: Command | ((state: State, loaded: Loaded<State>) => Command | Promise<Command>);
    isNew?: boolean;
    known?: Loaded<State>;
  },
): Promise<Executed<State, E>> {
  const { stream, decider, command } = call;
  for (let attempt = 0; attempt <= MAX_CONFLICTS; attempt++) {
    const expected = call.isNew === true ? { ...NOTHING, state: decider.initialState } : call.known;
    const loaded: Loaded<State> =
      expected !== undefined && attempt === 0 ? expected : await load(eventStore, decider, stream);
    const decided =
      typeof command === 'function'
        ? await (command as (state: State, loaded: Loaded<State>) => Command | Promise<Command>)(loaded.state, loaded)
        : command;
    const events = decider.decide(decided, loaded.state);
    if (events.length === 0) return { ...loaded, events };
    const chained = await chain(eventStore, stream, loaded, events, context);
    try {
      const appended = await eventStore.append(stream, loaded.revision === -1 ? 'no_stream' : loaded.revision, chained);
      context.wrote(appended.position);
      return {
        state: fold({ initialState: loaded.state, evolve: decider.evolve }, events),
        revision: appended.revision,
        lastHash: chained.at(-1)?.metadata.hash ?? null,
        createdAt: loaded.createdAt ?? context.now,
        updatedAt: context.now,
        events,
      };
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision)) throw error;
    }
  }
  throw new Refusal(
    'concurrent_change',
    `"${stream}" is being changed by too many callers at once; send the call again.`,
  );
}

async function chain(
  eventStore: EventWriter,
  stream: string,
  after: Pick<Loaded<unknown>, 'revision' | 'lastHash'>,
  events: readonly DomainEvent[],
  context: CommandContext,
): Promise<NewEvent[]> {
  const { organizationId } = context;
  const unsigned: Omit<EventMetadata, 'hash'> = {
    schemaVersion: SCHEMA_VERSION,
    organizationId,
    actor: context.actor,
    correlationId: context.correlationId,
    causationId: context.causationId,
    recordedAt: context.now,
    ...(context.importMark !== null && { import: context.importMark }),
  };
  const metadata = unsigned as unknown as JsonObject;
  let previousHash = after.lastHash;
  const chained: NewEvent[] = [];
  for (const [index, event] of events.entries()) {
    const revision = after.revision + 1 + index;
    // What is hashed is what a reader will parse from the stored bytes.
    const json = JSON.stringify(await eventStore.sealed({ stream, revision, organizationId }, event));
    const data = JSON.parse(json) as JsonObject;
    // The content is part of the id: an event decided anew under the same seed is not mistaken for the one stored before. It is the
    // sealed content: a hash of a private text would outlive its erasure.
    const id = deterministicUuid(context.seed, `${stream}/${revision}/${event.type}/${context.now}/${json}`);
    const hash = linkHash({ stream, revision, id, type: event.type, data, metadata, previousHash });
    previousHash = hash;
    chained.push({ id, type: event.type, data, metadata: { ...unsigned, hash } });
  }
  return chained;
}
