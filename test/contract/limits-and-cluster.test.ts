import { randomUUID } from 'node:crypto';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import {
  EventStoreDBClient,
  StreamDeletedError,
  WrongExpectedVersionError,
  persistentSubscriptionToStreamSettingsFromDefaults,
} from '@eventstore/db-client';
import serverFeatures from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { credentials as channel, status } from '@grpc/grpc-js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import { describe, expect, inject, it } from 'vitest';
import { append, describeEachStore, newStream, note, readStream } from './stores.js';

const addressOf = (url: string): string => new URL(url.replace('esdb:', 'http:')).host;

describeEachStore('the cluster', ({ client, url }) => {
  it('is found by gossip', async () => {
    const discovering = EventStoreDBClient.connectionString(url.replace('esdb://', 'esdb+discover://'));
    const stream = newStream();
    await append(discovering, stream, note(1));
    expect(await readStream(client, stream)).toHaveLength(1);
    await discovering.dispose();
  });
});

describe('embedded event store', () => {
  const url = inject('eventStoreUrl');
  const client = EventStoreDBClient.connectionString(url);
  const unimplemented = { code: status.UNIMPLEMENTED };

  it('says UNIMPLEMENTED to a persistent subscription', async () => {
    const settings = persistentSubscriptionToStreamSettingsFromDefaults();
    const created = client.createPersistentSubscriptionToStream(newStream(), 'group', settings);
    await expect(created).rejects.toMatchObject(unimplemented);
  });

  it('says UNIMPLEMENTED to a projection', async () => {
    await expect(client.createProjection('totals', 'fromAll()')).rejects.toMatchObject(unimplemented);
  });

  it('says UNIMPLEMENTED to a link between streams, as it would not resolve it', async () => {
    const link = note(1, { type: '$>' });
    await expect(append(client, newStream(), link)).rejects.toMatchObject(unimplemented);
  });

  it('offers the unary append and not the batch append', async () => {
    const features = new serverFeatures.ServerFeaturesClient(addressOf(url), channel.createInsecure());
    const methods = await new Promise<string[]>((resolve, reject) => {
      features.getSupportedMethods(new shared.Empty(), (error, answer) => {
        if (error === null) resolve(answer.getMethodsList().map((method) => method.getMethodName()));
        else reject(error);
      });
    });
    features.close();
    expect(methods).toEqual(['read', 'append', 'delete', 'tombstone']);
  });

  it('refuses an event without a UUID', async () => {
    await expect(append(client, newStream(), note(1, { id: 'one' }))).rejects.toMatchObject({
      code: status.INVALID_ARGUMENT,
    });
  });

  describe('a deletion that cannot be written, as the metadata stream has been tombstoned', () => {
    it('is refused alone: what is committed with it is stored', async () => {
      const stream = newStream();
      await append(client, stream, note(0));
      await client.tombstoneStream(`$$${stream}`);
      const beside = Array.from({ length: 40 }, () => newStream('beside'));
      const results = await Promise.allSettled([
        ...beside.slice(0, 20).map((name) => append(client, name, note(1), 'no_stream')),
        client.deleteStream(stream),
        ...beside.slice(20).map((name) => append(client, name, note(1), 'no_stream')),
      ]);
      const refused = results.filter((result) => result.status === 'rejected');
      expect(refused.map(({ reason }) => reason as unknown)).toEqual([expect.any(StreamDeletedError)]);
      expect(await readStream(client, stream)).toHaveLength(1);
    });

    it('nor does an append begin a deleted stream anew', async () => {
      const stream = newStream();
      await append(client, stream, note(0));
      await client.deleteStream(stream);
      await client.tombstoneStream(`$$${stream}`);
      await expect(append(client, stream, note(1))).rejects.toBeInstanceOf(StreamDeletedError);
      await expect(readStream(client, stream)).rejects.toMatchObject({ type: 'stream-not-found' });
    });
  });

  it('takes an expected revision of 2^64-1 for no stream, as the reference does, and refuses what is above 2^63-1', async () => {
    const stream = newStream();
    await append(client, stream, note(0), 2n ** 64n - 1n);
    await expect(append(client, stream, note(1), 2n ** 64n - 1n)).rejects.toBeInstanceOf(WrongExpectedVersionError);
    await expect(client.deleteStream(stream, { expectedRevision: 2n ** 63n - 1n })).rejects.toMatchObject({
      type: 'wrong-expected-version',
      expectedVersion: 2n ** 63n - 1n,
    });
    for (const expected of [2n ** 63n, 2n ** 64n - 2n]) {
      await expect(append(client, stream, note(1), expected)).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
    }
  });

  it('does not store an append whose connection breaks before its end, whenever that is', async () => {
    const { hostname, port } = new URL(url.replace('esdb:', 'http:'));
    const framed = (message: { serializeBinary(): Uint8Array }): Buffer => {
      const body = message.serializeBinary();
      const head = Buffer.alloc(5);
      head.writeUInt32BE(body.length, 1);
      return Buffer.concat([head, body]);
    };
    const breakAfter = async (delayMs: number): Promise<string> => {
      const stream = newStream();
      const socket = connectSocket(Number(port), hostname);
      const session = connectHttp2(`http://${hostname}:${port}`, { createConnection: () => socket });
      session.on('error', () => undefined);
      const call = session.request({
        ':method': 'POST',
        ':path': streamsService.StreamsService.append.path,
        'content-type': 'application/grpc',
        te: 'trailers',
      });
      call.on('error', () => undefined);
      const identifier = new shared.StreamIdentifier().setStreamName(Buffer.from(stream));
      const options = new streams.AppendReq.Options().setStreamIdentifier(identifier).setAny(new shared.Empty());
      const message = new streams.AppendReq.ProposedMessage().setId(new shared.UUID().setString(randomUUID()));
      message.getMetadataMap().set('type', 'Half').set('content-type', 'application/json');
      call.write(framed(new streams.AppendReq().setOptions(options)));
      call.write(framed(new streams.AppendReq().setProposedMessage(message)));
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      socket.destroy();
      return stream;
    };
    const broken = await Promise.all(Array.from({ length: 30 }, (_, n) => breakAfter(n * 2)));
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (const stream of broken) {
      await expect(readStream(client, stream)).rejects.toMatchObject({ type: 'stream-not-found' });
    }
  });

  describe('batch append, for clients in other languages', () => {
    const batch = async (requests: BatchAppendReq[], answers: number): Promise<BatchAppendResp[]> => {
      const raw = new streamsService.StreamsClient(addressOf(url), channel.createInsecure());
      const call = raw.batchAppend();
      const got: BatchAppendResp[] = [];
      const done = new Promise<void>((resolve, reject) => {
        call.on('data', (answer: BatchAppendResp) => {
          got.push(answer);
          if (got.length === answers) call.end();
        });
        call.on('end', resolve);
        call.on('error', reject);
      });
      for (const request of requests) call.write(request);
      await done;
      raw.close();
      return got;
    };
    const request = (
      stream: string,
      events: number,
      more: { size?: number; correlationId?: string } = {},
    ): BatchAppendReq => {
      const options = new streams.BatchAppendReq.Options()
        .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream)))
        .setNoStream(new empty.Empty());
      const all = new streams.BatchAppendReq()
        .setCorrelationId(new shared.UUID().setString(more.correlationId ?? randomUUID()))
        .setOptions(options)
        .setIsFinal(true);
      for (let n = 0; n < events; n += 1) {
        const message = new streams.BatchAppendReq.ProposedMessage()
          .setId(new shared.UUID().setString(randomUUID()))
          .setData(Buffer.alloc(more.size ?? 10));
        message.getMetadataMap().set('type', 'Batched').set('content-type', 'application/octet-stream');
        all.addProposedMessages(message);
      }
      return all;
    };

    it('stores appends of one call, each answered once', async () => {
      const [one, other] = [newStream(), newStream()];
      const answers = await batch([request(one, 2), request(other, 3)], 2);
      const revisions = answers.map((answer) => answer.getSuccess()?.getCurrentRevision());
      expect(revisions.sort()).toEqual(['1', '2']);
      expect(await readStream(client, other)).toHaveLength(3);
    });

    it('tells a wrong version with the expectation', async () => {
      const stream = newStream();
      await append(client, stream, note(1));
      const [answer] = await batch([request(stream, 1)], 1);
      const wrong = answer
        ?.getError()
        ?.getDetails()
        ?.unpack(
          (bytes: Uint8Array) => shared.WrongExpectedVersion.deserializeBinary(bytes),
          'event_store.client.WrongExpectedVersion',
        );
      expect(wrong?.getCurrentStreamRevision()).toBe('0');
      expect(wrong?.hasExpectedNoStream()).toBe(true);
    });

    it('answers an append that is too large once', async () => {
      const answers = await batch([request(newStream(), 3, { size: 500_000 }), request(newStream(), 1)], 2);
      expect(answers.filter((answer) => answer.hasError())).toHaveLength(1);
      expect(answers.filter((answer) => answer.hasSuccess())).toHaveLength(1);
    });
  });
});
