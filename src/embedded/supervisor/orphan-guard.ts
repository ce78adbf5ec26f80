/**
 * Loaded into each child with `--import`: a child whose supervisor is gone, even by kill -9, ends itself. The channel to
 * the supervisor closes with its process, whatever ended it.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const GRACE_MS = 8_000;

process.once('disconnect', () => {
  process.kill(process.pid, 'SIGTERM');
  void sleep(GRACE_MS, undefined, { ref: false }).then(() => process.exit(1));
});
// Listening must not keep a program alive that has nothing left to do.
process.channel?.unref();
