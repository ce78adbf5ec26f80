import { StreamDeletedError, WrongExpectedVersionError, jsonEvent } from '@eventstore/db-client';
import { expect, it } from 'vitest';
import {
  append,
  describeEachStore,
  newStream,
  note,
  notes,
  numbersOf,
  positionOf,
  readAll,
  readStream,
  watch,
} from './stores.js';

describeEachStore("a stream's metadata", ({ client }) => {
  it('is given back as it was set', async () => {
    const stream = newStream();
    await client.setStreamMetadata(stream, { maxCount: 7, truncateBefore: 2, colour: 'red' });
    const { metadata } = await client.getStreamMetadata(stream);
    expect(metadata).toEqual({ maxCount: 7, truncateBefore: 2, colour: 'red' });
  });

  it('is absent for a stream without any', async () => {
    expect((await client.getStreamMetadata(newStream())).metadata).toBeUndefined();
  });

  it('hides all but the newest events by $maxCount', async () => {
    const stream = newStream();
    await append(client, stream, notes(5));
    await client.setStreamMetadata(stream, { maxCount: 2 });
    expect(numbersOf(await readStream(client, stream))).toEqual([3, 4]);
    expect(numbersOf(await readStream(client, stream, { direction: 'backwards', fromRevision: 'end' }))).toEqual([
      4, 3,
    ]);
  });

  it.each([
    { $maxCount: 1.5 },
    { $maxCount: -1 },
    { $maxAge: 1e300 },
    { $tb: 0.5 },
    { $tb: 1e300 },
    { $maxCount: 1, $maxAge: 'a week' },
  ])('hides nothing by what cannot be: %o', async (data) => {
    const stream = newStream();
    await append(client, stream, notes(3));
    await append(client, `$$${stream}`, jsonEvent({ type: '$metadata', data }));
    expect(numbersOf(await readStream(client, stream))).toEqual([0, 1, 2]);
    expect(numbersOf(await readStream(client, stream, { direction: 'backwards', fromRevision: 'end' }))).toEqual([
      2, 1, 0,
    ]);
  });

  it('hides nothing by an age of 20,000 years', async () => {
    const stream = newStream();
    await append(client, stream, notes(2));
    await client.setStreamMetadata(stream, { maxAge: 20_000 * 365 * 86_400 });
    expect(numbersOf(await readStream(client, stream))).toEqual([0, 1]);
  });

  it('hides older events by $tb', async () => {
    const stream = newStream();
    await append(client, stream, notes(5));
    await client.setStreamMetadata(stream, { truncateBefore: 3 });
    expect(numbersOf(await readStream(client, stream))).toEqual([3, 4]);
  });

  it('lets stream_exists pass before the first event', async () => {
    const stream = newStream();
    await client.setStreamMetadata(stream, { maxCount: 7 });
    expect((await append(client, stream, note(1), 'stream_exists')).nextExpectedRevision).toBe(0n);
  });
});

const NO_TRAILER = 'a trailer of a real server is ASCII, and without it the call ends as UNKNOWN';

describeEachStore('a soft deletion', ({ client, embeddedOnly }) => {
  const deleted = async (): Promise<string> => {
    const stream = newStream();
    await append(client, stream, notes(3));
    await client.deleteStream(stream);
    return stream;
  };

  it('hides the stream', async () => {
    await expect(readStream(client, await deleted())).rejects.toMatchObject({ type: 'stream-not-found' });
  });

  it('needs the right revision', async () => {
    const stream = newStream();
    await append(client, stream, notes(3));
    await expect(client.deleteStream(stream, { expectedRevision: 1n })).rejects.toMatchObject({
      type: 'wrong-expected-version',
      expectedVersion: 1n,
      actualVersion: 2n,
    });
    await client.deleteStream(stream, { expectedRevision: 2n });
    await expect(readStream(client, stream)).rejects.toMatchObject({ type: 'stream-not-found' });
  });

  const refusesNothing = async (stream: string): Promise<void> => {
    const error: unknown = await client.deleteStream(stream).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(WrongExpectedVersionError);
    expect((error as WrongExpectedVersionError).actualVersion).toBe(-1n);
  };

  it('is refused for a stream that never was, even at any', () => refusesNothing(newStream()));

  embeddedOnly(NO_TRAILER, 'is refused so with a name that is not ASCII too', () =>
    refusesNothing(newStream('ничего')),
  );

  it('passes a second time', async () => {
    await expect(client.deleteStream(await deleted())).resolves.toBeDefined();
  });

  it('lets numbering go on when the stream is written to again, at any, no_stream and the last revision', async () => {
    for (const expected of ['any', 'no_stream', 2n] as const) {
      const stream = await deleted();
      expect((await append(client, stream, note(3), expected)).nextExpectedRevision).toBe(3n);
      const events = await readStream(client, stream);
      expect(numbersOf(events)).toEqual([3]);
      expect(events[0]?.revision).toBe(3n);
    }
  });

  it('refuses stream_exists as deleted', async () => {
    await expect(append(client, await deleted(), note(3), 'stream_exists')).rejects.toBeInstanceOf(StreamDeletedError);
  });

  it('writes where the stream begins anew into its metadata', async () => {
    const stream = await deleted();
    await append(client, stream, note(3));
    expect((await client.getStreamMetadata(stream)).metadata).toEqual({ truncateBefore: 3 });
  });

  it('leaves the events in $all', async () => {
    const stream = newStream();
    const fromPosition = positionOf(await append(client, stream, note(1)));
    await client.deleteStream(stream);
    const events = await readAll(client, { fromPosition });
    expect(events.filter(({ streamId }) => streamId === stream)).toHaveLength(1);
    expect(events.filter(({ streamId }) => streamId === `$$${stream}`)).toHaveLength(1);
  });
});

describeEachStore('a tombstone', ({ client, embeddedOnly }) => {
  const tombstoned = async (stream = newStream()): Promise<string> => {
    await append(client, stream, notes(2));
    await client.tombstoneStream(stream);
    return stream;
  };

  it('refuses every later append, naming the stream', async () => {
    for (const expected of ['any', 'no_stream', 'stream_exists', 1n] as const) {
      await expect(append(client, await tombstoned(), note(3), expected)).rejects.toBeInstanceOf(StreamDeletedError);
    }
  });

  it('refuses to read the stream, and its metadata', async () => {
    const stream = await tombstoned();
    await expect(readStream(client, stream)).rejects.toBeInstanceOf(StreamDeletedError);
    await expect(readStream(client, `$$${stream}`)).rejects.toBeInstanceOf(StreamDeletedError);
  });

  it('is refused a second time', async () => {
    await expect(client.tombstoneStream(await tombstoned())).rejects.toBeInstanceOf(StreamDeletedError);
  });

  embeddedOnly(NO_TRAILER, 'is told by name of a stream whose name is not ASCII', async () => {
    const stream = await tombstoned(newStream('grab-ß'));
    const deleted = { type: 'stream-deleted', streamName: encodeURIComponent(stream) };
    await expect(append(client, stream, note(3))).rejects.toMatchObject(deleted);
    await expect(readStream(client, stream)).rejects.toMatchObject(deleted);
    await expect(client.tombstoneStream(stream)).rejects.toMatchObject(deleted);
  });

  it('needs the right revision', async () => {
    const stream = newStream();
    await append(client, stream, notes(3));
    await expect(client.tombstoneStream(stream, { expectedRevision: 0n })).rejects.toBeInstanceOf(
      WrongExpectedVersionError,
    );
  });

  it('can be set on a stream that never was', async () => {
    const stream = newStream();
    await client.tombstoneStream(stream, { expectedRevision: 'no_stream' });
    await expect(append(client, stream, note(1))).rejects.toBeInstanceOf(StreamDeletedError);
  });

  it('is told to a subscriber, whose subscription then ends as deleted', async () => {
    const stream = newStream();
    await append(client, stream, note(1));
    const seen = watch(client.subscribeToStream(stream));
    await seen.until(() => seen.told.includes('caughtUp'));
    await client.tombstoneStream(stream);
    await seen.until(() => seen.error() !== undefined);
    expect(seen.events.at(-1)?.event?.type).toBe('$streamDeleted');
    expect(seen.error()).toBeInstanceOf(StreamDeletedError);
  });
});
