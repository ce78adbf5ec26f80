import { Server, ServerCredentials } from '@grpc/grpc-js';
import featuresService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import gossipService from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Logger } from 'pino';
import { createAppendHandler, createDeleteHandler } from './append-handler.js';
import { createBatchAppendHandler } from './batch-append-handler.js';
import { createGossipHandler, getSupportedMethods } from './cluster-services.js';
import { createEventLog } from './event-log.js';
import { openLogStorage } from './log-storage.js';
import { createReadHandler } from './read-handler.js';
import { deleteRequestOf, tombstoneRequestOf } from './request-bytes.js';
import { createStreamReader } from './stream-reader.js';
import { createStreamStates } from './stream-states.js';
import { createWriter } from './writer.js';

export interface EventStoreServer {
  readonly port: number;
  /** Resolves with the reason when the log can no longer be written: the process should end and be started again. */
  readonly lost: Promise<Error>;
  /** Takes no more calls, lets the running appends end, and gives the lock back. */
  close(): Promise<void>;
}

// An append of more than 1 MiB is to be refused with its own error, so it has to get in first.
const MAX_RECEIVE_BYTES = 17 * 1024 * 1024;
const CLOSE_GRACE_MS = 2_000;

const asItIs = (bytes: Buffer): Buffer => bytes;

/** A server of the streams subset of EventStoreDB's protocol, with its log in Postgres. */
export async function startEventStoreServer(options: {
  databaseUrl: string;
  host: string;
  /** 0: any free port. */
  port: number;
  logger: Logger;
}): Promise<EventStoreServer> {
  const { databaseUrl, host, logger } = options;
  const storage = await openLogStorage({ databaseUrl, logger });
  const log = createEventLog({ storage, lastPosition: await storage.lastPosition() });
  const states = createStreamStates(storage);
  const reader = createStreamReader({ storage, states });
  const writer = createWriter({ storage, states, log, logger });

  const server = new Server({
    'grpc.max_receive_message_length': MAX_RECEIVE_BYTES,
    'grpc.max_send_message_length': -1,
  });
  const closing = new AbortController();
  let port = 0;
  const { StreamsService } = streamsService;
  server.addService(
    {
      // Answers of a read are encoded already; what a request holds is for its handler to judge.
      read: { ...StreamsService.read, requestDeserialize: asItIs, responseSerialize: asItIs },
      append: { ...StreamsService.append, requestDeserialize: asItIs },
      batchAppend: { ...StreamsService.batchAppend, requestDeserialize: asItIs },
      delete: { ...StreamsService.delete, requestDeserialize: asItIs },
      tombstone: { ...StreamsService.tombstone, requestDeserialize: asItIs },
    },
    {
      append: createAppendHandler({ writer, logger }),
      batchAppend: createBatchAppendHandler({ writer, logger }),
      read: createReadHandler({ log, storage, reader, logger, closing: closing.signal }),
      delete: createDeleteHandler({
        writer,
        logger,
        kind: 'soft_delete',
        requestOf: deleteRequestOf,
        success: (position) => {
          const place = new streams.DeleteResp.Position();
          place.setCommitPosition(String(position)).setPreparePosition(String(position));
          return new streams.DeleteResp().setPosition(place);
        },
      }),
      tombstone: createDeleteHandler({
        writer,
        logger,
        kind: 'tombstone',
        requestOf: tombstoneRequestOf,
        success: (position) => {
          const place = new streams.TombstoneResp.Position();
          place.setCommitPosition(String(position)).setPreparePosition(String(position));
          return new streams.TombstoneResp().setPosition(place);
        },
      }),
    },
  );
  server.addService(featuresService.ServerFeaturesService, { getSupportedMethods });
  server.addService(gossipService.GossipService, { read: createGossipHandler({ host, port: () => port }) });

  try {
    port = await new Promise<number>((resolve, reject) => {
      server.bindAsync(`${host}:${options.port}`, ServerCredentials.createInsecure(), (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      );
    });
  } catch (error) {
    await storage.close();
    throw error;
  }

  return {
    port,
    lost: storage.lost,
    async close() {
      closing.abort();
      await new Promise<void>((resolve) => {
        const force = setTimeout(() => server.forceShutdown(), CLOSE_GRACE_MS);
        server.tryShutdown(() => {
          clearTimeout(force);
          resolve();
        });
      });
      await writer.drain();
      await storage.close();
    },
  };
}
