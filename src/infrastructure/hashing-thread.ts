import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';
import type { FromHashing, ToHashing } from './hashing.js';

/* Runs in a thread of its own: one password after the other. */

const port = parentPort;
if (port === null) throw new Error('passwords are hashed in a thread');

// On Linux a thread has a priority of its own; elsewhere this would slow the whole process down.
if (workerData === 'gives way' && process.platform === 'linux') setPriority(0, 10);

port.on('message', (order: ToHashing) => {
  try {
    const value =
      order.kind === 'hash' ? hashSync(order.password, order.parameters) : verifySync(order.hash, order.password);
    port.postMessage({ value } satisfies FromHashing);
  } catch (error) {
    port.postMessage({ error: error instanceof Error ? error.message : String(error) } satisfies FromHashing);
  }
});
