import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { WholeService } from '../support/running-service.js';
import { startReceiver } from '../support/receiver.js';

const BATCHES_PER_SECOND = 15;
const WEBHOOKS = 2;

/**
 * Makes batches while programs are killed in turn, and compares what receivers have got with what the service says it has
 * delivered, and both with what was made.
 */
export async function compareLedgers(
  service: WholeService,
  headers: Readonly<Record<string, string>>,
  killInTurn: () => Promise<void>,
): Promise<void> {
  const receiver = await startReceiver();
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
  const hooks: Named[] = [];
  for (let n = 0; n < WEBHOOKS; n += 1) {
    const body = { url: `${receiver.url}/${n}`, events: ['batch.created'] };
    hooks.push(await call<Named>('POST', '/brand/webhooks', body));
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
  await killInTurn();
  isRunning = false;
  await load;
  const batches = new Set((await Promise.all(made)).map(({ id }) => id));

  try {
    for (const [n, hook] of hooks.entries()) {
      const delivered = await deliveredOf(hook.id, batches.size);
      const received = receiver.at(`/${n}`);
      const bodies = new Map<string, string>();
      for (const { deliveryId, body } of received) {
        // What came twice, because nobody knew that it had come, came as the same bytes.
        expect(bodies.get(deliveryId) ?? body).toBe(body);
        bodies.set(deliveryId, body);
      }
      expect(new Set(bodies.keys())).toEqual(new Set(delivered));
      const told = [...bodies.values()].map((body) => (JSON.parse(body) as { data: { batchId: string } }).data.batchId);
      expect(told).toHaveLength(batches.size);
      expect(new Set(told)).toEqual(batches);
    }
  } finally {
    await receiver.close();
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
