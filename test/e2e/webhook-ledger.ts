import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { startLedgerReceiver, type LedgerReceiver } from '../support/ledger.js';
import { findFreePort } from '../../src/embedded/ports.js';
import type { WholeService } from '../support/running-service.js';

const BATCHES_PER_SECOND = 15;
const WEBHOOKS = 2;

/**
 * Makes batches while programs are killed in turn, and compares what receivers have got, each signature of which they have
 * verified, with what the service says it has delivered, and both with what was made.
 */
export async function compareLedgers(
  service: WholeService,
  headers: Readonly<Record<string, string>>,
  killInTurn: () => Promise<void>,
): Promise<void> {
  const { baseUrl } = service.dev;
  const call = async <Result>(method: string, path: string, body?: object): Promise<Result> => {
    // Sent again with its key until it is answered, as a careful client does.
    const key = randomUUID();
    for (;;) {
      const answer = await fetch(`${baseUrl}${path}`, {
        method,
        headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': key },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(15_000),
      }).catch(() => null);
      if (answer !== null && answer.status < 300) return (await answer.json()) as Result;
      if (answer !== null) expect([409, 503]).toContain(answer.status);
      await sleep(100);
    }
  };
  interface Named {
    readonly id: string;
  }
  const hooks: { readonly id: string; readonly receiver: LedgerReceiver }[] = [];
  for (let n = 0; n < WEBHOOKS; n += 1) {
    const port = await findFreePort();
    const body = { url: `http://127.0.0.1:${port}/`, events: ['batch.created'] };
    const { id, secret } = await call<Named & { readonly secret: string }>('POST', '/brand/webhooks', body);
    hooks.push({ id, receiver: await startLedgerReceiver({ secret, port }) });
  }
  const factoryId = await call<Named>('POST', '/brand/suppliers/invite', {
    ...{ factoryName: 'Ledger', contactEmail: `${randomUUID()}@factory.example`, country: 'PT', tier: 1 },
  });
  const product = await call<Named>('POST', '/brand/products', { name: 'Ledger tee' });

  const made: Promise<Named>[] = [];
  let isRunning = true;
  const load = (async () => {
    for (let n = 0; isRunning; n += 1) {
      const batch = {
        productId: product.id,
        factoryId: factoryId.id,
        poReference: `L-${n}`,
        quantity: 1,
        unit: 'piece',
      };
      made.push(call<Named>('POST', '/brand/batches', batch));
      await sleep(1000 / BATCHES_PER_SECOND);
    }
  })();
  try {
    await killInTurn();
    isRunning = false;
    await load;
    const batches = new Set((await Promise.all(made)).map(({ id }) => id));
    for (const { id, receiver } of hooks) {
      const delivered = await deliveredOf(id, batches.size);
      // A row for each pair of delivery and body: one that came with two bodies would be there twice.
      const rows = await receiver.rows();
      expect(rows.map((row) => row.id).sort()).toEqual([...delivered].sort());
      const told = rows.map(({ body }) => (JSON.parse(body) as { data: { batchId: string } }).data.batchId);
      expect(told).toHaveLength(batches.size);
      expect(new Set(told)).toEqual(batches);
    }
  } finally {
    isRunning = false;
    await Promise.all(hooks.map(({ receiver }) => receiver.close()));
  }

  async function deliveredOf(webhookId: string, count: number): Promise<readonly string[]> {
    for (const deadline = Date.now() + 120_000; ; await sleep(250)) {
      const path = `/brand/webhooks/${webhookId}/deliveries?limit=1000`;
      const { data } = await call<{ data: { id: string; state: string }[] }>('GET', path);
      const delivered = data.filter(({ state }) => state === 'delivered').map(({ id }) => id);
      if (delivered.length === data.length && data.length === count) return delivered;
      if (Date.now() > deadline) {
        const states = data.map(({ state }) => state).join(' ');
        throw new Error(`${delivered.length} of ${count} are delivered: ${states}`);
      }
    }
  }
}
