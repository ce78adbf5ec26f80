import { status, type ServerDuplexStream } from '@grpc/grpc-js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import statusMessages from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import type { Message } from 'google-protobuf';
import type { Logger } from 'pino';
import {
  MAX_APPEND_BYTES,
  StoreError,
  WrongExpectedVersion,
  appendTooLarge,
  invalidArgument,
  toServiceError,
  type Expected,
} from './errors.js';
import { revisionText, type ProposedEvent } from './record.js';
import { batchAppendRequestOf } from './request-bytes.js';
import { appendBytesOf, eventIdOf, expectedRevisionOf, proposedEventOf, streamNameOf } from './requests.js';
import type { WriteResult, Writer } from './writer.js';

/** One append of the many that share a call. */
interface Gathering {
  readonly stream: string;
  readonly expected: Expected;
  readonly deadlineMs: number;
  readonly events: ProposedEvent[];
  bytes: number;
}

const MAX_GATHERED_BYTES = 8 * 1024 * 1024;
const MAX_GATHERINGS = 10_000;

/**
 * `Streams/BatchAppend`, for clients in other languages: the same append path, many appends in one call. An append that
 * was answered early is ignored from then on, because a second answer to one correlation id ends some clients.
 */
export const createBatchAppendHandler =
  ({ writer, logger }: { writer: Writer; logger: Logger }) =>
  (call: ServerDuplexStream<Buffer, BatchAppendResp>): void => {
    const gathering = new Map<string, Gathering | 'answered'>();
    let gatheredBytes = 0;
    let running = 0;
    let hasEnded = false;
    let hasFailed = false;

    const finish = (): void => {
      if (hasEnded && running === 0 && !hasFailed && !call.cancelled) call.end();
    };
    const send = (response: BatchAppendResp): void => {
      if (!hasFailed && !call.cancelled) call.write(response);
    };
    const respond = (correlationId: string, gathered: Gathering | undefined): BatchAppendResp => {
      const response = new streams.BatchAppendResp().setCorrelationId(new shared.UUID().setString(correlationId));
      if (gathered === undefined) return response;
      const { stream, expected } = gathered;
      response.setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream)));
      if (typeof expected === 'number') response.setStreamPosition(revisionText(expected));
      else if (expected === 'no_stream') response.setNoStream(new empty.Empty());
      else if (expected === 'stream_exists') response.setStreamExists(new empty.Empty());
      else response.setAny(new empty.Empty());
      return response;
    };

    const take = (request: BatchAppendReq, correlationId: string): void => {
      let gathered = gathering.get(correlationId);
      if (gathered === undefined) {
        const options = request.getOptions();
        if (options === undefined) throw invalidArgument('An append begins with its options.');
        if (gathering.size >= MAX_GATHERINGS)
          throw invalidArgument(`At most ${MAX_GATHERINGS} appends may be under way.`);
        gathered = gatheringOf(options);
        gathering.set(correlationId, gathered);
      }
      if (gathered === 'answered') {
        if (request.getIsFinal()) gathering.delete(correlationId);
        return;
      }
      for (const message of request.getProposedMessagesList()) {
        const event = proposedEventOf(message);
        const bytes = appendBytesOf(event);
        gathered.bytes += bytes;
        gatheredBytes += bytes;
        if (gathered.bytes > MAX_APPEND_BYTES || gatheredBytes > MAX_GATHERED_BYTES) throw appendTooLarge();
        gathered.events.push(event);
      }
      if (!request.getIsFinal()) return;
      gathering.delete(correlationId);
      gatheredBytes -= gathered.bytes;
      submit(correlationId, gathered);
    };

    const submit = (correlationId: string, gathered: Gathering): void => {
      const { stream, expected, events, deadlineMs } = gathered;
      const isAbandoned = (): boolean => call.cancelled || deadlineMs <= Date.now();
      running += 1;
      writer
        .submit({ kind: 'append', stream, expected, events, isAbandoned })
        .then(
          (result) => send(respond(correlationId, gathered).setSuccess(successOf(result))),
          (error: unknown) => send(respond(correlationId, gathered).setError(errorOf(error))),
        )
        .finally(() => {
          running -= 1;
          finish();
        })
        .catch((error: unknown) => logger.error({ err: error }, 'a batch append could not be answered'));
    };

    call.on('data', (bytes: Buffer) => {
      if (hasFailed) return;
      let request: BatchAppendReq;
      let correlationId: string;
      try {
        request = batchAppendRequestOf(bytes);
        correlationId = eventIdOf(request.getCorrelationId());
      } catch (error) {
        // It cannot be said which append this was of, so none of them can go on.
        hasFailed = true;
        call.emit('error', toServiceError(error));
        return;
      }
      try {
        take(request, correlationId);
      } catch (error) {
        const gathered = gathering.get(correlationId);
        if (gathered !== undefined && gathered !== 'answered') gatheredBytes -= gathered.bytes;
        if (request.getIsFinal()) gathering.delete(correlationId);
        else gathering.set(correlationId, 'answered');
        send(respond(correlationId, gathered === 'answered' ? undefined : gathered).setError(errorOf(error)));
      }
    });
    call.on('end', () => {
      hasEnded = true;
      finish();
    });
  };

function gatheringOf(options: BatchAppendReq.Options): Gathering {
  const deadline = options.getDeadline();
  return {
    stream: streamNameOf(options.getStreamIdentifier()),
    expected: options.hasStreamPosition()
      ? expectedRevisionOf(options.getStreamPosition())
      : options.hasNoStream()
        ? 'no_stream'
        : options.hasStreamExists()
          ? 'stream_exists'
          : 'any',
    deadlineMs: deadline === undefined ? Infinity : deadline.toDate().getTime(),
    events: [],
    bytes: 0,
  };
}

function successOf({ revision, position }: WriteResult): BatchAppendResp.Success {
  const success = new streams.BatchAppendResp.Success();
  if (revision < 0) success.setNoStream(new empty.Empty());
  else success.setCurrentRevision(String(revision));
  if (position === null) return success.setNoPosition(new empty.Empty());
  return success.setPosition(
    new shared.AllStreamPosition().setCommitPosition(String(position)).setPreparePosition(String(position)),
  );
}

function errorOf(error: unknown): InstanceType<typeof statusMessages.Status> {
  const answer = (
    code: number,
    text: string,
    typeName: string,
    detail: Message,
  ): InstanceType<typeof statusMessages.Status> => {
    const details = new any.Any();
    details.pack(detail.serializeBinary(), `event_store.client.${typeName}`);
    return new statusMessages.Status().setCode(code).setMessage(text).setDetails(details);
  };
  if (error instanceof WrongExpectedVersion) {
    const wrong = new shared.WrongExpectedVersion();
    const { expected, actual } = error;
    if (actual < 0) wrong.setCurrentNoStream(new empty.Empty());
    else wrong.setCurrentStreamRevision(String(actual));
    if (typeof expected === 'number') wrong.setExpectedStreamPosition(revisionText(expected));
    else if (expected === 'no_stream') wrong.setExpectedNoStream(new empty.Empty());
    else if (expected === 'stream_exists') wrong.setExpectedStreamExists(new empty.Empty());
    else wrong.setExpectedAny(new empty.Empty());
    return answer(status.FAILED_PRECONDITION, error.message, 'WrongExpectedVersion', wrong);
  }
  if (!(error instanceof StoreError))
    return answer(status.UNKNOWN, 'the event store failed', 'Unknown', new shared.Unknown());
  switch (error.trailers['exception']) {
    case 'stream-deleted':
      return answer(error.code, error.message, 'StreamDeleted', new shared.StreamDeleted());
    case 'maximum-append-size-exceeded': {
      const detail = new shared.MaximumAppendSizeExceeded().setMaxappendsize(MAX_APPEND_BYTES);
      return answer(error.code, error.message, 'MaximumAppendSizeExceeded', detail);
    }
    case undefined:
    default:
      if (error.code === status.DEADLINE_EXCEEDED)
        return answer(error.code, error.message, 'Timeout', new shared.Timeout());
      if (error.code === status.INVALID_ARGUMENT) {
        return answer(error.code, error.message, 'BadRequest', new shared.BadRequest().setMessage(error.message));
      }
      return answer(error.code, error.message, 'Unknown', new shared.Unknown());
  }
}
