import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import timestamp from 'google-protobuf/google/protobuf/timestamp_pb.js';
import type { StreamsMethod } from '../support/raw-calls.js';

export interface RawRequest {
  readonly method: StreamsMethod;
  readonly messages: readonly Uint8Array[];
}

/** A number from 0 up to `below`, the same ones after the same seed. */
export type Random = (below: number) => number;

/** mulberry32 */
export const seeded = (seed: number): Random => {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
};

const oneOf = <T>(random: Random, choices: readonly T[]): T => {
  const choice = choices[random(choices.length)];
  if (choice === undefined) throw new Error('nothing to choose from');
  return choice;
};

/** What a request says, in the words of the protocol; a fair one by default, anything at all when it is mutated. */
interface Words {
  readonly stream: Buffer;
  readonly expected: string;
  readonly from: string;
  readonly count: string;
  readonly type: string;
  readonly contentType: string;
  readonly id: string;
  readonly data: Buffer;
  readonly regex: string;
  readonly prefixes: string[];
  readonly window: number;
  readonly multiplier: number;
  readonly direction: 0 | 1;
  readonly seconds: number;
}

const uuid = (random: Random): string => {
  const hex = Array.from({ length: 32 }, () => random(16).toString(16)).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

const fair = (random: Random): Words => ({
  stream: Buffer.from(`fuzzed-${uuid(random)}`),
  expected: 'any',
  from: 'start',
  count: '10',
  type: 'NoteTaken',
  contentType: 'application/json',
  id: uuid(random),
  data: Buffer.from('{"n":1}'),
  regex: '^[^$]',
  prefixes: [],
  window: 32,
  multiplier: 1,
  direction: 0,
  seconds: 4_000_000_000,
});

const NUMBERS = [
  '0',
  '1',
  '4',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551615',
];
const EXPRESSIONS = [
  ...['', '^(a+)+$', '(.*a){20}$', '(a|b)*a(a|b){70}[xy]', '(', '[', '\\', '(?=a)', '\\1', 'x{999999}', '(?i)ÜNLÜ'],
  ...['\\pL{1000}', '('.repeat(5_000), '^fuzzed', '.*', '\u0000', '((((a{9}){9}){9}){9})', 'a'.repeat(100_000)],
];
const METADATA = [
  ...['{"$maxCount":1.5}', '{"$maxAge":1e300}', '{"$tb":-1}', '{"$tb":9223372036854775807}', '{"$maxCount":0}', '[]'],
  ...['{"$maxAge":1}', 'null', '', '{', '{"$tb":"1"}', '{"__proto__":{"$tb":3}}', '{"$maxCount":1e308,"$acl":7}'],
];

const strange = (random: Random, known: readonly string[]): Partial<Words> => {
  const name = oneOf(random, known);
  const streamNames = [
    ...[name, `$$${name}`, `$$$$${name}`, '$all', '$$$all', '$', '$$', '', '\0', 'a\nb', 'x'.repeat(2_001), '..'],
    ...['\u{1f9f5}'.repeat(500), 'İ', `new-${random(50)}`, `$$new-${random(50)}`],
  ].map((text) => Buffer.from(text));
  const ids = [
    '',
    uuid(random),
    '00000000-0000-0000-0000-000000000000',
    'zz',
    'F'.repeat(36),
    '\0',
    'x'.repeat(100_000),
  ];
  const types = ['', '$>', '$metadata', '$streamDeleted', '$', '\0', 'ü', 'T'.repeat(2_001), 'T'.repeat(300_000), '$@'];
  const all: Partial<Words>[] = [
    { stream: oneOf(random, streamNames) },
    { stream: Buffer.from([0xff, 0xfe, random(256)]) },
    { expected: oneOf(random, ['no_stream', 'stream_exists', 'none', ...NUMBERS]) },
    { from: oneOf(random, ['end', 'none', ...NUMBERS]) },
    { count: oneOf(random, ['subscription', 'none', ...NUMBERS]) },
    { type: oneOf(random, types) },
    { contentType: oneOf(random, ['', 'text/plain', 'application/octet-stream', '\0']) },
    { id: oneOf(random, ids) },
    { stream: Buffer.from(`$$${name}`), type: '$metadata', data: Buffer.from(oneOf(random, METADATA)) },
    { data: Buffer.alloc(oneOf(random, [0, 1, 1_048_577, 600_000]), random(256)) },
    { regex: oneOf(random, EXPRESSIONS), count: 'subscription' },
    {
      prefixes: Array.from({ length: oneOf(random, [1, 2, 1_001]) }, (_, n) =>
        oneOf(random, ['', '\0', 'fuz', `p${n}`]),
      ),
    },
    {
      window: oneOf(random, [0, 1, 2 ** 32 - 1]),
      multiplier: oneOf(random, [0, 1, 2 ** 32 - 1]),
      count: 'subscription',
    },
    { direction: 1, from: oneOf(random, ['start', 'end', ...NUMBERS]), count: oneOf(random, ['10', 'subscription']) },
    { seconds: oneOf(random, [0, -1, 2 ** 53, -(2 ** 53)]) },
  ];
  return oneOf(random, all);
};

const METHODS: readonly (StreamsMethod | 'readAll')[] = [
  'read',
  'readAll',
  'append',
  'batchAppend',
  'delete',
  'tombstone',
];

const identifier = ({ stream }: Words) => new shared.StreamIdentifier().setStreamName(stream);

const expectIn = <
  Options extends InstanceType<
    typeof streams.AppendReq.Options | typeof streams.DeleteReq.Options | typeof streams.TombstoneReq.Options
  >,
>(
  options: Options,
  { expected }: Words,
): Options => {
  if (expected === 'any') options.setAny(new shared.Empty());
  else if (expected === 'no_stream') options.setNoStream(new shared.Empty());
  else if (expected === 'stream_exists') options.setStreamExists(new shared.Empty());
  else if (expected !== 'none') options.setRevision(expected);
  return options;
};

const describeEvent = <
  Message extends InstanceType<
    typeof streams.AppendReq.ProposedMessage | typeof streams.BatchAppendReq.ProposedMessage
  >,
>(
  message: Message,
  { id, type, contentType, data }: Words,
): Message => {
  message.setId(new shared.UUID().setString(id)).setData(data);
  message.getMetadataMap().set('type', type).set('content-type', contentType);
  return message;
};

const readRequest = (words: Words, isAll: boolean): Uint8Array => {
  const { from, count, direction, regex, prefixes, window, multiplier } = words;
  const options = new streams.ReadReq.Options()
    .setUuidOption(new streams.ReadReq.Options.UUIDOption().setString(new shared.Empty()))
    .setReadDirection(direction);
  if (count === 'subscription') options.setSubscription(new streams.ReadReq.Options.SubscriptionOptions());
  else if (count !== 'none') options.setCount(count);
  if (isAll) {
    const all = new streams.ReadReq.Options.AllOptions();
    if (from === 'start') all.setStart(new shared.Empty());
    else if (from === 'end') all.setEnd(new shared.Empty());
    else if (from !== 'none') {
      all.setPosition(new streams.ReadReq.Options.Position().setCommitPosition(from).setPreparePosition(from));
    }
    const expression = new streams.ReadReq.Options.FilterOptions.Expression().setRegex(regex).setPrefixList(prefixes);
    const filter = new streams.ReadReq.Options.FilterOptions()
      .setEventType(expression)
      .setMax(window)
      .setCheckpointintervalmultiplier(multiplier);
    options.setAll(all).setFilter(filter);
  } else {
    const one = new streams.ReadReq.Options.StreamOptions().setStreamIdentifier(identifier(words));
    if (from === 'start') one.setStart(new shared.Empty());
    else if (from === 'end') one.setEnd(new shared.Empty());
    else if (from !== 'none') one.setRevision(from);
    options.setStream(one).setNoFilter(new shared.Empty());
  }
  return new streams.ReadReq().setOptions(options).serializeBinary();
};

const requestOf = (method: (typeof METHODS)[number], words: Words): RawRequest => {
  switch (method) {
    case 'read':
    case 'readAll':
      return { method: 'read', messages: [readRequest(words, method === 'readAll')] };
    case 'append': {
      const options = expectIn(new streams.AppendReq.Options().setStreamIdentifier(identifier(words)), words);
      const event = describeEvent(new streams.AppendReq.ProposedMessage(), words);
      const requests = [new streams.AppendReq().setOptions(options), new streams.AppendReq().setProposedMessage(event)];
      return { method, messages: requests.map((request) => request.serializeBinary()) };
    }
    case 'batchAppend': {
      const options = new streams.BatchAppendReq.Options()
        .setStreamIdentifier(identifier(words))
        .setDeadline(new timestamp.Timestamp().setSeconds(words.seconds));
      if (words.expected === 'any') options.setAny(new empty.Empty());
      else if (words.expected === 'no_stream') options.setNoStream(new empty.Empty());
      else if (words.expected === 'stream_exists') options.setStreamExists(new empty.Empty());
      else if (words.expected !== 'none') options.setStreamPosition(words.expected);
      const request = new streams.BatchAppendReq()
        .setCorrelationId(new shared.UUID().setString(words.id))
        .setOptions(options)
        .setIsFinal(true);
      request.addProposedMessages(describeEvent(new streams.BatchAppendReq.ProposedMessage(), words));
      return { method, messages: [request.serializeBinary()] };
    }
    case 'delete': {
      const options = expectIn(new streams.DeleteReq.Options().setStreamIdentifier(identifier(words)), words);
      return { method, messages: [new streams.DeleteReq().setOptions(options).serializeBinary()] };
    }
    case 'tombstone': {
      const options = expectIn(new streams.TombstoneReq.Options().setStreamIdentifier(identifier(words)), words);
      return { method, messages: [new streams.TombstoneReq().setOptions(options).serializeBinary()] };
    }
  }
};

/** Well-formed, and strange in one to three of its words. */
export const mutatedMeaning = (random: Random, known: readonly string[]): RawRequest => {
  let words = fair(random);
  for (let changes = 1 + random(3); changes > 0; changes -= 1) words = { ...words, ...strange(random, known) };
  return requestOf(oneOf(random, METHODS), words);
};

const changeByte = (random: Random, bytes: Buffer): Buffer => {
  const at = random(bytes.length + 1);
  const head = bytes.subarray(0, at);
  const tail = bytes.subarray(at);
  const rest = bytes.subarray(at + 1);
  const length = 1 + random(12);
  return oneOf(random, [
    // Another byte, one bit turned, the bytes that lengths and tags are made of.
    () => Buffer.concat([head, Buffer.of(random(256)), rest]),
    () => Buffer.concat([head, Buffer.of((bytes[at] ?? 0) ^ (1 << random(8))), rest]),
    () => Buffer.concat([head, Buffer.of(oneOf(random, [0x00, 0x0a, 0x12, 0x1a, 0x7f, 0x80, 0xff])), rest]),
    // A length or a number of up to ten bytes.
    () => Buffer.concat([head, Buffer.alloc(1 + random(9), 0x80 | random(128)), Buffer.of(random(128)), rest]),
    () => head,
    () => tail,
    () => Buffer.concat([head, bytes.subarray(at, at + length), tail]),
    () => Buffer.concat([head, bytes.subarray(at + length)]),
    () => Buffer.concat([bytes, bytes]),
  ])();
};

/** One to four changes in the bytes of a fair request. */
export const mutatedBytes = (random: Random, known: readonly string[]): RawRequest => {
  const words = {
    ...fair(random),
    count: oneOf(random, ['10', 'subscription']),
    stream: Buffer.from(oneOf(random, known)),
  };
  const { method, messages } = requestOf(oneOf(random, METHODS), words);
  const target = random(messages.length);
  return {
    method,
    messages: messages.map((message, index) => {
      let bytes: Buffer = Buffer.from(message);
      if (index === target) for (let n = 1 + random(4); n > 0; n -= 1) bytes = changeByte(random, bytes);
      return bytes;
    }),
  };
};
