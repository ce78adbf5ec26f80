import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { BenchEnvironment } from './main.js';
import type { BenchRow } from './row.js';

/** Each sign-in comes from an address of its own, so that only the hashing is in the way. */
export const SIGN_INS_SETTINGS = { TRUST_PROXY: '1' };

/** More than wait in the queue, so that it is full all the time. */
const ATTACKERS = 128;
const CALLS_PER_SECOND = 50;
const WARM_UP_SECONDS = 2;
const MEASURED_SECONDS = 8;
const ROUNDS = 3;

/** How long a list takes for one who calls at a steady pace, alone and while others flood the sign-in. */
export async function benchSignIns(env: BenchEnvironment): Promise<readonly BenchRow[]> {
  const http = new Pool(env.baseUrl, { connections: 16, pipelining: 1 });
  const flooding = new Pool(env.baseUrl, { connections: ATTACKERS, pipelining: 1 });
  const signIn = async (pool: Pool, body: object, address: string) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
    return pool.request({ method: 'POST', path: '/auth/login', headers, body: JSON.stringify(body) });
  };
  const { body } = await signIn(http, { email: env.demo.email, password: env.demo.password }, '10.0.0.1');
  const { token } = (await body.json()) as { token: string };
  const headers = { authorization: `Bearer ${token}`, 'x-organization-id': env.demo.organizationId };

  const list = async (): Promise<number> => {
    const start = performance.now();
    const answer = await http.request({ method: 'GET', path: '/brand/products?limit=50', headers });
    if (answer.statusCode !== 200) throw new Error(`GET /brand/products: ${answer.statusCode}`);
    await answer.body.dump();
    return performance.now() - start;
  };
  /** At a steady pace, whatever the answers before have taken: a slow one does not hide those after it. */
  const latencies = async (seconds: number): Promise<number[]> => {
    const start = performance.now();
    const calls: Promise<number>[] = [];
    for (let call = 0; call < seconds * CALLS_PER_SECOND; call++) {
      await sleep(Math.max(0, start + (call * 1_000) / CALLS_PER_SECOND - performance.now()));
      calls.push(list());
    }
    return Promise.all(calls);
  };

  const answered: Record<number, number> = {};
  let isFlooding = false;
  const attack = async (): Promise<void> => {
    while (isFlooding) {
      const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
      const guess = { email: `${randomUUID()}@example.com`, password: 'not the password' };
      const { statusCode, headers, body } = await signIn(flooding, guess, address);
      await body.dump();
      answered[statusCode] = (answered[statusCode] ?? 0) + 1;
      if (statusCode === 429) await sleep(Number(headers['retry-after']) * 1_000);
    }
  };

  await latencies(WARM_UP_SECONDS);
  const [idle, flooded]: [number[], number[]] = [[], []];
  // They take turns, so that whatever else the machine does falls on both.
  for (let round = 0; round < ROUNDS; round++) {
    idle.push(...(await latencies(MEASURED_SECONDS)));
    isFlooding = true;
    const attackers = Array.from({ length: ATTACKERS }, attack);
    await sleep(500);
    flooded.push(...(await latencies(MEASURED_SECONDS)));
    isFlooding = false;
    await Promise.all(attackers);
  }
  await Promise.all([http.close(), flooding.close()]);
  const seconds = ROUNDS * (MEASURED_SECONDS + 0.5);
  const row = (share: number, goal: string | null): BenchRow => {
    const [value, baseline] = [quantile(flooded, share), quantile(idle, share)];
    return {
      ...{ name: `GET /brand/products while the sign-in is flooded, p${share * 100}`, unit: 'ms', value, baseline },
      ...{ baselineName: 'nobody signs in', ratio: value / baseline, goal },
      note: `${CALLS_PER_SECOND} calls/s; ${ATTACKERS} sign in at once, ${Math.round((answered[401] ?? 0) / seconds)}/s are looked at, ${answered[429] ?? 0} had to wait`,
    };
  };
  return [row(0.5, null), row(0.99, '<= 2')];
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0;
