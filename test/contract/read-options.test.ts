import { status } from '@grpc/grpc-js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { afterAll, expect, it } from 'vitest';
import { connectRaw, type RawAnswer } from '../support/raw-calls.js';
import { append, describeEachStore, newStream, note } from './stores.js';

const { Options } = streams.ReadReq;
type ReadOptions = InstanceType<typeof Options>;

const nothing = (): InstanceType<typeof shared.Empty> => new shared.Empty();

const filterOf = (): InstanceType<typeof Options.FilterOptions> =>
  new Options.FilterOptions()
    .setEventType(new Options.FilterOptions.Expression().setRegex('^[^$]'))
    .setMax(32)
    .setCheckpointintervalmultiplier(1);

const COUNTS: Readonly<Record<string, (options: ReadOptions) => ReadOptions>> = {
  Count: (options) => options.setCount('1'),
  Subscription: (options) => options.setSubscription(new Options.SubscriptionOptions()),
  None: (options) => options,
};
const DIRECTIONS = {
  Forwards: Options.ReadDirection.FORWARDS,
  Backwards: Options.ReadDirection.BACKWARDS,
} as const;
const FILTERS: Readonly<Record<string, (options: ReadOptions) => ReadOptions>> = {
  NoFilter: (options) => options.setNoFilter(nothing()),
  Filter: (options) => options.setFilter(filterOf()),
  None: (options) => options,
};

const isTaken = (stream: string, count: string, direction: string, filter: string): boolean =>
  filter !== 'None' &&
  (count === 'Count' || (count === 'Subscription' && direction === 'Forwards')) &&
  (stream === 'All' || filter === 'NoFilter');

const COMBINATIONS = ['Stream', 'All'].flatMap((stream) =>
  Object.keys(COUNTS).flatMap((count) =>
    (['Forwards', 'Backwards'] as const).flatMap((direction) =>
      Object.keys(FILTERS).map((filter) => ({ stream, count, direction, filter })),
    ),
  ),
);

describeEachStore('the options of a read', ({ client, url, embeddedOnly }) => {
  const raw = connectRaw(url);
  afterAll(() => raw.close());

  /** A subscription has no end; it is heard until it has told something. */
  const read = (options: ReadOptions, limitMs = 300): Promise<RawAnswer> =>
    raw.call('read', [new streams.ReadReq().setOptions(options).serializeBinary()], limitMs);

  const optionsOf = (): ReadOptions => new Options().setUuidOption(new Options.UUIDOption().setString(nothing()));
  const ofAll = (): ReadOptions => optionsOf().setAll(new Options.AllOptions().setStart(nothing()));
  const ofStream = (stream: string): ReadOptions =>
    optionsOf().setStream(
      new Options.StreamOptions()
        .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream)))
        .setStart(nothing()),
    );

  it.each(COMBINATIONS)('go together or are refused: $stream, $count, $direction, $filter', async (combination) => {
    const { stream, count, direction, filter } = combination;
    const name = newStream();
    await append(client, name, note(1));
    const options = (stream === 'All' ? ofAll() : ofStream(name)).setReadDirection(DIRECTIONS[direction]);
    COUNTS[count]?.(options);
    FILTERS[filter]?.(options);
    const { code, details } = await read(options);
    if (isTaken(stream, count, direction, filter)) {
      expect([status.OK, status.CANCELLED]).toContain(code);
      return;
    }
    expect({ code, details }).toEqual({
      code: status.INVALID_ARGUMENT,
      details: `The combination of (${stream}, ${count}, ${direction}, ${filter}) is invalid.`,
    });
  });

  it('name a stream or $all', async () => {
    const { code, details } = await read(optionsOf().setCount('1').setNoFilter(nothing()));
    expect(code).toBe(status.INVALID_ARGUMENT);
    expect(details).toContain("'None' is not a valid");
  });

  it('name the window of a filter', async () => {
    const filter = filterOf();
    filter.clearMax();
    const { code } = await read(ofAll().setSubscription(new Options.SubscriptionOptions()).setFilter(filter));
    expect(code).toBe(status.INVALID_ARGUMENT);
  });

  it('have checkpoints come after some events', async () => {
    const filter = filterOf().setCheckpointintervalmultiplier(0);
    const { code } = await read(ofAll().setSubscription(new Options.SubscriptionOptions()).setFilter(filter));
    // A real server refuses it too, by an exception of its handler.
    expect([status.INVALID_ARGUMENT, status.UNKNOWN]).toContain(code);
  });

  it('let nothing pass by a filter without an expression and without prefixes', async () => {
    await append(client, newStream(), note(1));
    const filter = filterOf().setEventType(new Options.FilterOptions.Expression());
    const { code, messages } = await read(ofAll().setCount('5').setFilter(filter), 5_000);
    expect({ code, messages }).toEqual({ code: status.OK, messages: [] });
  });

  embeddedOnly(
    'EventStoreDB 23.10 takes it for structured ids, KurrentDB 25 refuses it as here',
    'say how ids are to be written',
    async () => {
      const options = ofAll().setCount('1').setNoFilter(nothing());
      options.clearUuidOption();
      expect((await read(options)).code).toBe(status.INVALID_ARGUMENT);
    },
  );
});
