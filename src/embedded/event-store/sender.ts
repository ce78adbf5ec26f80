import type { ServerWritableStream } from '@grpc/grpc-js';

/** Writes to one caller at the caller's pace. */
export interface Sender {
  /** False when the caller's window is full: wait for `ready` before the next. */
  send(bytes: Buffer): boolean;
  /** Resolves when more can be sent, or when the caller has gone. */
  ready(): Promise<void>;
  /** Aborts when the caller has gone or its deadline has passed. */
  readonly signal: AbortSignal;
}

export function createSender(call: ServerWritableStream<unknown, Buffer>): Sender {
  const gone = new AbortController();
  let wake: (() => void) | undefined;
  const resume = (): void => {
    const waiting = wake;
    wake = undefined;
    waiting?.();
  };
  const leave = (): void => {
    gone.abort();
    resume();
  };
  call.on('drain', resume);
  call.on('cancelled', leave);
  call.on('close', leave);
  call.on('error', leave);
  if (call.cancelled) leave();
  return {
    signal: gone.signal,
    send: (bytes) => gone.signal.aborted || call.write(bytes),
    ready: () =>
      gone.signal.aborted || !call.writableNeedDrain
        ? Promise.resolve()
        : new Promise((resolve) => {
            wake = resolve;
          }),
  };
}
