/**
 * Loaded into each child with `--import`: it answers health calls, and a child whose supervisor is gone, even by kill -9, ends itself. The channel to
 * the supervisor closes with its process, whatever ended it.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const GRACE_MS = 8_000;

process.once('disconnect', () => {
  process.kill(process.pid, 'SIGTERM');
  void sleep(GRACE_MS, undefined, { ref: false }).then(() => process.exit(1));
});
// A health call comes back as soon as the event loop turns; nobody hears it when the channel has closed.
process.on('message', (message) => process.send?.(message, undefined, undefined, () => undefined));
// Listening must not keep a program alive that has nothing left to do.
process.channel?.unref();
