import type { Options } from '@node-rs/argon2';
import { createThreads, threadFile } from './threads.js';

export type ToHashing =
  | { readonly kind: 'hash'; readonly password: string; readonly parameters: Options }
  | { readonly kind: 'verify'; readonly password: string; readonly hash: string };

/** A priority once lowered is not raised again without special rights, so there are threads of both kinds. */
export type HashingPriority = 'as all' | 'gives way';

const threads = (priority: HashingPriority) =>
  createThreads<ToHashing, string | boolean>(threadFile('./hashing-thread', import.meta.url), {
    failure: 'a password could not be hashed',
    workerData: priority,
  });
const inThread = { 'as all': threads('as all'), 'gives way': threads('gives way') };

export const hashInThread = (password: string, parameters: Options, priority: HashingPriority): Promise<string> =>
  inThread[priority]({ kind: 'hash', password, parameters }) as Promise<string>;

export const matchesInThread = (hash: string, password: string, priority: HashingPriority): Promise<boolean> =>
  inThread[priority]({ kind: 'verify', hash, password }) as Promise<boolean>;
