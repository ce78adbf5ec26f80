import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { AppendReq, ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { AllFilter, ExpectedRevision, NewEvent } from './port.js';

/** Considered events between two checkpoints are these two multiplied. */
const SEARCH_WINDOW = 32;
const CHECKPOINT_INTERVAL = 16;
const NO_SYSTEM_EVENTS = '^[^$]';
export const JSON_CONTENT = 'application/json';

const { Options } = streams.ReadReq;

const identifierOf = (stream: string): InstanceType<typeof shared.StreamIdentifier> =>
  new shared.StreamIdentifier().setStreamName(Buffer.from(stream, 'utf8'));

/** An append as it is sent, and its size as servers count it. */
export interface AppendRequest {
  readonly messages: readonly AppendReq[];
  readonly bytes: number;
}

/** The bytes are fixed here: nobody can change an event between two tries. */
export function appendRequest(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): AppendRequest {
  const options = new streams.AppendReq.Options().setStreamIdentifier(identifierOf(stream));
  if (expected === 'no_stream') options.setNoStream(new shared.Empty());
  else options.setRevision(String(expected));
  const messages = [new streams.AppendReq().setOptions(options)];
  let bytes = 0;
  for (const { id, type, data, metadata } of events) {
    const [dataBytes, metadataBytes] = [Buffer.from(JSON.stringify(data)), Buffer.from(JSON.stringify(metadata))];
    const proposed = new streams.AppendReq.ProposedMessage()
      .setId(new shared.UUID().setString(id))
      .setData(dataBytes)
      .setCustomMetadata(metadataBytes);
    proposed.getMetadataMap().set('type', type).set('content-type', JSON_CONTENT);
    messages.push(new streams.AppendReq().setProposedMessage(proposed));
    bytes += 2 * type.length + dataBytes.length + metadataBytes.length;
  }
  return { messages, bytes };
}

function optionsOf(count: number | 'subscription' | undefined): InstanceType<typeof Options> {
  const options = new Options()
    .setUuidOption(new Options.UUIDOption().setString(new shared.Empty()))
    .setReadDirection(Options.ReadDirection.FORWARDS)
    .setResolveLinks(false);
  if (count === 'subscription') return options.setSubscription(new Options.SubscriptionOptions());
  return options.setCount(String(count ?? Number.MAX_SAFE_INTEGER));
}

export function readStreamRequest(read: { stream: string; fromRevision: number; limit: number | undefined }): ReadReq {
  const stream = new Options.StreamOptions()
    .setStreamIdentifier(identifierOf(read.stream))
    .setRevision(String(read.fromRevision));
  const options = optionsOf(read.limit).setStream(stream).setNoFilter(new shared.Empty());
  return new streams.ReadReq().setOptions(options);
}

export function readAllRequest(read: {
  after: bigint | null;
  /** A number of events, up to the end by default, or a subscription. */
  count?: number | 'subscription';
  filter?: AllFilter | undefined;
}): ReadReq {
  const { after, count, filter } = read;
  const all = new Options.AllOptions();
  if (after === null) all.setStart(new shared.Empty());
  else {
    const position = new Options.Position();
    all.setPosition(position.setCommitPosition(String(after)).setPreparePosition(String(after)));
  }
  const options = optionsOf(count).setAll(all);
  if (count === 'subscription') options.setFilter(filterOptions(filter));
  else options.setNoFilter(new shared.Empty());
  return new streams.ReadReq().setOptions(options);
}

export function lastOfAllRequest(): ReadReq {
  const end = new Options.AllOptions().setEnd(new shared.Empty());
  const options = optionsOf(1).setReadDirection(Options.ReadDirection.BACKWARDS).setAll(end);
  return new streams.ReadReq().setOptions(options.setNoFilter(new shared.Empty()));
}

function filterOptions(filter: AllFilter | undefined): InstanceType<typeof Options.FilterOptions> {
  const expression = new Options.FilterOptions.Expression();
  const options = new Options.FilterOptions()
    .setMax(SEARCH_WINDOW)
    .setCheckpointintervalmultiplier(CHECKPOINT_INTERVAL);
  if (filter === undefined) return options.setEventType(expression.setRegex(NO_SYSTEM_EVENTS));
  return 'streamPrefixes' in filter
    ? options.setStreamIdentifier(expression.setPrefixList([...filter.streamPrefixes]))
    : options.setEventType(expression.setPrefixList([...filter.eventTypePrefixes]));
}
