import { LRUCache } from 'lru-cache';
import { createGate } from '../../infrastructure/gate.js';
import { createThreads, threadFile } from '../../infrastructure/threads.js';
import type { QrLabel } from '../../pages/qr/index.js';

/** A code as an image, or on a label to print. */
export type QrOrder =
  | { readonly format: 'svg'; readonly url: string; readonly sizePx: number | null }
  | { readonly format: 'png'; readonly url: string; readonly sizePx: number }
  | ({ readonly format: 'pdf' } & QrLabel);

/** Of images that are kept: some hundred of the largest ones. */
const KEPT_BYTES = 16 * 1024 * 1024;
/** They take 5 to 50 ms each. */
const MAX_WAITING = 100;

/** Draws codes in a thread of its own, one after the other, as the largest take as long as fifty other calls; keeps the last ones. */
export function createQrCodes(): (order: QrOrder) => Promise<Buffer> {
  const draw = createThreads<QrOrder, Uint8Array>(threadFile('./qr-thread', import.meta.url), {
    failure: 'a code could not be drawn',
  });
  const oneAtATime = createGate({ atOnce: 1, maxWaiting: MAX_WAITING });
  const kept = new LRUCache<string, Buffer, { readonly order: QrOrder }>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ length }) => length,
    // Asked for twice at once, it is drawn once.
    fetchMethod: async (_key, _stale, { context }) => Buffer.from(await oneAtATime(() => draw(context.order))),
  });
  return (order) => kept.forceFetch(JSON.stringify(order), { context: { order } });
}
