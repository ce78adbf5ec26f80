import { randomUUID } from 'node:crypto';
import {
  EventStoreDBClient,
  binaryEvent,
  jsonEvent,
  type AllStreamResolvedEvent,
  type AllStreamSubscription,
  type AppendExpectedRevision,
  type AppendResult,
  type EventData,
  type JSONEventType,
  type Position,
  type RecordedEvent,
  type StreamSubscription,
} from '@eventstore/db-client';
import { afterAll, describe, inject, it } from 'vitest';

/** With credentials on the call the client appends by the unary call, as the service does. */
export const credentials = { username: 'admin', password: 'changeit' };

export interface Store {
  readonly url: string;
  readonly client: EventStoreDBClient;
  /**
   * A sentence that is the embedded store's own promise: a real server keeps it in one version and not in another, or in none, so
   * nothing of ours may lean on it. There it is skipped, with the reason.
   */
  readonly embeddedOnly: (reason: string, sentence: string, test: () => Promise<void>) => void;
}

/**
 * The same sentences for the embedded event store always, and for the server that `CONTRACT_EVENTSTORE_URL` names, when it names
 * one: an EventStoreDB or KurrentDB of one node without TLS, whose data nobody needs.
 */
export function describeEachStore(title: string, sentences: (store: Store) => void): void {
  const stores = [{ name: 'embedded event store', url: inject('eventStoreUrl'), isReal: false }];
  const real = process.env['CONTRACT_EVENTSTORE_URL'] ?? '';
  if (real !== '') stores.push({ name: 'real server', url: real, isReal: true });
  describe.each(stores)('$name', ({ url, isReal }) => {
    const client = EventStoreDBClient.connectionString(url);
    afterAll(() => client.dispose());
    const embeddedOnly: Store['embeddedOnly'] = (reason, sentence, test) =>
      isReal ? it.skip(`${sentence} (only the embedded one: ${reason})`) : it(sentence, test);
    describe(title, () => sentences({ url, client, embeddedOnly }));
  });
}

/** A stream that nobody else uses. */
export const newStream = (prefix = 'contract'): string => `${prefix}-${randomUUID()}`;

export const note = (n: number, more: { id?: string; type?: string } = {}): EventData =>
  jsonEvent({ type: 'NoteTaken', data: { n }, metadata: { by: 'contract' }, ...more });

export const notes = (count: number): EventData[] => Array.from({ length: count }, (_, n) => note(n));

export const bytes = (size: number): EventData => binaryEvent({ type: 'BytesKept', data: new Uint8Array(size) });

export const append = (
  client: EventStoreDBClient,
  stream: string,
  events: EventData | EventData[],
  expectedRevision: AppendExpectedRevision = 'any',
): Promise<AppendResult> => client.appendToStream(stream, events, { expectedRevision, credentials });

export const positionOf = (result: AppendResult): Position => {
  if (result.position === undefined) throw new Error('the append was answered without a position');
  return result.position;
};

export async function readStream(
  client: EventStoreDBClient,
  stream: string,
  options: Parameters<EventStoreDBClient['readStream']>[1] = {},
): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const { event } of client.readStream<JSONEventType>(stream, options)) {
    if (event !== undefined) events.push(event);
  }
  return events;
}

export async function readAll(
  client: EventStoreDBClient,
  options: Parameters<EventStoreDBClient['readAll']>[0],
): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const { event } of client.readAll(options)) if (event !== undefined) events.push(event);
  return events;
}

export const numbersOf = (events: readonly { data?: unknown }[]): unknown[] =>
  events.map(({ data }) => (data as { n?: unknown } | undefined)?.n);

export type AnySubscription = AllStreamSubscription | StreamSubscription;

/** What a subscription has told so far, with a way to wait for more. */
export interface Watch {
  readonly events: AllStreamResolvedEvent[];
  readonly told: ('confirmation' | 'caughtUp' | 'error' | number)[];
  readonly error: () => Error | undefined;
  until(condition: () => boolean): Promise<void>;
  stop(): Promise<void>;
}

export function watch(subscription: AnySubscription): Watch {
  const events: AllStreamResolvedEvent[] = [];
  const told: Watch['told'] = [];
  let failure: Error | undefined;
  let wake: () => void = () => undefined;
  const tell = (what: Watch['told'][number]): void => {
    told.push(what);
    wake();
  };
  subscription.on('confirmation', () => tell('confirmation'));
  subscription.on('caughtUp', () => tell('caughtUp'));
  subscription.on('error', (error: Error) => {
    failure = error;
    tell('error');
  });
  (subscription as AllStreamSubscription).on('data', (resolved) => {
    events.push(resolved);
    tell(events.length);
  });
  return {
    events,
    told,
    error: () => failure,
    async until(condition) {
      const deadline = Date.now() + 15_000;
      while (!condition()) {
        if (Date.now() > deadline) throw new Error(`the subscription told only ${JSON.stringify(told.slice(-20))}`);
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, 1_000);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    },
    stop: () => subscription.unsubscribe(),
  };
}
