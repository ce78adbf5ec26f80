import { Worker } from 'node:worker_threads';
import type { Options } from '@node-rs/argon2';

export type ToHashing =
  | { readonly kind: 'hash'; readonly password: string; readonly parameters: Options }
  | { readonly kind: 'verify'; readonly password: string; readonly hash: string };

export interface FromHashing {
  readonly value?: string | boolean;
  /** Never holds the password. */
  readonly error?: string;
}

/** Run from the sources, the thread's file is a source too. */
const SUFFIX = import.meta.url.slice(-3);
const THREAD = new URL(`./hashing-thread${SUFFIX}`, import.meta.url);
const LOADER = SUFFIX === '.ts' ? ['--import', 'tsx'] : [];

/** A priority once lowered is not raised again without special rights, so there are threads of both kinds. */
export type HashingPriority = 'as all' | 'gives way';

const idle: Record<HashingPriority, Worker[]> = { 'as all': [], 'gives way': [] };

export const hashInThread = (password: string, parameters: Options, priority: HashingPriority): Promise<string> =>
  inThread<string>({ kind: 'hash', password, parameters }, priority);

export const matchesInThread = (hash: string, password: string, priority: HashingPriority): Promise<boolean> =>
  inThread<boolean>({ kind: 'verify', hash, password }, priority);

/** In a thread of its own. There are as many as calls at once; the caller bounds that. */
async function inThread<Value extends string | boolean>(order: ToHashing, priority: HashingPriority): Promise<Value> {
  const thread = idle[priority].pop() ?? new Worker(THREAD, { execArgv: LOADER, workerData: priority });
  // One that waits for work keeps no process from ending; one that works does.
  thread.ref();
  const answer = await new Promise<FromHashing>((resolve) => {
    const settle = (settled: FromHashing) => {
      thread.off('message', settle).off('error', fail).off('exit', fail);
      resolve(settled);
    };
    const fail = (reason: unknown) =>
      settle({ error: reason instanceof Error ? reason.message : 'the thread has ended' });
    thread.on('message', settle).on('error', fail).on('exit', fail);
    thread.postMessage(order);
  });
  thread.unref();
  if (answer.value === undefined) {
    void thread.terminate();
    throw new Error(`a password could not be hashed: ${answer.error ?? 'no answer'}`);
  }
  idle[priority].push(thread);
  return answer.value as Value;
}
