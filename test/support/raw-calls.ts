import { Client, credentials, type StatusObject, type status } from '@grpc/grpc-js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';

export type StreamsMethod = 'read' | 'append' | 'batchAppend' | 'delete' | 'tombstone';

export interface RawAnswer {
  readonly code: status;
  readonly details: string;
  readonly messages: readonly Buffer[];
}

export interface RawCalls {
  /** Sends these bytes as the messages of a call and hears it to its end, or for so long. */
  call(method: StreamsMethod, requests: readonly Uint8Array[], limitMs?: number): Promise<RawAnswer>;
  close(): void;
}

const asItIs = (bytes: Buffer): Buffer => bytes;

/** Calls of an event store whose requests need not be messages of its protocol. */
export const connectRaw = (url: string): RawCalls => {
  const client = new Client(new URL(url.replace('esdb:', 'http:')).host, credentials.createInsecure());
  return {
    call: (method, requests, limitMs = 10_000) =>
      new Promise((resolve) => {
        const { path } = streamsService.StreamsService[method];
        // On the wire a call with one message differs from one with many only in their number.
        const call = client.makeBidiStreamRequest<Buffer, Buffer>(path, asItIs, asItIs);
        const messages: Buffer[] = [];
        const timer = setTimeout(() => call.cancel(), limitMs);
        call.on('data', (message: Buffer) => messages.push(message));
        call.on('error', () => undefined);
        call.on('status', ({ code, details }: StatusObject) => {
          clearTimeout(timer);
          resolve({ code, details, messages });
        });
        for (const request of requests) call.write(Buffer.from(request));
        call.end();
      }),
    close: () => client.close(),
  };
};
