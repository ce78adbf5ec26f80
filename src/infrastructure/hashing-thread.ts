import { setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';
import type { ToHashing } from './hashing.js';
import { takeOrders } from './threads.js';

// On Linux a thread has a priority of its own; elsewhere this would slow the whole process down.
if (workerData === 'gives way' && process.platform === 'linux') setPriority(0, 10);

takeOrders((order: ToHashing) =>
  order.kind === 'hash' ? hashSync(order.password, order.parameters) : verifySync(order.hash, order.password),
);
