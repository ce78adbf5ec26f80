import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandContext } from '../../../src/core/context.js';
import { accountLinkToken } from '../../../src/infrastructure/links.js';
import { adoptCatalogue } from '../../../src/modules/factory-portal/adopt.js';
import {
  factoryState,
  removeCertificate,
  say,
  stateCertificates,
} from '../../../src/modules/factory-portal/handlers.js';
import { purgeCertificateFiles } from '../../../src/modules/factory-portal/purge.js';
import { factoryOfAccount } from '../../../src/modules/suppliers/standing.js';
import { certificatesIn } from '../../../src/modules/factory-portal/state.js';
import { holdFile } from '../../../src/modules/factory-portal/store.js';
import { factoryAt } from '../../../src/modules/suppliers/store.js';
import { startService, type Brand, type SignedUp, type TestService } from '../../support/service.js';

let service: TestService;
let brand: Brand;
let factory: SignedUp;

const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n');
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

beforeAll(async () => {
  service = await startService();
  brand = await service.asBrand();
  factory = await proven();
  const payload = { factoryName: 'Mill', contactEmail: factory.email, country: 'PT', tier: 1 };
  const { json } = await brand.call({ method: 'POST', url: '/brand/suppliers/invite', payload });
  const url = `/supplier/brands/${(json as { id: string }).id}/accept`;
  await service.call({ method: 'POST', url, headers: as(factory) });
});
afterAll(() => service.close());

async function proven(): Promise<SignedUp> {
  const account = await service.signUp();
  await service.database.query('update service.accounts set email_proven_at = now() where id = $1', [account.userId]);
  return account;
}

/** By the link of the sign-up. */
async function prove({ userId }: SignedUp) {
  const { rows } = await service.database.query<{ id: string }>(
    "select id from service.account_links where account_id = $1 and kind = 'verification'",
    [userId],
  );
  return service.call({
    ...{ method: 'POST', url: '/verify' },
    payload: `token=${accountLinkToken(service.config.LINK_KEY, rows[0]?.id ?? '')}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
  });
}

const as = ({ token }: SignedUp) => ({ authorization: `Bearer ${token}` });

async function certificate(number: string, who = factory): Promise<string> {
  const payload = { type: 'GOTS', number };
  const made = await service.call({ method: 'POST', url: '/supplier/certificates', headers: as(who), payload });
  expect(made.status, made.body).toBe(201);
  return (made.json as { id: string }).id;
}

function put(id: string, content: Buffer, { name = 'scan.pdf', part = 'file', who = factory } = {}) {
  const boundary = 'a-boundary';
  const payload = Buffer.concat([
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${part}"; filename="${name}"\r\nContent-Type: application/pdf\r\n\r\n`,
    ),
    content,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return service.call({
    ...{ method: 'PUT', url: `/supplier/certificates/${id}/file`, payload },
    headers: { ...as(who), 'content-type': `multipart/form-data; boundary=${boundary}` },
  });
}

const get = (id: string, headers: Record<string, string>) =>
  service.app.inject({ url: `/supplier/certificates/${id}/file`, headers });

const stored = async () => {
  const { rows } = await service.database.query<{ n: number }>('select count(*) as n from service.certificate_files');
  return rows[0]?.n;
};

const context = () => {
  const actor = { type: 'system', id: null } as const;
  return commandContext({ organizationId: null, actor, correlationId: 'x', now: Date.now() });
};

test('a file is kept byte for byte and served with headers that let nothing run', async () => {
  const id = await certificate('1');
  for (const [content, type] of [
    [PDF, 'application/pdf'],
    [PNG, 'image/png'],
  ] as const) {
    const attached = await put(id, content);
    expect([attached.status, attached.json.fileUrl]).toEqual([
      200,
      `${service.config.BASE_URL}/supplier/certificates/${id}/file`,
    ]);
    const served = await get(id, as(factory));
    expect(served.rawPayload.equals(content)).toBe(true);
    expect(served.headers).toMatchObject({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="certificate-[0-9a-f]{12}\.(pdf|png)"$/,
      ) as string,
      'content-security-policy': expect.stringContaining('sandbox') as string,
    });
  }
  // The one before it is gone with its last use.
  expect(await stored()).toBe(1);
});

test('what it is called does not matter, what it is does', async () => {
  const id = await certificate('2');
  const before = await stored();
  for (const [content, name] of [
    [Buffer.from('<!doctype html><script>alert(1)</script>'), 'certificate.pdf'],
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), 'certificate.png'],
    [Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;'), 'a.gif'],
    [Buffer.from('MZ\x90\x00'), 'certificate.pdf'],
    [Buffer.from('only text'), 'certificate.jpg'],
  ] as const) {
    const { status, json } = await put(id, content, { name });
    expect([status, json.code], name).toEqual([415, 'unsupported_media_type']);
  }
  const plain = await service.call({
    ...{ method: 'PUT', url: `/supplier/certificates/${id}/file`, payload: { file: 'x' }, headers: as(factory) },
  });
  expect(plain.status).toBe(415);
  expect((await put(id, PDF, { part: 'other' })).status).toBe(422);
  expect((await put(id, Buffer.alloc(0))).status).toBe(422);
  const large = await put(id, Buffer.concat([PDF, Buffer.alloc(10 * 1024 * 1024)]));
  expect([large.status, large.json.code]).toEqual([413, 'payload_too_large']);
  expect(await stored()).toBe(before);
  expect((await get(id, as(factory))).statusCode).toBe(404);
});

test('only the factory and brands that it shares with get it', async () => {
  const id = await certificate('3');
  await put(id, PDF);
  const stranger = await proven();
  const otherBrand = await service.asBrand();
  // That it has typed the address is not enough.
  const payload = { factoryName: 'Mill', contactEmail: factory.email, country: 'PT', tier: 1 };
  await otherBrand.call({ method: 'POST', url: '/brand/suppliers/invite', payload });
  expect((await get(id, as(brand))).statusCode).toBe(200);
  expect((await get(id, as(stranger))).statusCode).toBe(404);
  expect((await get(id, as(otherBrand))).statusCode).toBe(404);
  expect((await get(id, {})).statusCode).toBe(401);
  expect((await put(id, PNG, { who: stranger })).status).toBe(404);
  expect((await get(id, as(factory))).rawPayload.equals(PDF)).toBe(true);
});

test('it goes with its certificate, and stays while another one shows the same', async () => {
  const [one, other] = [await certificate('4'), await certificate('5')];
  const scan = Buffer.concat([PDF, Buffer.from('shared')]);
  const before = (await stored()) ?? 0;
  await put(one, scan);
  await put(other, scan);
  expect(await stored()).toBe(before + 1);
  const remove = (id: string) =>
    service.call({ method: 'DELETE', url: `/supplier/certificates/${id}`, headers: as(factory) });
  await remove(one);
  expect((await get(one, as(factory))).statusCode).toBe(404);
  expect((await get(other, as(brand))).rawPayload.equals(scan)).toBe(true);
  await remove(other);
  expect(await stored()).toBe(before);
});

test('it goes later when whoever removed its certificate was killed before it was gone, and no other one does', async () => {
  const before = (await stored()) ?? 0;
  const [removed, kept] = [await certificate('6'), await certificate('7')];
  await put(removed, Buffer.concat([PDF, Buffer.from('removed')]));
  await put(kept, Buffer.concat([PDF, Buffer.from('kept')]));
  const { factoryId } = await factoryOfAccount(service.database, factory.userId);
  const command = { type: 'RemoveCertificate', factoryId, certificateId: removed, removedAt: Date.now() } as const;
  await say(service, context(), factoryId, command);
  expect(await stored()).toBe(before + 2);
  expect(await purgeCertificateFiles(service, 50)).toBe(0);
  await service.database.query("update service.certificate_file_uses set checked_at = now() - interval '2 days'");
  expect(await purgeCertificateFiles(service, 50)).toBe(1);
  expect(await purgeCertificateFiles(service, 50)).toBe(0);
  expect(await stored()).toBe(before + 1);
  expect((await get(kept, as(factory))).statusCode).toBe(200);
});

test('of several that are put at once the one that the history names is served, and nothing else is kept', async () => {
  const id = await certificate('8');
  const { factoryId } = await factoryOfAccount(service.database, factory.userId);
  const before = (await stored()) ?? 0;
  for (let round = 0; round < 5; round++) {
    const contents = ['a', 'b', 'c'].map((name) => Buffer.concat([PDF, Buffer.from(`${name} ${round}`)]));
    const statuses = (await Promise.all(contents.map((content) => put(id, content)))).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200]);
    const named = (await factoryState(service, factoryId)).files.get(id)?.sha256;
    const served = await get(id, as(factory));
    expect(served.statusCode).toBe(200);
    expect(createHash('sha256').update(served.rawPayload).digest('hex')).toBe(named);
    expect(await stored()).toBe(before + 1);
  }
});

test('one that replaces it and is cut off loses neither', async () => {
  const id = await certificate('9');
  const { factoryId } = await factoryOfAccount(service.database, factory.userId);
  const before = (await stored()) ?? 0;
  const [old, next] = [Buffer.concat([PDF, Buffer.from('old')]), Buffer.concat([PDF, Buffer.from('next')])];
  const file = { sha256: createHash('sha256').update(next).digest('hex'), bytes: next.length };
  const path = join(tmpdir(), `copy-${crypto.randomUUID()}`);
  await writeFile(path, next);
  const hold = () =>
    holdFile(service.database, {
      ...{ holdId: crypto.randomUUID(), factoryId, certificateId: id, path, quotaBytes: 1024 * 1024 },
      ...file,
    });
  const purge = async () => {
    await service.database.query("update service.certificate_file_uses set checked_at = now() - interval '2 days'");
    await purgeCertificateFiles(service, 50);
  };
  await put(id, old);
  // Cut off before it was said.
  await hold();
  expect((await get(id, as(factory))).rawPayload.equals(old)).toBe(true);
  await purge();
  expect(await stored()).toBe(before + 1);
  expect((await get(id, as(factory))).rawPayload.equals(old)).toBe(true);
  // And after it.
  await hold();
  await say(service, context(), factoryId, {
    ...{ type: 'AttachFile', certificateId: id, file: { ...file, mediaType: 'application/pdf' } },
  });
  expect((await get(id, as(factory))).rawPayload.equals(next)).toBe(true);
  await purge();
  expect(await stored()).toBe(before + 1);
  expect((await get(id, as(factory))).rawPayload.equals(next)).toBe(true);
  await rm(path);
});

const MIB = 1024 * 1024;
/** A PDF of exactly that size, unlike any other. */
const scanOf = (bytes: number): Buffer => {
  const content = Buffer.alloc(bytes, randomUUID());
  PDF.copy(content);
  return content;
};

test('copies of a factory take 200 MiB together, each content once, and a new copy takes the room of the one before', async () => {
  const who = await proven();
  const [one, other] = [await certificate('Q1', who), await certificate('Q2', who)];
  const largest = scanOf(10 * MIB);
  expect((await put(one, largest, { who })).status).toBe(200);
  const { factoryId } = await factoryOfAccount(service.database, who.userId);
  // As if it kept 190 MiB and a little more.
  const keep = (bytes: number) =>
    service.database.query(
      `with kept as (insert into service.certificate_files (sha256, bytes) values ($1, $2)
         on conflict (sha256) do update set bytes = $2)
       insert into service.certificate_file_uses (certificate_id, factory_id, sha256) values ($1, $3, $1)
       on conflict do nothing`,
      [`others of ${factoryId}`, bytes, factoryId],
    );
  await keep(190 * MIB);
  const refused = await put(other, scanOf(1_000), { who });
  expect([refused.status, refused.json.code]).toEqual([409, 'file_quota']);
  expect((await put(other, largest, { who })).status).toBe(200);
  expect((await put(other, PDF, { who })).status).toBe(409);
  await service.call({ method: 'DELETE', url: `/supplier/certificates/${other}`, headers: as(who) });
  expect((await put(one, scanOf(10 * MIB), { who })).status).toBe(200);
  await keep(190 * MIB + 1);
  expect((await put(one, scanOf(10 * MIB), { who })).status).toBe(409);
  expect((await put(one, scanOf(9 * MIB), { who })).status).toBe(200);
});

test('of two copies that come at once and fit only one by one, one is refused', async () => {
  const early = await service.signUp();
  const [one, other] = [await certificate('Q3', early), await certificate('Q4', early)];
  const statuses = (await Promise.all([one, other].map((id) => put(id, scanOf(6 * MIB), { who: early })))).map(
    ({ status }) => status,
  );
  expect(statuses.sort()).toEqual([200, 409]);
});

test('an account whose address is not proven keeps 10 MiB; its page says when that is full, and saves nothing then', async () => {
  const early = await service.signUp();
  expect((await put(await certificate('Q5', early), scanOf(10 * MIB), { who: early })).status).toBe(200);
  const boundary = 'a-boundary';
  const field = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const form = { kind: 'certificates', action: 'save', 'certificates.type': 'GOTS', 'certificates.number': 'Q6' };
  const payload = Buffer.concat([
    Buffer.from(
      `${Object.entries(form)
        .map(([name, value]) => field(name, value))
        .join('')}--${boundary}\r\nContent-Disposition: form-data; name="certificates.file"; filename="a.pdf"\r\n\r\n`,
    ),
    PDF,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  const page = await service.app.inject({
    ...{ method: 'POST', url: '/supplier/catalogue/certificates?lang=de', payload },
    headers: {
      ...{ cookie: `session=${early.token}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
      'sec-fetch-site': 'same-origin',
    },
  });
  expect([page.statusCode, page.body.includes('brauchen zu viel Platz')]).toEqual([422, true]);
  const { json } = await service.call({ url: '/supplier/certificates', headers: as(early) });
  expect((json.data as { number: string }[]).map(({ number }) => number)).toEqual(['Q5']);
});

test('copies on their way are not in memory', async () => {
  const who = await proven();
  const id = await certificate('M1', who);
  const scan = scanOf(10 * MIB);
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = service.app.server.address() as AddressInfo;
  const path = `/supplier/certificates/${id}/file`;
  const headers = { ...as(who), 'content-type': 'multipart/form-data; boundary=a-boundary' };
  const uploads = Array.from({ length: 20 }, () => request({ method: 'PUT', port, path, headers }));
  const answers = uploads.map((sent) => once(sent, 'response') as Promise<[IncomingMessage]>);
  const before = process.memoryUsage().arrayBuffers;
  const head = '--a-boundary\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n';
  const writing = uploads.map((sent) => {
    sent.write(head);
    return new Promise((resolve) => sent.write(scan.subarray(0, 9 * MIB), resolve));
  });
  await Promise.all(writing);
  // All of them in the middle: 180 MiB are on their way.
  await sleep(500);
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(60 * MIB);
  for (const sent of uploads) sent.end(Buffer.concat([scan.subarray(9 * MIB), Buffer.from('\r\n--a-boundary--\r\n')]));
  const statuses = (await Promise.all(answers)).map(([answer]) => answer.resume().statusCode);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect((await get(id, as(who))).rawPayload.equals(scan)).toBe(true);
});

test('one that was kept before the proof comes with it, also when the first try was cut off, and goes with its certificate', async () => {
  const before = (await stored()) ?? 0;
  const early = await service.signUp();
  const kept = await certificate('CU 77', early);
  await put(kept, Buffer.concat([PDF, Buffer.from('kept early')]), { who: early });
  // The factory has named the certificate itself, spelled otherwise.
  const factoryId = await factoryAt(service.database, early.email);
  const named = { type: 'gots', number: 'cu  77', issuer: null, validFrom: null, validUntil: null };
  await stateCertificates(service, context(), { factoryId, certificates: [named], statedAt: Date.now() });
  await adoptCatalogue(service, context(), early.userId);
  expect((await prove(early)).status).toBe(200);
  const { json } = await service.call({ url: '/supplier/certificates', headers: as(early) });
  expect(json.data).toHaveLength(1);
  const [{ id }] = json.data as [{ id: string }];
  expect((await get(id, as(early))).rawPayload.toString()).toContain('kept early');
  expect(await stored()).toBe(before + 1);
  await service.call({ method: 'DELETE', url: `/supplier/certificates/${id}`, headers: as(early) });
  expect(await stored()).toBe(before);
});

test('one that was kept before the proof goes when the factory has removed the certificate meanwhile', async () => {
  const before = await stored();
  const early = await service.signUp();
  await put(await certificate('CU 78', early), Buffer.concat([PDF, Buffer.from('kept, then gone')]), { who: early });
  const factoryId = await factoryAt(service.database, early.email);
  const named = { type: 'GOTS', number: 'CU 78', issuer: null, validFrom: null, validUntil: null };
  const statement = { factoryId, certificates: [named], statedAt: Date.now() };
  const [own] = certificatesIn(await stateCertificates(service, context(), statement));
  await removeCertificate(service, context(), { factoryId, certificateId: own?.certificateId ?? '' });
  expect((await prove(early)).status).toBe(200);
  expect((await service.call({ url: '/supplier/certificates', headers: as(early) })).json).toEqual({ data: [] });
  expect(await stored()).toBe(before);
});
