import { setTimeout as sleep } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { connectRaw } from '../support/raw-calls.js';

describe('a request that is not well-formed', () => {
  const raw = connectRaw(inject('eventStoreUrl'));
  afterAll(() => raw.close());

  it.each([
    ['read', '0a0612808080800c'],
    ['read', '0a061a8080808008'],
    ['append', '0a061a8080808008'],
    ['append', '12061a8080808008'],
    ['batchAppend', '1a061a8080808008'],
    ['delete', '0a061a8080808008'],
    ['tombstone', '0a061a8080808008'],
  ] as const)('is refused at once: %s %s, which claims gigabytes', async (method, hex) => {
    const begun = performance.now();
    const { code } = await raw.call(method, [Buffer.from(hex, 'hex')]);
    expect(code).toBe(status.INVALID_ARGUMENT);
    expect(performance.now() - begun).toBeLessThan(1_000);
  });

  it.each([
    ['a message longer than the one around it', '0a020a7f'],
    ['a text that is longer than its message', '12060a0412ff0174'],
    ['a text that is no UTF-8', '12040a0212010012020ac3'],
    ['a map entry with a field that hides another length', '12081206 1a04 0aff7f61'.replaceAll(' ', '')],
    ['a number of eleven bytes', '0a0c10ffffffffffffffffffff01'],
    ['a number that ends in its middle', '0a0210ff'],
    ['a field of the wrong kind', '0801'],
    ['a field number of 0', '0200'],
    ['groups without end', '0b'.repeat(200_000)],
    ['two hundred thousand fields and more', '1800'.repeat(200_001)],
  ])('is refused: %s', async (_what, hex) => {
    expect(await raw.call('append', [Buffer.from(hex, 'hex')])).toMatchObject({ code: status.INVALID_ARGUMENT });
  });

  it('ends a batch append, whose other appends are stored or not, but nothing is said twice', async () => {
    const { code, messages } = await raw.call('batchAppend', [Buffer.from('0a', 'hex'), Buffer.from('0a', 'hex')]);
    expect({ code, messages }).toEqual({ code: status.INVALID_ARGUMENT, messages: [] });
  });

  it.each([
    ['UTF-8', Buffer.from([0x61, 0xc3, 0x28])],
    ['at most 2,000 bytes', Buffer.alloc(2_001, 'a')],
    ['without NUL', Buffer.from('a\0b')],
    ['not empty', Buffer.alloc(0)],
  ])("a stream's name is %s", async (_what, name) => {
    const options = new streams.DeleteReq.Options()
      .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(name))
      .setAny(new shared.Empty());
    const request = new streams.DeleteReq().setOptions(options).serializeBinary();
    expect(await raw.call('delete', [request])).toMatchObject({ code: status.INVALID_ARGUMENT });
  });
});

describe("a filter's expression", () => {
  const raw = connectRaw(inject('eventStoreUrl'));
  afterAll(() => raw.close());

  const subscribe = (regex: string, limitMs = 300) => {
    const expression = new streams.ReadReq.Options.FilterOptions.Expression().setRegex(regex);
    const filter = new streams.ReadReq.Options.FilterOptions()
      .setStreamIdentifier(expression)
      .setMax(32)
      .setCheckpointintervalmultiplier(1);
    const options = new streams.ReadReq.Options()
      .setUuidOption(new streams.ReadReq.Options.UUIDOption().setString(new shared.Empty()))
      .setAll(new streams.ReadReq.Options.AllOptions().setStart(new shared.Empty()))
      .setSubscription(new streams.ReadReq.Options.SubscriptionOptions())
      .setFilter(filter);
    return raw.call('read', [new streams.ReadReq().setOptions(options).serializeBinary()], limitMs);
  };
  const append = async (stream: string): Promise<void> => {
    const options = new streams.AppendReq.Options()
      .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream)))
      .setAny(new shared.Empty());
    const id = crypto.randomUUID();
    const message = new streams.AppendReq.ProposedMessage().setId(new shared.UUID().setString(id));
    message.getMetadataMap().set('type', 'Named').set('content-type', 'application/json');
    const { code } = await raw.call('append', [
      new streams.AppendReq().setOptions(options).serializeBinary(),
      new streams.AppendReq().setProposedMessage(message).serializeBinary(),
    ]);
    expect(code).toBe(status.OK);
  };

  it.each([['^(a+)+$'], ['(a|aa)+$'], ['(.*a){20}$'], ['(a|b)*a(a|b){70}[xy]']])(
    'that runs wild elsewhere stops nobody: %s',
    async (regex) => {
      for (let n = 0; n < 5; n += 1) await append(`${'ab'.repeat(n)}${'a'.repeat(1_900)}!${crypto.randomUUID()}`);
      const following = subscribe(regex, 1_000);
      await sleep(100);
      const begun = performance.now();
      await append(`beside-${crypto.randomUUID()}`);
      expect(performance.now() - begun).toBeLessThan(1_000);
      expect((await following).code).toBe(status.CANCELLED);
    },
  );

  it.each([['(?=a)b'], ['(a)\\1'], ['a{1001}'], ['x{500}'], ['a'.repeat(251)]])(
    'is refused when it cannot be read in linear time: %s',
    async (regex) => {
      expect(await subscribe(regex, 5_000)).toMatchObject({ code: status.INVALID_ARGUMENT });
    },
  );
});
