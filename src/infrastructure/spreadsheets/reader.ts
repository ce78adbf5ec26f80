import { Worker } from 'node:worker_threads';
import { Refusal, type FieldError, type RefusalCode } from '../../core/errors.js';
import type { ReadOptions, SheetHead, SheetRow, SpreadsheetLimits } from './cells.js';
import { tooLarge } from './refusals.js';

export interface ToThread {
  readonly path: string;
  readonly limits: SpreadsheetLimits;
  readonly options: ReadOptions;
}

export type FromThread =
  | { readonly kind: 'part'; readonly part: SheetHead | readonly SheetRow[] }
  | { readonly kind: 'end' }
  | {
      readonly kind: 'refused';
      readonly code: RefusalCode;
      readonly detail: string;
      readonly errors: readonly FieldError[];
    }
  | { readonly kind: 'failed'; readonly detail: string };

export interface SpreadsheetReader {
  /**
   * Reads a file: the head first, then its rows, a few hundred at a time and only as fast as they are taken. Throws a
   * `Refusal` for a file that cannot be read.
   */
  read(path: string, options?: ReadOptions): AsyncGenerator<SheetHead | readonly SheetRow[]>;
}

/** Run from the sources, the thread's file is a source too. */
const SUFFIX = import.meta.url.slice(-3);
const THREAD = new URL(`./reader-thread${SUFFIX}`, import.meta.url);
const LOADER = SUFFIX === '.ts' ? ['--import', 'tsx'] : [];

/**
 * Reads files in threads of their own, with a time limit and a memory limit, so that no file can stop or fill the process;
 * `atOnce` of them, the others wait.
 */
export function createSpreadsheetReader(options: {
  readonly limits: SpreadsheetLimits;
  readonly atOnce: number;
}): SpreadsheetReader {
  let running = 0;
  const waiting: (() => void)[] = [];

  return {
    async *read(path, told = {}) {
      if (running >= options.atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
      else running += 1;
      try {
        yield* readInThread({ path, options: told, limits: options.limits });
      } finally {
        // Whoever waits takes this place over.
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}

async function* readInThread(order: ToThread): AsyncGenerator<SheetHead | readonly SheetRow[]> {
  const { timeLimitMs, memoryMb } = order.limits;
  const thread = new Worker(THREAD, {
    workerData: order,
    execArgv: LOADER,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32 },
  });
  // Listened to all the time: a thread may fail while nobody waits for its answer.
  const ended = new Promise<Error>((resolve) => {
    thread.once('error', (error: Error & { code?: string }) =>
      resolve(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge(`The file takes too much memory. ${SPLIT}`) : error),
    );
    thread.once('exit', () => resolve(new Error('the reader of spreadsheets ended before its answer')));
  });
  let spentMs = 0;
  try {
    for (;;) {
      const askedAt = performance.now();
      const answer = await ask(thread, ended, timeLimitMs - spentMs);
      // Only the time that the thread took: whoever takes the rows may be slower.
      spentMs += performance.now() - askedAt;
      switch (answer.kind) {
        case 'part':
          yield answer.part;
          break;
        case 'end':
          return;
        case 'refused':
          throw new Refusal(answer.code, answer.detail, { errors: answer.errors });
        case 'failed':
          throw new Error(`the reader of spreadsheets failed: ${answer.detail}`);
      }
    }
  } finally {
    await thread.terminate();
  }
}

const SPLIT = 'Split it into several files.';

async function ask(thread: Worker, ended: Promise<Error>, withinMs: number): Promise<FromThread> {
  const { promise, resolve, reject } = Promise.withResolvers<FromThread>();
  const timer = setTimeout(() => reject(tooLarge(`The file takes too long to read. ${SPLIT}`)), Math.max(1, withinMs));
  thread.once('message', resolve);
  thread.postMessage('next');
  try {
    return await Promise.race([
      promise,
      ended.then((error) => {
        throw error;
      }),
    ]);
  } finally {
    clearTimeout(timer);
    thread.off('message', resolve);
  }
}
