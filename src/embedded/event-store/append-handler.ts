import type { sendUnaryData, ServerReadableStream, ServerUnaryCall } from '@grpc/grpc-js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { AppendReq, AppendResp, DeleteReq, TombstoneReq } from '@eventstore/db-client/generated/streams_pb.js';
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
import { appendRequestOf } from './request-bytes.js';
import { appendBytesOf, expectedRevisionOf, proposedEventOf, streamNameOf } from './requests.js';
import type { WriteResult, Writer } from './writer.js';

type ExpectedOptions = AppendReq.Options | DeleteReq.Options | TombstoneReq.Options;

function expectedOf(options: ExpectedOptions): Expected {
  if (options.hasRevision()) return expectedRevisionOf(options.getRevision());
  if (options.hasNoStream()) return 'no_stream';
  if (options.hasStreamExists()) return 'stream_exists';
  if (options.hasAny()) return 'any';
  throw invalidArgument('A write needs an expected revision.');
}

/** A deadline as grpc-js tells it: a date, milliseconds, or `Infinity`. */
const hasPassed = (deadline: Date | number): boolean => Number(deadline) <= Date.now();

function successOf({ revision, position }: WriteResult): AppendResp {
  const success = new streams.AppendResp.Success();
  if (revision < 0) success.setNoStream(new shared.Empty());
  else success.setCurrentRevision(String(revision));
  if (position === null) success.setNoPosition(new shared.Empty());
  else {
    const place = new streams.AppendResp.Position();
    place.setCommitPosition(String(position));
    place.setPreparePosition(String(position));
    success.setPosition(place);
  }
  return new streams.AppendResp().setSuccess(success);
}

function wrongVersionOf({ expected, actual }: WrongExpectedVersion): AppendResp {
  const wrong = new streams.AppendResp.WrongExpectedVersion();
  if (actual < 0) {
    wrong.setCurrentNoStream(new shared.Empty());
    wrong.setNoStream2060(new shared.Empty());
  } else {
    wrong.setCurrentRevision(String(actual));
    wrong.setCurrentRevision2060(actual);
  }
  if (typeof expected === 'number') {
    wrong.setExpectedRevision(revisionText(expected));
    wrong.setExpectedRevision2060(expected);
  } else if (expected === 'any') wrong.setExpectedAny(new shared.Empty());
  else if (expected === 'stream_exists') wrong.setExpectedStreamExists(new shared.Empty());
  else wrong.setExpectedNoStream(new shared.Empty());
  return new streams.AppendResp().setWrongExpectedVersion(wrong);
}

const afterTwoTurns = (next: () => void): void => {
  setImmediate(() => setImmediate(next));
};

const isExpected = (error: unknown): boolean => error instanceof StoreError || error instanceof WrongExpectedVersion;

/** `Streams/Append`: options, then events, then the answer. */
export const createAppendHandler =
  ({ writer, logger }: { writer: Writer; logger: Logger }) =>
  (call: ServerReadableStream<Buffer, AppendResp>, answer: sendUnaryData<AppendResp>): void => {
    let stream: string | undefined;
    let expected: Expected | undefined;
    const events: ProposedEvent[] = [];
    let appendBytes = 0;
    let isAnswered = false;

    const fail = (error: unknown): void => {
      if (isAnswered) return;
      isAnswered = true;
      events.length = 0;
      if (!isExpected(error)) logger.error({ err: error }, 'an append failed');
      answer(toServiceError(error));
    };

    call.on('data', (bytes: Buffer) => {
      if (isAnswered) return;
      try {
        const request = appendRequestOf(bytes);
        const options = request.getOptions();
        if (options !== undefined) {
          stream = streamNameOf(options.getStreamIdentifier());
          expected = expectedOf(options);
        }
        const message = request.getProposedMessage();
        if (message === undefined) return;
        const event = proposedEventOf(message);
        appendBytes += appendBytesOf(event);
        if (appendBytes > MAX_APPEND_BYTES) throw appendTooLarge();
        events.push(event);
      } catch (error) {
        fail(error);
      }
    });

    call.on('end', () => {
      // grpc-js ends the stream of a cancelled call too, and half an append must not be taken for a whole one. That it was
      // cancelled is known two turns of the event loop later, when what else has arrived is read and the stream closed.
      afterTwoTurns(submit);
    });

    const submit = (): void => {
      if (isAnswered || call.cancelled) return;
      if (stream === undefined || expected === undefined) {
        fail(invalidArgument('An append begins with its options.'));
        return;
      }
      const isAbandoned = (): boolean => call.cancelled || hasPassed(call.getDeadline());
      writer.submit({ kind: 'append', stream, expected, events, isAbandoned }).then(
        (result) => {
          isAnswered = true;
          answer(null, successOf(result));
        },
        (error: unknown) => {
          if (!(error instanceof WrongExpectedVersion)) {
            fail(error);
            return;
          }
          isAnswered = true;
          answer(null, wrongVersionOf(error));
        },
      );
    };
  };

/** `Streams/Delete` (soft) and `Streams/Tombstone`, which differ in what they write. */
export const createDeleteHandler =
  <Answer>(options: {
    writer: Writer;
    logger: Logger;
    kind: 'soft_delete' | 'tombstone';
    requestOf: (bytes: Buffer) => DeleteReq | TombstoneReq;
    success: (position: number) => Answer;
  }) =>
  (call: ServerUnaryCall<Buffer, Answer>, answer: sendUnaryData<Answer>): void => {
    const { writer, logger, kind, requestOf, success } = options;
    const perform = async (): Promise<Answer> => {
      const asked = requestOf(call.request).getOptions();
      if (asked === undefined) throw invalidArgument('A deletion needs options.');
      const result = await writer.submit({
        kind,
        stream: streamNameOf(asked.getStreamIdentifier()),
        expected: expectedOf(asked),
        events: [],
        isAbandoned: () => call.cancelled || hasPassed(call.getDeadline()),
      });
      return success(result.position ?? 0);
    };
    perform().then(
      (done) => answer(null, done),
      (error: unknown) => {
        if (!isExpected(error)) logger.error({ err: error }, 'a deletion failed');
        answer(toServiceError(error));
      },
    );
  };
