import { afterAll, beforeAll, expect, it } from 'vitest';
import { findFreePort } from '../src/embedded/ports.js';
import {
  batch,
  eventually,
  invite,
  messagesTo,
  product,
  requestMailsTo,
  startServiceWithWorker,
  tokenIn,
  type ServiceWithWorker,
} from './support/brand-story.js';
import type { TestDatabase } from './support/database.js';
import { startProgram, waitFor, type RunningProgram } from './support/program.js';
import { startReceiver, type Receiver } from './support/receiver.js';
import type { Brand } from './support/service.js';

let service: ServiceWithWorker;
let brand: Brand;
let receiver: Receiver;
let backup: TestDatabase | null = null;
const programs: RunningProgram[] = [];

beforeAll(async () => {
  receiver = await startReceiver();
  service = await startServiceWithWorker({ ALLOW_LOCAL_WEBHOOKS: 'true' });
  brand = await service.asBrand();
}, 120_000);
afterAll(async () => {
  for (const program of programs) await program.stop();
  await service.close();
  await backup?.drop();
  await receiver.close();
});

const webhook = async (path: string): Promise<{ id: string }> => {
  const payload = { url: `${receiver.url}${path}`, events: ['batch.created', 'request.sent'] };
  return (await brand.call({ method: 'POST', url: '/brand/webhooks', payload })).json as { id: string };
};

/** The programs on the restored database, with the event store and the workflow server as they are. */
async function startRestored(
  databaseUrl: string,
): Promise<(method: string, path: string, body?: object) => Promise<Response>> {
  const port = await findFreePort();
  const env = { ...service.environment, DATABASE_URL: databaseUrl, PORT: String(port) };
  for (const file of ['src/main.ts', 'projections/main.ts', 'workflows/main.ts']) {
    const program = startProgram({ file, env });
    programs.push(program);
    await waitFor(program, () => program.output().includes('"msg":"ready"'), 60_000);
  }
  return (method, path, body) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { ...brand.headers, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
}

it(
  'goes on with a Postgres that is older than the log: nothing is sent twice, nothing is lost that the log knows',
  { timeout: 240_000 },
  async () => {
    const early = await webhook('/early');
    const factory = await invite(brand);
    await batch(brand, await product(brand), factory);
    await eventually(
      async () => receiver.at('/early'),
      (all) => all.length === 1,
    );

    await service.worker().stop();
    backup = await service.backUp();
    await service.startWorker();

    // What the backup has not heard of.
    const late = await webhook('/late');
    const newcomer = await invite(brand, 'spinners');
    const productId = await product(brand);
    const taken = { name: 'Scarf', sku: 'SCARF-1' };
    expect((await brand.call({ method: 'POST', url: '/brand/products', payload: taken })).status).toBe(201);
    const batchId = await batch(brand, productId, factory);
    await brand.call({ method: 'POST', url: `/brand/batches/${batchId}/send-request` });
    const [mail] = await requestMailsTo(factory.email);
    await eventually(
      async () => receiver.at('/late'),
      (all) => all.length === 2,
    );
    await eventually(
      async () => receiver.at('/early'),
      (all) => all.length === 3,
    );
    await eventually(
      () => messagesTo(newcomer.email),
      (all) => all.length === 1,
    );
    const mails = async () =>
      (await Promise.all([factory, newcomer].map(({ email }) => messagesTo(email)))).flat().length;
    const [mailsBefore, deliveriesBefore] = [await mails(), receiver.received.length];
    await service.worker().stop();

    const call = await startRestored(backup.url);
    await eventually(
      async () => (await (await call('GET', '/health/ready')).json()) as { projector: object; reactor: object },
      ({ projector, reactor }) => [projector, reactor].every((one) => 'lagEvents' in one && one.lagEvents === 0),
      60_000,
    );
    const [refused, link] = [
      await call('POST', '/brand/products', taken),
      await call('GET', `/factory/requests/${tokenIn(mail)}`),
    ];
    expect(await refused.json()).toMatchObject({ code: 'sku_taken' });
    expect(link.status).toBe(200);

    // Both webhooks hear what happens now; the secret of the late one is not in the backup.
    const created = await call('POST', '/brand/batches', {
      productId,
      factoryId: factory.id,
      poReference: 'PO-8',
      quantity: 5,
      unit: 'piece',
    });
    expect(created.status).toBe(201);
    await eventually(
      async () => receiver.at('/early'),
      (all) => all.length === 4,
    );
    expect(receiver.at('/late')).toHaveLength(2);
    expect((await call('POST', `/brand/webhooks/${late.id}/rotate-secret`)).status).toBe(200);
    await eventually(
      async () => receiver.at('/late'),
      (all) => all.length === 3,
      30_000,
    );

    expect(receiver.received.length).toBe(deliveriesBefore + 2);
    expect(new Set(receiver.received.map(({ deliveryId }) => deliveryId)).size).toBe(deliveriesBefore + 2);
    expect(await mails()).toBe(mailsBefore);
    const { data } = (await (await call('GET', `/brand/webhooks/${early.id}/deliveries`)).json()) as {
      data: { state: string; attempts: object[] }[];
    };
    expect(data.map(({ state, attempts }) => [state, attempts.length])).toEqual(
      Array.from({ length: 4 }, () => ['delivered', 1]),
    );
  },
);
