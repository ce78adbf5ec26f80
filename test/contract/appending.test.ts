import { randomUUID } from 'node:crypto';
import { MaxAppendSizeExceededError, WrongExpectedVersionError, binaryEvent, jsonEvent } from '@eventstore/db-client';
import { expect, it } from 'vitest';
import {
  append,
  bytes,
  credentials,
  describeEachStore,
  newStream,
  note,
  notes,
  numbersOf,
  positionOf,
  readStream,
} from './stores.js';

const refusal = async (promise: Promise<unknown>): Promise<WrongExpectedVersionError> => {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof WrongExpectedVersionError)) throw new Error(`expected a wrong version, got ${String(error)}`);
  return error;
};

describeEachStore('appending', ({ client, embeddedOnly }) => {
  it('starts a stream at no_stream with revision 0', async () => {
    const result = await append(client, newStream(), note(1), 'no_stream');
    expect(result).toMatchObject({ success: true, nextExpectedRevision: 0n });
  });

  it('answers the revision of the last event of several', async () => {
    const result = await append(client, newStream(), notes(3), 'no_stream');
    expect(result.nextExpectedRevision).toBe(2n);
  });

  it('answers positions that grow from append to append', async () => {
    const first = positionOf(await append(client, newStream(), note(1)));
    const second = positionOf(await append(client, newStream(), note(1)));
    expect(second.commit).toBeGreaterThan(first.commit);
    expect(first.commit).toBeGreaterThan(0n);
  });

  it('appends at the exact revision', async () => {
    const stream = newStream();
    await append(client, stream, note(1), 'no_stream');
    expect((await append(client, stream, note(2), 0n)).nextExpectedRevision).toBe(1n);
  });

  it('appends at any revision, to a new stream and to an old one', async () => {
    const stream = newStream();
    await append(client, stream, note(1), 'any');
    expect((await append(client, stream, note(2), 'any')).nextExpectedRevision).toBe(1n);
  });

  it('appends at stream_exists when the stream exists', async () => {
    const stream = newStream();
    await append(client, stream, note(1));
    expect((await append(client, stream, note(2), 'stream_exists')).nextExpectedRevision).toBe(1n);
  });

  it('refuses stream_exists for a stream that was never written to', async () => {
    const stream = newStream();
    const error = await refusal(append(client, stream, note(1), 'stream_exists'));
    expect(error).toMatchObject({ streamName: stream, actualVersion: 'no_stream' });
  });

  it('refuses no_stream for a stream that exists, naming where it stands', async () => {
    const stream = newStream();
    await append(client, stream, notes(2));
    const error = await refusal(append(client, stream, note(9), 'no_stream'));
    expect(error).toMatchObject({ streamName: stream, expectedVersion: 'no_stream', actualVersion: 1n });
  });

  it('refuses a revision that is too low, naming both', async () => {
    const stream = newStream();
    await append(client, stream, notes(3));
    expect(await refusal(append(client, stream, note(9), 1n))).toMatchObject({
      expectedVersion: 1n,
      actualVersion: 2n,
    });
  });

  it('refuses a revision that is too high', async () => {
    const stream = newStream();
    await append(client, stream, note(1));
    expect(await refusal(append(client, stream, note(9), 5n))).toMatchObject({
      expectedVersion: 5n,
      actualVersion: 0n,
    });
  });

  it('lets one of ten writers win a race for no_stream', async () => {
    const stream = newStream();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => append(client, stream, note(n), 'no_stream')),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(WrongExpectedVersionError);
    }
    expect(await readStream(client, stream)).toHaveLength(1);
  });

  it('lets one of ten writers win a race for an exact revision', async () => {
    const stream = newStream();
    await append(client, stream, note(0));
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => append(client, stream, note(n), 0n)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await readStream(client, stream)).toHaveLength(2);
  });

  it('stores an append that is sent again at no_stream once', async () => {
    const stream = newStream();
    const events = notes(2);
    const first = await append(client, stream, events, 'no_stream');
    const again = await append(client, stream, events, 'no_stream');
    expect(again.nextExpectedRevision).toBe(first.nextExpectedRevision);
    expect(await readStream(client, stream)).toHaveLength(2);
  });

  it('stores an append that is sent again at its revision once, even when others have appended since', async () => {
    const stream = newStream();
    await append(client, stream, note(0), 'no_stream');
    const repeated = note(1);
    await append(client, stream, repeated, 0n);
    await append(client, stream, note(2), 1n);
    expect((await append(client, stream, repeated, 0n)).nextExpectedRevision).toBe(1n);
    expect(numbersOf(await readStream(client, stream))).toEqual([0, 1, 2]);
  });

  it('stores an append that is sent again at any once', async () => {
    const stream = newStream();
    const events = notes(2);
    await append(client, stream, events, 'any');
    await append(client, stream, events, 'any');
    expect(await readStream(client, stream)).toHaveLength(2);
  });

  it('stores an append that is sent ten times at once only once, and answers it when it is sent again', async () => {
    const stream = newStream();
    const events = notes(2);
    const sent = Array.from({ length: 10 }, () => append(client, stream, events, 'no_stream'));
    for (const outcome of await Promise.allSettled(sent)) {
      // A real server may hold a repetition against a commit that is under way until its own limit.
      if (outcome.status === 'rejected') expect(String(outcome.reason)).toContain('Commit phase timeout');
    }
    expect((await append(client, stream, events, 'no_stream')).nextExpectedRevision).toBe(1n);
    expect(await readStream(client, stream)).toHaveLength(2);
  });

  embeddedOnly(
    'elsewhere some of them end as ABORTED, "Operation timed out: Commit phase timeout"',
    'answers an append that is sent ten times at once ten times',
    async () => {
      const events = notes(2);
      const stream = newStream();
      const answers = await Promise.all(Array.from({ length: 10 }, () => append(client, stream, events, 'no_stream')));
      expect(answers.map(({ nextExpectedRevision }) => nextExpectedRevision)).toEqual(Array(10).fill(1n));
    },
  );

  it('refuses an append of which only the first event is stored already', async () => {
    const stream = newStream();
    const known = note(0);
    await append(client, stream, known, 'no_stream');
    await append(client, stream, note(1), 0n);
    await refusal(append(client, stream, [known, note(2)], 'no_stream'));
    expect(await readStream(client, stream)).toHaveLength(2);
  });

  it('refuses a new event below the head, although its id is known elsewhere in the stream', async () => {
    const stream = newStream();
    const later = note(2);
    await append(client, stream, [note(0), note(1), later], 'no_stream');
    await refusal(append(client, stream, later, 0n));
  });

  it('takes one event id in two streams', async () => {
    const id = randomUUID();
    const [one, other] = [newStream(), newStream()];
    await append(client, one, note(1, { id }), 'no_stream');
    await append(client, other, note(1, { id }), 'no_stream');
    expect(await readStream(client, other)).toHaveLength(1);
  });

  it('appends without credentials on the call', async () => {
    const stream = newStream();
    await client.appendToStream(stream, note(1), { expectedRevision: 'no_stream' });
    expect(await readStream(client, stream)).toHaveLength(1);
  });

  it('keeps a stream whose name is not ASCII, and names it in a refusal', async () => {
    const stream = newStream('Поставщик-日本-ß');
    await append(client, stream, note(1), 'no_stream');
    expect((await readStream(client, stream))[0]?.streamId).toBe(stream);
    expect((await refusal(append(client, stream, note(2), 'no_stream'))).streamName).toBe(stream);
  });

  it('keeps JSON, metadata, type and id as they were sent', async () => {
    const stream = newStream();
    const id = randomUUID();
    const data = { text: 'ä 😀 \u0000 "', number: 1.5, list: [1, null, { deep: true }] };
    await append(client, stream, jsonEvent({ id, type: 'Ünusual type', data, metadata: { z: 1, a: [2] } }));
    const [event] = await readStream(client, stream);
    expect(event).toMatchObject({
      id,
      type: 'Ünusual type',
      data,
      metadata: { z: 1, a: [2] },
      isJson: true,
      revision: 0n,
    });
  });

  it('keeps bytes as they were sent, with bytes as metadata', async () => {
    const stream = newStream();
    const data = Uint8Array.from({ length: 256 }, (_, n) => n);
    const metadata = Uint8Array.of(255, 0, 128);
    await append(client, stream, binaryEvent({ type: 'BytesKept', data, metadata }));
    const [event] = await readStream(client, stream);
    expect(event?.isJson).toBe(false);
    expect([...((event?.data as Uint8Array | undefined) ?? [])]).toEqual([...data]);
    expect([...((event?.metadata as Uint8Array | undefined) ?? [])]).toEqual([...metadata]);
  });

  it('stamps an event with the time at which it was stored', async () => {
    const stream = newStream();
    const before = Date.now();
    await append(client, stream, note(1));
    const [event] = await readStream(client, stream);
    expect(Math.abs((event?.created.getTime() ?? 0) - before)).toBeLessThan(10_000);
  });

  it('takes an append of just under 1 MiB', async () => {
    const stream = newStream();
    await append(client, stream, bytes(1_048_576 - 2 * 'BytesKept'.length - 1_000), 'no_stream');
    const [event] = await readStream(client, stream);
    expect((event?.data as Uint8Array | undefined)?.length).toBe(1_048_576 - 2 * 'BytesKept'.length - 1_000);
  });

  it('refuses an append of more than 1 MiB with the limit, and stores nothing of it', async () => {
    const stream = newStream();
    const error: unknown = await append(client, stream, [bytes(600_000), bytes(600_000)]).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(MaxAppendSizeExceededError);
    expect((error as MaxAppendSizeExceededError).maxAppendSize).toBe(1_048_576);
    await expect(readStream(client, stream)).rejects.toMatchObject({ type: 'stream-not-found' });
  });

  it('keeps two appends to one stream in the order in which they were sent', async () => {
    const stream = newStream();
    const sent = Array.from({ length: 50 }, (_, n) => append(client, stream, note(n)));
    const answers = await Promise.all(sent);
    const revisions = answers.map(({ nextExpectedRevision }) => Number(nextExpectedRevision));
    expect([...revisions].sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, n) => n));
    const read = await readStream(client, stream);
    for (const [n, revision] of revisions.entries()) expect(numbersOf(read)[revision]).toBe(n);
  });

  it('ends an append whose deadline has passed before it was sent', async () => {
    const stream = newStream();
    const late = client.appendToStream(stream, note(1), { expectedRevision: 'any', credentials, deadline: -1 });
    await expect(late).rejects.toMatchObject({ type: 'deadline-exceeded' });
  });
});
