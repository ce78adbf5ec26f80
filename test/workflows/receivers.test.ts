import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { factoryLinkToken } from '../../src/infrastructure/links.js';
import {
  batch,
  EXAMPLE_A,
  eventually,
  invite,
  product,
  requestMailsTo,
  startServiceWithWorker,
  tokenIn,
  type Invited,
  type ServiceWithWorker,
} from '../support/brand-story.js';
import { startLedgerReceiver, type LedgerReceiver } from '../support/ledger.js';
import { startReceiver, type Received, type Receiver } from '../support/receiver.js';
import { findFreePort } from '../../src/embedded/ports.js';
import type { Brand } from '../support/service.js';

// What somebody who builds on the service does: the example as it stands, and the document's functions cut out of it.
const ALL = ['batch.created', 'batch.submitted', 'dpp.published', 'request.sent', 'certificate.expiring'];
const DOCUMENT = join(import.meta.dirname, '..', '..', 'docs', 'webhooks.md');

let service: ServiceWithWorker;
let brand: Brand;
let ledger: LedgerReceiver;
let ledgerPort: number;
let ledgerWebhook: Webhook;
let receiver: Receiver;
let captured: Webhook;
let folder: string;

interface Webhook {
  readonly id: string;
  readonly secret: string;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'receivers-'));
  receiver = await startReceiver();
  service = await startServiceWithWorker({ ALLOW_LOCAL_WEBHOOKS: 'true' });
  brand = await service.asBrand();
  ledgerPort = await findFreePort();
  ledgerWebhook = await webhook(`http://127.0.0.1:${ledgerPort}/`, ALL);
  ledger = await startLedgerReceiver({ secret: ledgerWebhook.secret, port: ledgerPort });
  captured = await webhook(`${receiver.url}/captured`, ['batch.created']);
}, 120_000);

afterAll(async () => {
  await service.close();
  await receiver.close();
  await ledger.close();
  await rm(folder, { recursive: true });
});

async function webhook(url: string, events: readonly string[]): Promise<Webhook> {
  const { status, json, body } = await brand.call({ method: 'POST', url: '/brand/webhooks', payload: { url, events } });
  if (status !== 201) throw new Error(`creating a webhook answered ${status}: ${body}`);
  return json as Webhook;
}

const supplier = async ({ id }: Invited) =>
  (await brand.call({ url: `/brand/suppliers/${id}` })).json as { certificates: { id: string }[] };

it('an independent receiver gets all five events, while the worker is killed in the middle', async () => {
  const factory = await invite(brand);
  const batchId = await batch(brand, await product(brand), factory);
  await brand.call({ method: 'POST', url: `/brand/batches/${batchId}/send-request` });
  const [mail] = await requestMailsTo(factory.email);
  const validUntil = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  const certificate = { type: 'GOTS', number: 'CU 1', issuer: 'Control Union', validFrom: '2026-01-01', validUntil };
  const submitted = await service.call({
    method: 'POST',
    url: `/factory/requests/${tokenIn(mail)}/submit`,
    payload: { ...EXAMPLE_A, certificates: [certificate] },
  });
  expect(submitted.status).toBe(200);
  await service.worker().kill('SIGKILL');
  await service.startWorker();
  await brand.call({ method: 'POST', url: `/brand/batches/${batchId}/publish` });

  const rows = await eventually(
    () => ledger.rows(),
    (received) => new Set(received.map(({ event }) => event)).size === ALL.length,
    40_000,
  );
  expect(rows.map(({ event }) => event).sort()).toEqual([...ALL].sort());
  const expiring = rows.find(({ event }) => event === 'certificate.expiring');
  const { data } = JSON.parse(expiring?.body ?? '') as { data: { certificateId: string } };
  expect(data).toEqual({
    certificateId: expect.stringMatching(/^cer_/) as string,
    supplierId: factory.id,
    factoryName: 'knitters',
    ...{ type: 'GOTS', number: 'CU 1', validUntil },
  });

  // The ledger is the service's, and the certificate is at the supplier.
  const deliveries = await eventually(
    async () =>
      (await brand.call({ url: `/brand/webhooks/${ledgerWebhook.id}/deliveries` })).json.data as {
        id: string;
        state: string;
      }[],
    (all) => all.every(({ state }) => state === 'delivered'),
  );
  expect(deliveries.map(({ id }) => id).sort()).toEqual(rows.map(({ id }) => id).sort());
  expect((await supplier(factory)).certificates).toEqual([{ id: data.certificateId, ...certificate, fileUrl: null }]);
  const { json } = await brand.call({ url: '/brand/suppliers' });
  expect((json.data as { certificateCount: number }[])[0]?.certificateCount).toBe(1);
}, 90_000);

it("shows a supplier's certificates to every brand that the factory has answered, and to no other", async () => {
  const { json } = await brand.call({ url: '/brand/suppliers' });
  const { contactEmail } = (json.data as { contactEmail: string }[])[0] ?? { contactEmail: '' };
  const [other, stranger] = [await service.asBrand(), await service.asBrand()];
  const payload = { factoryName: 'Knitters', contactEmail, country: 'PT', tier: 1 };
  const { json: invited } = await other.call({ method: 'POST', url: '/brand/suppliers/invite', payload });
  const url = `/brand/suppliers/${(invited as { id: string }).id}`;
  const shown = async () => (await other.call({ url })).json as { certificates: { number: string }[] };
  // Whoever types an address sees nothing of the factory behind it.
  expect((await shown()).certificates).toEqual([]);
  expect((await other.call({ url: '/brand/suppliers' })).json.data).toMatchObject([{ certificateCount: 0 }]);
  const batchId = await batch(other, await product(other), { id: invited.id as string, email: contactEmail });
  await other.call({ method: 'POST', url: `/brand/batches/${batchId}/send-request` });
  const theirs = (await other.call({ url: `/brand/batches/${batchId}` })).json.requests[0] as { id: string };
  expect((await shown()).certificates).toEqual([]);
  const token = factoryLinkToken(service.config.LINK_KEY, theirs.id);
  const answer = { method: 'POST', url: `/factory/requests/${token}/submit`, payload: EXAMPLE_A } as const;
  expect((await service.call(answer)).status).toBe(200);
  expect((await shown()).certificates).toMatchObject([{ number: 'CU 1' }]);
  expect((await other.call({ url: '/brand/suppliers' })).json.data).toMatchObject([{ certificateCount: 1 }]);
  // And is told at once of the one that ends soon.
  await eventually(
    async () => {
      const types: string[] = [];
      for await (const { type } of service.eventStore.readStream(`supplier-${invited.id as string}`)) types.push(type);
      return types;
    },
    (types) => types.includes('CertificateExpiryNoticed'),
  );
  const { status } = await stranger.call({ url });
  expect(status).toBe(404);
});

describe('the functions of docs/webhooks.md', () => {
  let delivery: Received;
  let forged: Received;
  let bodyFile: string;

  beforeAll(async () => {
    const [first] = await eventually(
      async () => receiver.at('/captured'),
      (all) => all.length > 0,
    );
    if (first === undefined) throw new Error('nothing was delivered');
    delivery = first;
    forged = { ...delivery, body: delivery.body.replace('draft', 'DRAFT') };
    bodyFile = join(folder, 'body.json');
    await writeFile(bodyFile, delivery.body);
  });

  it('TypeScript: takes a real delivery, and no forged one', async () => {
    const file = join(folder, 'verify.mts');
    const driver = `
      const { secret, body, headers } = JSON.parse(process.argv[2] ?? '');
      process.stdout.write(String(isGenuine(secret, Buffer.from(body), headers)));`;
    await writeFile(file, (await snippet('ts')) + driver);
    await verifiesLikeAReceiver(async (secret, { body, headers }) => {
      const input = JSON.stringify({ secret, body, headers });
      return (await run(process.execPath, [file, input])).stdout === 'true';
    });
  });

  it('Python: takes a real delivery, and no forged one', async () => {
    const file = join(folder, 'verify.py');
    const driver = `
import json, sys
from email.message import Message
given = json.loads(sys.argv[1])
headers = Message()
for name, value in given["headers"].items():
    headers[name] = value
print(is_genuine(given["secret"], given["body"].encode(), headers))
`;
    await writeFile(file, (await snippet('python')) + driver);
    await verifiesLikeAReceiver(async (secret, { body, headers }) => {
      const input = JSON.stringify({ secret, body, headers });
      return (await run('python3', [file, input])).stdout.trim() === 'True';
    });
  });

  it('openssl: takes the body of a real delivery, and no other', async () => {
    const file = join(folder, 'verify.sh');
    await writeFile(file, await snippet('sh', 0));
    const signature = String(delivery.headers['x-service-signature']);
    const verify = (path: string) => run('sh', [file, path, signature], captured.secret);
    expect((await verify(bodyFile)).stdout).toBe('genuine\n');
    const forgedFile = join(folder, 'forged.json');
    await writeFile(forgedFile, forged.body);
    await expect(verify(forgedFile)).rejects.toMatchObject({ code: 1, stdout: 'forged\n' });
  });

  it('curl: sends a delivery that the example receiver takes, and with another secret refuses', async () => {
    const file = join(folder, 'send.sh');
    await writeFile(file, await snippet('sh', 1));
    const send = async (secret: string) =>
      (await run('sh', [file, bodyFile, `http://127.0.0.1:${ledgerPort}/`], secret)).stdout;
    expect(await send(ledgerWebhook.secret)).toBe('200\n');
    expect(await send(captured.secret)).toBe('401\n');
  });

  it('take the old secret and the new one while it is being changed', async () => {
    const { json } = await brand.call({ method: 'POST', url: `/brand/webhooks/${captured.id}/rotate-secret` });
    const { secret } = json as { secret: string };
    const before = receiver.at('/captured').length;
    await brand.call({ method: 'POST', url: `/brand/webhooks/${captured.id}/test` });
    const [rotated] = (
      await eventually(
        async () => receiver.at('/captured'),
        (all) => all.length > before,
      )
    ).slice(before);
    if (rotated === undefined) throw new Error('the test was not delivered');
    const check = async (key: string) => {
      const input = JSON.stringify({ secret: key, body: rotated.body, headers: rotated.headers });
      return [
        (await run(process.execPath, [join(folder, 'verify.mts'), input])).stdout,
        (await run('python3', [join(folder, 'verify.py'), input])).stdout.trim(),
      ];
    };
    expect(await check(captured.secret)).toEqual(['true', 'True']);
    expect(await check(secret)).toEqual(['true', 'True']);
    expect(await check(ledgerWebhook.secret)).toEqual(['false', 'False']);
  });

  async function verifiesLikeAReceiver(verify: (secret: string, received: Received) => Promise<boolean>) {
    expect(await verify(captured.secret, delivery)).toBe(true);
    expect(await verify(captured.secret, forged)).toBe(false);
    expect(await verify(ledgerWebhook.secret, delivery)).toBe(false);
    const { 'x-service-signature': _, ...unsigned } = delivery.headers;
    expect(await verify(captured.secret, { ...delivery, headers: unsigned })).toBe(false);
    expect(await verify(captured.secret, { ...delivery, headers: { 'x-service-signature': 'é' } })).toBe(false);
  }
});

/** A block of the document, as its readers copy it. */
async function snippet(language: string, index = 0): Promise<string> {
  const text = await readFile(DOCUMENT, 'utf8');
  const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].filter(([, name]) => name === language);
  const code = blocks[index]?.[2];
  if (code === undefined) throw new Error(`docs/webhooks.md has no block ${index} of ${language}`);
  return code;
}

const run = (program: string, args: readonly string[], secret = ''): Promise<{ stdout: string }> =>
  promisify(execFile)(program, args, { env: { PATH: process.env['PATH'], SECRET: secret } });
