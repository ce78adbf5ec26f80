import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../src/embedded/ports.js';
import { startProgram, waitFor } from '../support/program.js';
import { startService, type Brand, type TestService } from '../support/service.js';

let service: TestService;
let brand: Brand;
beforeAll(async () => {
  service = await startService();
  brand = await service.asBrand();
});
afterAll(() => service.close());

const ROUNDS = 3;
const CALLS = 24;

/** Starts an API process, sends calls side by side and kills it with -9 in their midst; says which were answered. */
async function killAmidst(
  calls: readonly { key: string; name: string }[],
  afterMs: number,
): Promise<readonly string[]> {
  const port = await findFreePort();
  const api = startProgram({ file: 'src/main.ts', env: { ...service.environment, PORT: String(port) } });
  await waitFor(api, () => api.output().includes('"ready"'));
  const answered: string[] = [];
  const send = async ({ key, name }: { key: string; name: string }) => {
    const answer = await fetch(`http://127.0.0.1:${port}/brand/products`, {
      method: 'POST',
      headers: { ...brand.headers, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ name, sku: key }),
    });
    if (answer.status === 201) answered.push(`${key} ${((await answer.json()) as { id: string }).id}`);
  };
  // A first call, so that the rest meets a process that is warm.
  await fetch(`http://127.0.0.1:${port}/brand/products`, { headers: brand.headers });
  const sent = Promise.allSettled(calls.map(send));
  await sleep(afterMs);
  await api.kill('SIGKILL');
  await sent;
  return answered;
}

/** The same call through another process of the service; a key that is still held is asked for again. */
async function sendAgain({ key, name }: { key: string; name: string }) {
  for (;;) {
    const answer = await brand.call({
      method: 'POST',
      url: '/brand/products',
      headers: { 'idempotency-key': key },
      payload: { name, sku: key },
    });
    if (answer.json.code !== 'idempotency_key_in_use') return answer;
    await sleep(50);
  }
}

test(
  'an API killed between the append and the answer leaves each call to be finished once, at once',
  { timeout: 90_000 },
  async () => {
    const expected = new Map<string, string>();
    let cutOff = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const calls = Array.from({ length: CALLS }, (_, index) => ({
        key: `r${round}-${index}`,
        name: `Shirt ${round}-${index}`,
      }));
      const answered = await killAmidst(calls, 10 + Math.random() * 60);
      const began = Date.now();
      for (const call of calls) {
        const { status, json, body } = await sendAgain(call);
        expect(status, body).toBe(201);
        expected.set(call.key, json.id as string);
      }
      // The locks of a killed process go with its connection: nobody waits for a time limit.
      expect(Date.now() - began).toBeLessThan(10_000);
      for (const line of answered) {
        const [key = '', id] = line.split(' ');
        expect(expected.get(key), key).toBe(id);
      }
      cutOff += CALLS - answered.length;
    }
    expect(cutOff).toBeGreaterThan(0);

    const { json } = await brand.call({ url: '/brand/products' });
    const listed = (json.data as { id: string; sku: string }[]).map(({ id, sku }) => `${sku} ${id}`);
    expect(listed.sort()).toEqual([...expected].map(([key, id]) => `${key} ${id}`).sort());

    const created: string[] = [];
    for await (const event of service.eventStore.readAll({ after: null })) {
      if (event.type === 'ProductCreated') created.push((event.data as { sku: string }).sku);
    }
    expect(created.sort()).toEqual([...expected.keys()].sort());
  },
);
