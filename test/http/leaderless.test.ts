import { afterAll, beforeAll, expect, it } from 'vitest';
import { startCluster, type StandInCluster } from '../support/cluster.js';
import { startService, type Answer, type Brand, type TestService } from '../support/service.js';

let cluster: StandInCluster;
let service: TestService;
let brand: Brand;
beforeAll(async () => {
  cluster = await startCluster();
  service = await startService({ environment: { EVENTSTORE_URL: cluster.url } });
  brand = await service.asBrand();
});
afterAll(async () => {
  await service.close();
  await cluster.stop();
});

const create = (sku: string): Promise<Answer> =>
  brand.call({ method: 'POST', url: '/brand/products', payload: { name: `Shirt ${sku}`, sku } });

it('calls made while the leader is killed are answered as ever, each product there once', async () => {
  const killed = cluster.killLeader();
  let isOver = false;
  const statuses: number[] = [];
  const skus: string[] = [];
  const caller = async (name: string): Promise<void> => {
    for (let n = 0; !isOver; n += 1) {
      const { status, json } = await create(`${name}-${n}`);
      statuses.push(status);
      skus.push((json as { sku: string }).sku);
    }
  };
  const calling = Promise.all(['a', 'b', 'c', 'd'].map(caller));
  await killed;
  isOver = true;
  await calling;
  expect(statuses).toEqual(statuses.map(() => 201));
  const listed = await brand.call({ url: '/brand/products?limit=100' });
  expect((listed.json.data as { sku: string }[]).map(({ sku }) => sku).sort()).toEqual(skus.sort());
  await cluster.heal();
});

it('a call that finds no leader in all its time is a 503, and lists are shown meanwhile', async () => {
  await cluster.loseLeader();
  const [made, changed, listed] = await Promise.all([
    create('leaderless'),
    brand.call({ method: 'DELETE', url: '/brand/products/01890000-0000-7000-8000-000000000000' }),
    brand.call({ url: '/brand/products' }),
  ]);
  for (const { status, json } of [made, changed]) {
    expect([status, json.code]).toEqual([503, 'event_store_unavailable']);
  }
  expect(listed.status).toBe(200);
  await cluster.replaceLeader();
  expect((await create('led again')).status).toBe(201);
});
