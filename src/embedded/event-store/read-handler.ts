import type { ServerWritableStream } from '@grpc/grpc-js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Logger } from 'pino';
import { StoreError, invalidArgument, toServiceError, unavailable } from './errors.js';
import type { EventLog } from './event-log.js';
import { parseFilter } from './filters.js';
import type { LogStorage } from './log-storage.js';
import { readAll, readStream, type Direction, type Encode } from './reads.js';
import { demandReadOf } from './read-options.js';
import { readRequestOf } from './request-bytes.js';
import { numberOf, streamNameOf } from './requests.js';
import { createSender, type Sender } from './sender.js';
import type { StreamReader } from './stream-reader.js';
import { subscribeToAll, subscribeToStream } from './subscriptions.js';
import { encodeReadEvent } from './wire.js';

const { Options } = streams.ReadReq;

export interface ReadDependencies {
  readonly log: EventLog;
  readonly storage: LogStorage;
  readonly reader: StreamReader;
  readonly logger: Logger;
  /** Aborts when the server closes: whoever subscribes is told so and may come back. */
  readonly closing: AbortSignal;
}

/** `Streams/Read`: four calls in one, told apart by their options. */
export const createReadHandler =
  (dependencies: ReadDependencies) =>
  (call: ServerWritableStream<Buffer, Buffer>): void => {
    const sender = createSender(call);
    const turnAway = (): void => {
      call.emit('error', toServiceError(unavailable('the event store is closing')));
    };
    dependencies.closing.addEventListener('abort', turnAway);
    sender.signal.addEventListener('abort', () => dependencies.closing.removeEventListener('abort', turnAway));
    serve(dependencies, sender, call.request).then(
      () => {
        if (!sender.signal.aborted) call.end();
      },
      (error: unknown) => {
        if (sender.signal.aborted) return;
        if (!(error instanceof StoreError)) dependencies.logger.error({ err: error }, 'a read failed');
        call.emit('error', toServiceError(error));
      },
    );
  };

const encodeStructured: Encode = (record) => encodeReadEvent(record, 'structured');
const encodeString: Encode = encodeReadEvent;

async function serve(dependencies: ReadDependencies, sender: Sender, request: Buffer): Promise<void> {
  const { log, storage, reader } = dependencies;
  const options = readRequestOf(request).getOptions();
  if (options === undefined) throw invalidArgument('A read needs options.');
  demandReadOf(options);
  const encode = options.getUuidOption()?.hasStructured() === true ? encodeStructured : encodeString;
  const isSubscription = options.hasSubscription();
  const direction: Direction =
    options.getReadDirection() === Options.ReadDirection.BACKWARDS ? 'backwards' : 'forwards';
  const maxCount = numberOf(options.getCount());

  const streamOptions = options.getStream();
  if (streamOptions !== undefined) {
    const stream = streamNameOf(streamOptions.getStreamIdentifier());
    const from = streamOptions.hasRevision()
      ? numberOf(streamOptions.getRevision())
      : streamOptions.hasEnd()
        ? 'end'
        : 'start';
    if (isSubscription) {
      const after = from === 'start' ? -1 : from;
      return subscribeToStream({ log, reader, sender, stream, after, encode });
    }
    return readStream({ reader, sender, read: { stream, direction, from, maxCount, encode } });
  }

  const filterOptions = options.getFilter();
  const filter = filterOptions === undefined ? null : parseFilter(filterOptions, { isSubscription });
  const allOptions = options.getAll();
  const position = allOptions?.getPosition();
  const from =
    position !== undefined ? numberOf(position.getCommitPosition()) : allOptions?.hasEnd() === true ? 'end' : 'start';
  if (isSubscription) return subscribeToAll({ log, sender, after: from === 'start' ? 0 : from, filter, encode });
  return readAll({ log, storage, sender, read: { direction, from, maxCount, filter, encode } });
}
