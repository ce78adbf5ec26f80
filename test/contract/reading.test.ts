import { StreamNotFoundError } from '@eventstore/db-client';
import { expect, it } from 'vitest';
import {
  append,
  bytes,
  describeEachStore,
  newStream,
  note,
  notes,
  numbersOf,
  positionOf,
  readAll,
  readStream,
} from './stores.js';

describeEachStore('reading a stream', ({ client }) => {
  it('gives its events oldest first with their revisions', async () => {
    const stream = newStream();
    await append(client, stream, notes(3));
    const events = await readStream(client, stream);
    expect(events.map(({ revision }) => revision)).toEqual([0n, 1n, 2n]);
    expect(numbersOf(events)).toEqual([0, 1, 2]);
  });

  it('gives its events newest first from the end', async () => {
    const stream = newStream();
    await append(client, stream, notes(3));
    expect(numbersOf(await readStream(client, stream, { direction: 'backwards', fromRevision: 'end' }))).toEqual([
      2, 1, 0,
    ]);
  });

  it('begins at a revision, that one included, in both directions', async () => {
    const stream = newStream();
    await append(client, stream, notes(5));
    expect(numbersOf(await readStream(client, stream, { fromRevision: 2n }))).toEqual([2, 3, 4]);
    expect(numbersOf(await readStream(client, stream, { direction: 'backwards', fromRevision: 2n }))).toEqual([
      2, 1, 0,
    ]);
  });

  it('stops after maxCount events', async () => {
    const stream = newStream();
    await append(client, stream, notes(5));
    expect(numbersOf(await readStream(client, stream, { maxCount: 2 }))).toEqual([0, 1]);
    expect(
      numbersOf(await readStream(client, stream, { maxCount: 2, direction: 'backwards', fromRevision: 'end' })),
    ).toEqual([4, 3]);
  });

  it('gives nothing beyond the end, and the last events when it begins there and goes back', async () => {
    const stream = newStream();
    await append(client, stream, notes(2));
    expect(await readStream(client, stream, { fromRevision: 10n })).toEqual([]);
    expect(numbersOf(await readStream(client, stream, { direction: 'backwards', fromRevision: 10n }))).toEqual([1, 0]);
  });

  it('says that a stream is not found, naming it', async () => {
    const stream = newStream('нет');
    const error: unknown = await readStream(client, stream).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(StreamNotFoundError);
    expect((error as StreamNotFoundError).streamName).toBe(stream);
  });

  it('reads a stream that is longer than a page', async () => {
    const stream = newStream();
    for (let from = 0; from < 1_200; from += 400) {
      await append(
        client,
        stream,
        notes(400).map((_, n) => note(from + n)),
      );
    }
    const numbers = Array.from({ length: 1_200 }, (_, n) => n);
    expect(numbersOf(await readStream(client, stream))).toEqual(numbers);
    const back = await readStream(client, stream, { direction: 'backwards', fromRevision: 'end' });
    expect(numbersOf(back)).toEqual([...numbers].reverse());
  });

  it('reads events of half a megabyte', async () => {
    const stream = newStream();
    for (let n = 0; n < 6; n += 1) await append(client, stream, bytes(500_000));
    expect(await readStream(client, stream)).toHaveLength(6);
  });

  it('reads a stream while it is being written', async () => {
    const stream = newStream();
    await append(client, stream, notes(10));
    const writing = Promise.all(Array.from({ length: 20 }, (_, n) => append(client, stream, note(n))));
    const seen = await readStream(client, stream);
    expect(seen.map(({ revision }) => Number(revision))).toEqual(seen.map((_, n) => n));
    await writing;
  });

  it('leaves the server well when the reader goes away in the middle', async () => {
    const stream = newStream();
    await append(client, stream, notes(400));
    for await (const { event } of client.readStream(stream)) if (event?.revision === 5n) break;
    expect(await readStream(client, stream, { maxCount: 1 })).toHaveLength(1);
  });
});

describeEachStore('reading $all', ({ client }) => {
  it('includes the position it begins at when going forwards', async () => {
    const stream = newStream();
    const fromPosition = positionOf(await append(client, stream, note(1)));
    const events = await readAll(client, { fromPosition, maxCount: 1 });
    expect(events[0]?.streamId).toBe(stream);
  });

  it('excludes the position it begins at when going backwards', async () => {
    const first = newStream();
    const result = await append(client, first, notes(2));
    const fromPosition = positionOf(result);
    const events = await readAll(client, { fromPosition, direction: 'backwards', maxCount: 1 });
    expect(events[0]).toMatchObject({ streamId: first, revision: 0n });
  });

  it('gives the newest event first from the end', async () => {
    const stream = newStream();
    await append(client, stream, notes(3));
    const newest = await readAll(client, { fromPosition: 'end', direction: 'backwards', maxCount: 200 });
    expect(newest.filter(({ streamId }) => streamId === stream).map(({ revision }) => revision)).toEqual([2n, 1n, 0n]);
  });

  it('gives nothing forwards from the end, and nothing backwards from the start', async () => {
    expect(await readAll(client, { fromPosition: 'end' })).toEqual([]);
    expect(await readAll(client, { fromPosition: 'start', direction: 'backwards' })).toEqual([]);
  });

  it('gives the events of several streams in the order in which they were stored', async () => {
    const [one, other] = [newStream(), newStream()];
    const fromPosition = positionOf(await append(client, one, note(0)));
    await append(client, other, note(1));
    await append(client, one, note(2));
    const mine = (await readAll(client, { fromPosition })).filter(({ streamId }) => [one, other].includes(streamId));
    expect(numbersOf(mine)).toEqual([0, 1, 2]);
  });

  it('gives positions that grow from event to event', async () => {
    const fromPosition = positionOf(await append(client, newStream(), notes(5)));
    await append(client, newStream(), notes(5));
    const positions = (await readAll(client, { fromPosition, maxCount: 5 })).map(
      ({ position }) => position?.commit ?? 0n,
    );
    for (const [n, position] of positions.entries()) expect(position).toBeGreaterThan(positions[n - 1] ?? 0n);
  });

  it('contains the metadata events of streams', async () => {
    const stream = newStream();
    const fromPosition = positionOf(await append(client, stream, note(1)));
    await client.setStreamMetadata(stream, { maxCount: 5 });
    const types = (await readAll(client, { fromPosition })).filter(({ streamId }) => streamId === `$$${stream}`);
    expect(types[0]?.type).toBe('$metadata');
  });
});
