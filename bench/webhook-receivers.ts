import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { startReceiver } from '../test/support/receiver.js';
import type { BenchEnvironment } from './main.js';

export interface Arrival {
  readonly deliveryId: string;
  readonly at: number;
}

/** Receivers, each behind a webhook of its own, and a brand that makes them have something to receive. */
export interface Receivers {
  readonly webhookIds: readonly string[];
  /** Makes batches until there are `count` deliveries; the first `failures` attempts of each are answered with 500. */
  readonly deliver: (count: number, failures: number) => Promise<void>;
  /** What has come since the last `deliver`, in order. */
  readonly arrivals: readonly Arrival[];
  /** Waits for this many since the last `deliver`. */
  readonly arrived: (count: number, limitMs: number) => Promise<void>;
  readonly attemptsOf: (deliveryId: string) => Promise<readonly { at: number; durationMs: number }[]>;
  readonly close: () => Promise<void>;
}

const IN_FLIGHT = 8;

export async function createReceivers(env: BenchEnvironment, count: number): Promise<Receivers> {
  const arrivals: Arrival[] = [];
  const seen = new Map<string, number>();
  let failing = 0;
  const receiver = await startReceiver(({ deliveryId, at }, response) => {
    const before = seen.get(deliveryId) ?? 0;
    seen.set(deliveryId, before + 1);
    arrivals.push({ deliveryId, at });
    response.statusCode = before < failing ? 500 : 200;
    response.end();
  });

  const http = new Pool(env.baseUrl, { connections: IN_FLIGHT, pipelining: 1 });
  const call = async (method: 'GET' | 'POST', path: string, headers: object, body?: object): Promise<unknown> => {
    const answer = await http.request({
      ...{ method, path },
      headers: { 'content-type': 'application/json', ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    });
    if (answer.statusCode >= 300)
      throw new Error(`${method} ${path}: ${answer.statusCode} ${await answer.body.text()}`);
    return answer.body.json();
  };
  const { email, password, organizationId } = env.demo;
  const { token } = (await call('POST', '/auth/login', {}, { email, password })) as { token: string };
  const headers = { authorization: `Bearer ${token}`, 'x-organization-id': organizationId };
  const made = async (path: string, body: object) => ((await call('POST', path, headers, body)) as { id: string }).id;

  const webhookIds: string[] = [];
  for (let n = 0; n < count; n += 1) {
    webhookIds.push(await made('/brand/webhooks', { url: `${receiver.url}/${n}`, events: ['batch.created'] }));
  }
  const factoryId = await made('/brand/suppliers/invite', {
    ...{ factoryName: 'Bench', contactEmail: `bench-${randomUUID()}@factory.example`, country: 'PT', tier: 1 },
  });
  const productId = await made('/brand/products', { name: 'Bench tee' });

  return {
    webhookIds,
    arrivals,
    deliver: async (deliveries, failures) => {
      arrivals.length = 0;
      failing = failures;
      let left = Math.ceil(deliveries / count);
      const work = async (): Promise<void> => {
        while (left-- > 0) {
          await made('/brand/batches', { productId, factoryId, poReference: 'B', quantity: 1, unit: 'piece' });
        }
      };
      await Promise.all(Array.from({ length: IN_FLIGHT }, work));
    },
    arrived: async (wanted, limitMs) => {
      for (const deadline = Date.now() + limitMs; arrivals.length < wanted; await sleep(20)) {
        if (Date.now() > deadline) throw new Error(`${arrivals.length} of ${wanted} came within ${limitMs / 1000} s`);
      }
    },
    attemptsOf: async (deliveryId) => {
      const delivery = await call('GET', `/brand/deliveries/${deliveryId}`, headers);
      return (delivery as { attempts: { at: number; durationMs: number }[] }).attempts;
    },
    close: async () => {
      await http.close();
      await receiver.close();
    },
  };
}
