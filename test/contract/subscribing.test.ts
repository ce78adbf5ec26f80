import { eventTypeFilter, excludeSystemEvents, streamNameFilter, type Position } from '@eventstore/db-client';
import { expect, it } from 'vitest';
import { append, describeEachStore, newStream, note, notes, numbersOf, positionOf, readAll, watch } from './stores.js';

const eventsOf = (resolved: readonly { event?: unknown }[]): { data?: unknown; streamId: string; type: string }[] =>
  resolved.map(({ event }) => event as { data?: unknown; streamId: string; type: string });

/** Each once, the lowest first. */
const ascending = (positions: readonly bigint[]): bigint[] => [...new Set(positions)].sort((a, b) => (a < b ? -1 : 1));

describeEachStore('subscribing to a stream', ({ client, embeddedOnly }) => {
  it('gives what is there, says that it has caught up, then gives what comes', async () => {
    const stream = newStream();
    await append(client, stream, notes(2));
    const seen = watch(client.subscribeToStream(stream));
    await seen.until(() => seen.told.includes('caughtUp'));
    expect(seen.told).toEqual(['confirmation', 1, 2, 'caughtUp']);
    await append(client, stream, note(2));
    await seen.until(() => seen.events.length === 3);
    expect(numbersOf(eventsOf(seen.events))).toEqual([0, 1, 2]);
    await seen.stop();
  });

  it('begins after the revision it is given', async () => {
    const stream = newStream();
    await append(client, stream, notes(4));
    const seen = watch(client.subscribeToStream(stream, { fromRevision: 1n }));
    await seen.until(() => seen.told.includes('caughtUp'));
    expect(numbersOf(eventsOf(seen.events))).toEqual([2, 3]);
    await seen.stop();
  });

  it('gives only what comes when it begins at the end', async () => {
    const stream = newStream();
    await append(client, stream, notes(4));
    const seen = watch(client.subscribeToStream(stream, { fromRevision: 'end' }));
    await seen.until(() => seen.told.includes('caughtUp'));
    await append(client, stream, note(4));
    await seen.until(() => seen.events.length > 0);
    expect(numbersOf(eventsOf(seen.events))).toEqual([4]);
    await seen.stop();
  });

  embeddedOnly(
    'EventStoreDB 23.10 looks for it again and again and says nothing, 24.10 says it at once',
    'says that it has caught up with a stream that does not exist yet',
    async () => {
      const seen = watch(client.subscribeToStream(newStream()));
      await seen.until(() => seen.told.includes('caughtUp'));
      expect(seen.told).toEqual(['confirmation', 'caughtUp']);
      await seen.stop();
    },
  );

  it('waits for a stream that does not exist yet', async () => {
    const stream = newStream();
    const seen = watch(client.subscribeToStream(stream));
    await seen.until(() => seen.told.includes('confirmation'));
    await append(client, newStream(), note(9));
    await append(client, stream, note(1));
    await seen.until(() => seen.events.length === 1);
    expect(numbersOf(eventsOf(seen.events))).toEqual([1]);
    await seen.stop();
  });
});

describeEachStore('subscribing to $all', ({ client, embeddedOnly }) => {
  const mark = async (): Promise<Position> => positionOf(await append(client, newStream('mark'), note(0)));

  it('begins after the position it is given', async () => {
    const stream = newStream();
    const fromPosition = positionOf(await append(client, stream, note(0)));
    await append(client, stream, note(1));
    const seen = watch(client.subscribeToAll({ fromPosition, filter: streamNameFilter({ prefixes: [stream] }) }));
    await seen.until(() => seen.events.length === 1);
    expect(numbersOf(eventsOf(seen.events))).toEqual([1]);
    await seen.stop();
  });

  it('gives only what comes when it begins at the end, and says at once that it has caught up', async () => {
    const stream = newStream();
    const seen = watch(
      client.subscribeToAll({ fromPosition: 'end', filter: streamNameFilter({ prefixes: [stream] }) }),
    );
    await seen.until(() => seen.told.includes('caughtUp'));
    expect(seen.told).toEqual(['confirmation', 'caughtUp']);
    await append(client, stream, note(1));
    await seen.until(() => seen.events.length === 1);
    await seen.stop();
  });

  it('gives everything, system events too, without a filter', async () => {
    const stream = newStream();
    const seen = watch(client.subscribeToAll({ fromPosition: await mark() }));
    await seen.until(() => seen.told.includes('caughtUp'));
    await client.setStreamMetadata(stream, { maxCount: 3 });
    await append(client, stream, note(1));
    await seen.until(() => eventsOf(seen.events).some(({ streamId }) => streamId === stream));
    expect(eventsOf(seen.events).map(({ streamId }) => streamId)).toContain(`$$${stream}`);
    await seen.stop();
  });

  it('gives no system events when they are excluded', async () => {
    const stream = newStream();
    const seen = watch(client.subscribeToAll({ fromPosition: await mark(), filter: excludeSystemEvents() }));
    await client.setStreamMetadata(stream, { maxCount: 3 });
    await append(client, stream, note(1));
    await seen.until(() => eventsOf(seen.events).some(({ streamId }) => streamId === stream));
    expect(eventsOf(seen.events).filter(({ type }) => type.startsWith('$'))).toEqual([]);
    await seen.stop();
  });

  it('filters by prefixes of the stream name', async () => {
    const [one, two, three] = [newStream('alpha'), newStream('beta'), newStream('gamma')];
    const fromPosition = await mark();
    for (const stream of [one, two, three]) await append(client, stream, note(1));
    const filter = streamNameFilter({ prefixes: [one.slice(0, -1), three] });
    const seen = watch(client.subscribeToAll({ fromPosition, filter }));
    await seen.until(() => seen.events.length === 2);
    expect(eventsOf(seen.events).map(({ streamId }) => streamId)).toEqual([one, three]);
    await seen.stop();
  });

  it('filters by a regular expression on the stream name', async () => {
    const stream = newStream('regex');
    const fromPosition = await mark();
    await append(client, stream, notes(2));
    await append(client, newStream('other'), note(9));
    const filter = streamNameFilter({ regex: `^re.*${stream.slice(-8)}$` });
    const seen = watch(client.subscribeToAll({ fromPosition, filter }));
    await seen.until(() => seen.events.length === 2);
    expect(numbersOf(eventsOf(seen.events))).toEqual([0, 1]);
    await seen.stop();
  });

  it('filters by prefixes of the event type', async () => {
    const stream = newStream();
    const fromPosition = await mark();
    const kind = `Kind${stream.slice(-12)}`;
    await append(client, stream, [note(0, { type: `${kind}Made` }), note(1), note(2, { type: `${kind}Ended` })]);
    const seen = watch(client.subscribeToAll({ fromPosition, filter: eventTypeFilter({ prefixes: [kind] }) }));
    await seen.until(() => seen.events.length === 2);
    expect(numbersOf(eventsOf(seen.events))).toEqual([0, 2]);
    await seen.stop();
  });

  it('filters by a regular expression on the event type', async () => {
    const stream = newStream();
    const fromPosition = await mark();
    const kind = stream.slice(-12);
    await append(client, stream, [note(0, { type: `Made${kind}` }), note(1), note(2, { type: `Ended${kind}` })]);
    const seen = watch(client.subscribeToAll({ fromPosition, filter: eventTypeFilter({ regex: `${kind}$` }) }));
    await seen.until(() => seen.events.length === 2);
    expect(numbersOf(eventsOf(seen.events))).toEqual([0, 2]);
    await seen.stop();
  });

  it('refuses an expression that cannot be read', async () => {
    const seen = watch(client.subscribeToAll({ filter: eventTypeFilter({ regex: '(' }) }));
    await seen.until(() => seen.error() !== undefined);
    expect(seen.events).toEqual([]);
  });

  /** The checkpoints that a subscriber whom nothing passes is told until it has caught up. */
  const checkpointsUntilCaughtUp = async (
    fromPosition: Position,
    every: { maxSearchWindow: number; checkpointInterval: number },
  ): Promise<bigint[]> => {
    const checkpoints: bigint[] = [];
    const checkpointReached = (_: unknown, { commit }: Position): void => void checkpoints.push(commit);
    const filter = streamNameFilter({ prefixes: [newStream('nobody')], ...every, checkpointReached });
    const seen = watch(client.subscribeToAll({ fromPosition, filter }));
    await seen.until(() => seen.told.includes('caughtUp'));
    await seen.stop();
    return checkpoints;
  };

  it('tells by checkpoints how far it has searched, although nothing passes', async () => {
    const fromPosition = await mark();
    const stream = newStream();
    await append(client, stream, notes(100));
    const checkpoints = await checkpointsUntilCaughtUp(fromPosition, { maxSearchWindow: 10, checkpointInterval: 2 });
    expect(checkpoints.length).toBeGreaterThanOrEqual(4);
    expect(checkpoints).toEqual(ascending(checkpoints));
    const positions = (await readAll(client, { fromPosition }))
      .filter(({ streamId }) => streamId === stream)
      .map(({ position }) => position?.commit ?? 0n);
    // At most an interval is not told of yet, and what is told of is where a search of ten began.
    expect(checkpoints.at(-1)).toBeGreaterThanOrEqual(positions.at(-1 - 30) ?? 0n);
  });

  embeddedOnly(
    '24.10 sends one before it says that it has caught up, 23.10 does not',
    'tells by a last checkpoint that it has searched everything',
    async () => {
      const fromPosition = await mark();
      const last = positionOf(await append(client, newStream(), notes(15)));
      const checkpoints = await checkpointsUntilCaughtUp(fromPosition, { maxSearchWindow: 10, checkpointInterval: 1 });
      expect(checkpoints.at(-1)).toBeGreaterThanOrEqual(last.commit);
    },
  );

  it.each([9, 10, 11])(
    'tells no checkpoint twice when %i events end on, before or after the interval',
    async (count) => {
      const fromPosition = await mark();
      await append(client, newStream(), notes(count));
      const checkpoints = await checkpointsUntilCaughtUp(fromPosition, { maxSearchWindow: 5, checkpointInterval: 1 });
      expect(checkpoints.length).toBeGreaterThanOrEqual(1);
      expect(checkpoints).toEqual(ascending(checkpoints));
    },
  );

  it('goes on telling checkpoints when it is live', async () => {
    const checkpoints: bigint[] = [];
    const filter = streamNameFilter({
      prefixes: [newStream('nobody')],
      maxSearchWindow: 5,
      checkpointInterval: 1,
      checkpointReached: (_, { commit }) => {
        checkpoints.push(commit);
      },
    });
    const seen = watch(client.subscribeToAll({ fromPosition: 'end', filter }));
    await seen.until(() => seen.told.includes('caughtUp'));
    await append(client, newStream(), notes(20));
    const deadline = Date.now() + 5_000;
    while (checkpoints.length < 4 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(checkpoints.length).toBeGreaterThanOrEqual(4);
    await seen.stop();
  });

  it('passes from what is there to what comes without a gap or a repetition', async () => {
    const prefix = newStream('steady');
    const fromPosition = await mark();
    let isOver = false;
    let sent = 0;
    const writing = (async () => {
      while (!isOver) await append(client, `${prefix}-${sent % 7}`, note(sent++));
    })();
    while (sent < 100) await new Promise((resolve) => setTimeout(resolve, 5));
    const seen = watch(client.subscribeToAll({ fromPosition, filter: streamNameFilter({ prefixes: [prefix] }) }));
    await seen.until(() => seen.told.includes('caughtUp'));
    const goal = sent + 100;
    while (sent < goal) await new Promise((resolve) => setTimeout(resolve, 5));
    isOver = true;
    await writing;
    await seen.until(() => seen.events.length >= sent);
    expect(numbersOf(eventsOf(seen.events))).toEqual(Array.from({ length: sent }, (_, n) => n));
    await seen.stop();
  });

  it('serves twenty subscribers alike', async () => {
    const stream = newStream();
    const filter = streamNameFilter({ prefixes: [stream] });
    const all = Array.from({ length: 20 }, () => watch(client.subscribeToAll({ fromPosition: 'end', filter })));
    for (const seen of all) await seen.until(() => seen.told.includes('caughtUp'));
    await append(client, stream, notes(30));
    for (const seen of all) await seen.until(() => seen.events.length === 30);
    for (const seen of all) expect(numbersOf(eventsOf(seen.events))).toEqual(Array.from({ length: 30 }, (_, n) => n));
    await Promise.all(all.map((seen) => seen.stop()));
  });
});
