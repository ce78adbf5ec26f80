import {
  Metadata,
  Server,
  ServerCredentials,
  type ServerReadableStream,
  type ServerWritableStream,
  type ServiceError,
  type sendUnaryData,
} from '@grpc/grpc-js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';

/** How a call ends: a status with trailers, bytes that the caller takes for an answer, or never. */
export type Ending =
  | { readonly code: number; readonly trailers?: Readonly<Record<string, string>> }
  | { readonly bytes: Buffer }
  | 'silence'
  | 'cut';

export interface FailingStore {
  readonly port: number;
  readonly url: string;
  /** What calls are answered, one after the other; the last one for good. */
  endings: readonly Ending[];
  /** What each append consisted of. */
  readonly appends: Buffer[];
  readonly close: () => void;
}

/** A server of the event store's protocol whose calls all fail, as they are told to. */
export async function startFailingStore(): Promise<FailingStore> {
  const server = new Server();
  const appends: Buffer[] = [];
  let calls = 0;
  const next = (): Ending => {
    const ending = store.endings[Math.min(calls, store.endings.length - 1)] ?? 'silence';
    calls += 1;
    return ending;
  };
  const errorOf = ({ code, trailers = {} }: Exclude<Ending, string | { bytes: Buffer }>): Partial<ServiceError> => {
    const metadata = new Metadata();
    for (const [key, value] of Object.entries(trailers)) metadata.set(key, value);
    return { code, details: `told to say ${code}`, metadata };
  };
  const end = (answer: { fail(error: Partial<ServiceError>): void; send(bytes: Buffer): void }): void => {
    const ending = next();
    if (ending === 'silence') return;
    if (ending === 'cut') server.forceShutdown();
    else if ('bytes' in ending) answer.send(ending.bytes);
    else answer.fail(errorOf(ending));
  };
  const asItIs = (bytes: Buffer): Buffer => bytes;
  const raw = { requestDeserialize: asItIs, responseSerialize: asItIs };
  const { append, read } = streamsService.StreamsService;
  server.addService(
    { append: { ...append, ...raw }, read: { ...read, ...raw } },
    {
      append(call: ServerReadableStream<Buffer, Buffer>, answer: sendUnaryData<Buffer>) {
        const chunks: Buffer[] = [];
        call.on('data', (chunk: Buffer) => chunks.push(chunk));
        call.on('end', () => {
          appends.push(Buffer.concat(chunks));
          end({ fail: (error) => answer(error), send: (bytes) => answer(null, bytes) });
        });
      },
      read(call: ServerWritableStream<Buffer, Buffer>) {
        end({ fail: (error) => call.emit('error', error), send: (bytes) => void call.write(bytes) });
      },
    },
  );
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  const store: FailingStore = {
    port,
    url: `esdb://127.0.0.1:${port}?tls=false`,
    get endings() {
      return endings;
    },
    set endings(told) {
      endings = told;
      calls = 0;
      appends.length = 0;
    },
    appends,
    close: () => server.forceShutdown(),
  };
  let endings: readonly Ending[] = ['silence'];
  return store;
}
