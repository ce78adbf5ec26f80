import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { verifyAll } from '../../../src/infrastructure/event-store/verify.js';
import { noteLanguage } from '../../../src/modules/suppliers/store.js';
import { eventually, messagesTo } from '../../support/brand-story.js';
import { startPost } from '../../support/mailbox.js';
import { startService, type Answer, type Brand, type SignedUp, type TestService } from '../../support/service.js';
import { tracesOf as searchEverywhere } from '../../support/traces.js';
import { multipart, start, upload } from '../file-imports/files.js';

let service: TestService;
let post: ReturnType<typeof startPost>;
const lines: string[] = [];
const log = { write: (line: string) => void lines.push(line) };

beforeAll(async () => {
  service = await startService({ log });
  post = startPost(service, inject('smtpUrl'), pino({ level: 'trace' }, log));
});
afterAll(async () => {
  await post.stop();
  await service.close();
});

const NAME = 'Zoë Quintessa Überbach';
const PASSWORD = 'a password that is hers';
const codeOf = ({ status, json }: Answer) => [status, json?.code];
const bearer = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` });

const signUp = async (email: string, displayName = 'Ana Sousa'): Promise<SignedUp> => {
  const payload = { email, password: PASSWORD, displayName };
  const { json } = await service.call({ method: 'POST', url: '/auth/signup', payload });
  return { ...(json as { userId: string; token: string }), email, password: PASSWORD };
};
const signUpProven = async (email: string, name?: string) => {
  const person = await signUp(email, name);
  await service.database.query('update service.accounts set email_proven_at = now() where id = $1', [person.userId]);
  return person;
};
const invite = (brand: Brand, email: string, role: string, headers: Record<string, string> = {}) =>
  brand.call({
    method: 'POST',
    url: `/organizations/${brand.organizationId}/members`,
    headers,
    payload: { email, role },
  });
const inviteFactory = (brand: Brand, contactEmail: string) =>
  brand.call({
    method: 'POST',
    url: '/brand/suppliers/invite',
    payload: { factoryName: 'Fiação do Norte', contactEmail, country: 'PT', tier: 1 },
  });
const eraseSelf = (who: { token: string }, password = PASSWORD) =>
  service.call({ method: 'DELETE', url: '/account', headers: bearer(who), payload: { password } });
const eraseMember = (brand: Brand, id: string) =>
  brand.call({ method: 'DELETE', url: `/organizations/${brand.organizationId}/members/${id}/personal-data` });

const tracesOf = (texts: readonly string[]) => searchEverywhere(service, texts, lines);

describe('an export', () => {
  test('shows all that is kept about the caller, and nobody else', async () => {
    const brand = await service.asBrand();
    const email = `export-${crypto.randomUUID()}@example.com`;
    await invite(brand, email, 'auditor');
    await inviteFactory(brand, email);
    const zoe = await signUp(email);
    const own = await service.organization(zoe);
    const keep = async (path: string, payload: object) =>
      (await service.call({ method: 'POST', url: `/supplier/${path}`, headers: bearer(zoe), payload })).json
        .id as string;
    const facility = await keep('facilities', { name: 'Hall', address: 'Rua 1' });
    const subSupplier = await keep('sub-suppliers', { name: 'Yarn', contactEmail: 'contact@yarn.example' });
    const { rows } = await service.database.query<{ id: string }>(
      'select id from service.factories where contact_email = $1',
      [email],
    );
    for (const locale of ['pt', 'en']) await noteLanguage(service.database, rows[0]?.id ?? '', locale);
    const { status, json } = await service.call({ url: '/account/export', headers: bearer(zoe) });
    const since = expect.any(Number) as number;
    expect(json.factory.languages).toEqual([
      { locale: 'pt', since },
      { locale: 'en', since },
    ]);
    expect(json.catalogueAddresses).toEqual([
      { entryId: facility, address: 'Rua 1' },
      { entryId: subSupplier, address: 'contact@yarn.example' },
    ]);
    expect([status, json]).toMatchObject([
      200,
      {
        account: { id: zoe.userId, email, displayName: 'Ana Sousa', emailProvenAt: null, hasPassword: true },
        memberships: [{ organizationId: own, role: 'owner' }],
        sessions: [{ endedAt: null }],
        identities: [],
        factory: { contactEmail: email },
        invitations: [{ organizationId: brand.organizationId, role: 'auditor' }],
      },
    ]);
    expect(JSON.stringify(json)).not.toContain(brand.email);
    expect(JSON.stringify(json)).not.toContain('argon2');
  });
});

describe('an erasure', () => {
  test('leaves name and address nowhere, and a history that replays and verifies', async () => {
    const [brand, other] = [await service.asBrand(), await service.asBrand()];
    const email = `zoe.${crypto.randomUUID()}@example.com`;
    // She leaves traces wherever one can.
    await invite(other, email, 'auditor', { 'idempotency-key': crypto.randomUUID() });
    const zoe = await signUpProven(email, NAME);
    await invite(brand, email, 'editor', { 'idempotency-key': crypto.randomUUID() });
    await inviteFactory(brand, email);
    // In her catalogue, from before and after the proof, and in the one of somebody who names her as a contact.
    const early = await signUp(`early.${email}`);
    const mill = await signUpProven(`mill.${crypto.randomUUID()}@example.com`);
    for (const [who, contactEmail] of [
      [zoe, `contact.${email}`],
      [early, `contact.${email}`],
      [mill, email],
    ] as const) {
      const payload = { name: 'Yarn house', contactEmail };
      const headers = { ...bearer(who), 'idempotency-key': 'a-contact' };
      await service.call({ method: 'POST', url: '/supplier/sub-suppliers', headers, payload });
    }
    const keptOf = async (scope: string) =>
      (
        await service.database.query<{ scope: string }>(
          'select scope from service.idempotency_keys where starts_with(scope, $1) and response is not null',
          [scope],
        )
      ).rows;
    expect(await keptOf(`${mill.userId} `)).toHaveLength(1);
    expect((await eraseSelf(early)).status).toBe(200);
    const headers = { ...bearer(zoe), 'x-organization-id': brand.organizationId };
    const made = await service.call({ method: 'POST', url: '/brand/products', headers, payload: { name: 'Shirt' } });
    expect(made.status).toBe(201);
    for (const [url, payload] of [
      ['/auth/magic-link', { email }],
      ['/auth/password-reset', { email }],
      ['/auth/login', { email, password: 'wrong' }],
      ['/auth/login', { email, password: PASSWORD }],
      ['/auth/signup', { email, password: PASSWORD, displayName: NAME }],
    ] as const) {
      await service.call({ method: 'POST', url, payload });
    }
    await eventually(
      () => messagesTo(email),
      (mails) => mails.length >= 4,
    );
    // In a file of a brand that she has nothing to do with, whose import has not begun, and in what was said of its rows.
    const importId = await start(
      other,
      `name,supplier_email,care_instructions\nShirt,${email.toUpperCase()},"Ask\n${email}."\n`,
    );
    await service.database.query(
      `insert into service.import_outcomes (import_id, position, outcome, detail) values ($1, 0, 'error', $2)`,
      [importId, JSON.stringify({ errors: [{ message: `Nobody knows the category "${email}".` }] })],
    );
    // A mail that cannot go out yet.
    await service.database.query(
      `insert into service.member_mails (id, organization_id, account_id, locale, mail_due_at)
       values (gen_random_uuid(), $1, $2, 'en', now() + interval '1 hour')`,
      [brand.organizationId, zoe.userId],
    );
    const before = await tracesOf([NAME, email]);
    expect(before).toEqual(
      expect.arrayContaining([
        ...['service.accounts', 'service.factories', 'service.member_invitations', 'service.catalogue_addresses'],
        ...['service.import_file_rows', 'service.import_outcomes'],
      ]),
    );
    expect(before.filter((place) => !place.startsWith('service.'))).toEqual([]);

    expect(codeOf(await eraseSelf(zoe, 'not her password'))).toEqual([401, 'bad_credentials']);
    expect((await eraseSelf(zoe)).json).toEqual({ ok: true });

    expect(await tracesOf([NAME, email])).toEqual([]);
    const { rows: queued } = await service.database.query('select 1 from service.member_mails where account_id = $1', [
      zoe.userId,
    ]);
    expect(queued).toEqual([]);
    const { rows: kept } = await service.database.query<{ scope: string }>(
      'select scope from service.idempotency_keys where scope like any($1)',
      [[`${brand.organizationId} POST /organizations%`, `${other.organizationId} POST /organizations%`]],
    );
    expect(kept).toEqual([]);
    expect(await keptOf(`${mill.userId} `)).toEqual([]);

    // What she did is still there, verifies, and names her by an opaque id alone.
    expect((await verifyAll(service.eventStore)).problems).toEqual([]);
    const actors: unknown[] = [];
    for await (const event of service.eventStore.readStream(`product-${made.json.id as string}`))
      actors.push(event.metadata.actor);
    expect(actors).toEqual([{ type: 'user', id: zoe.userId }]);
    expect((await brand.call({ url: `/brand/products/${made.json.id as string}` })).json.name).toBe('Shirt');
    expect((await brand.call({ url: '/brand/suppliers' })).json.data).toMatchObject([{ contactEmail: null }]);
    // Nobody is signed in, and the address is free again.
    expect(codeOf(await service.call({ url: '/account/export', headers: bearer(zoe) }))).toEqual([
      401,
      'unauthenticated',
    ]);
    expect(codeOf(await service.call({ url: '/brand/products', headers }))).toEqual([401, 'unauthenticated']);
    expect((await signUp(email)).userId).not.toBe(zoe.userId);
  });

  test('takes the address out of uploaded files, also from the answer to the same call, and leaves longer ones', async () => {
    const brand = await service.asBrand();
    const zoe = await signUpProven(`zoe+mill_${crypto.randomUUID()}@example.com`);
    const { email } = zoe;
    const rows = [email, `x${email}`, `x.${email}`, `${email}.pt`, `Zoe <${email}> (${email})`];
    const file = `name,supplier_email\n${rows.map((row) => `Shirt,"${row}"\n`).join('')}`;
    const { json } = await upload(brand, file, { key: 'a-file' });
    expect(json.preview).toHaveLength(rows.length);
    expect((await eraseSelf(zoe)).status).toBe(200);
    for (const answer of [
      await upload(brand, file, { key: 'a-file' }),
      await brand.call({ url: `/brand/bulk/files/${json.id as string}` }),
    ]) {
      const shown = answer.json.preview as { cells: Record<string, string> }[];
      expect(answer.json.id).toBe(json.id);
      expect(shown.map(({ cells }) => cells.supplier_email ?? '')).toEqual([
        ...['', `x${email}`, `x.${email}`, `${email}.pt`, 'Zoe <> ()'],
      ]);
    }
  });

  test('takes the address out of the names of columns, and the answers to imports that quote it are made anew', async () => {
    const brand = await service.asBrand();
    const zoe = await signUpProven(`zoe_columns.${crypto.randomUUID()}@example.com`);
    const { email } = zoe;
    const columns = `name,${email},${email} (weight)\n`;
    const mapping = JSON.stringify({ [email]: 'sku', [`${email} (weight)`]: 'weight_kg' });
    const importId = await start(brand, `${columns}Shirt,${crypto.randomUUID()},0.2\n`, { mapping });
    // A row that goes in, and one that is quoted; the first has no key, so that it would be doubled by a call that is a new one.
    const rows = [{ name: 'Shirt without a key' }, { name: 'Shirt', categoryId: email }];
    const { payload, headers } = multipart(`name,category\nShirt without a key,\nShirt,${email}\n`);
    const calls = [
      () => ({ url: '/brand/bulk/commit', payload: { mode: 'create', rows }, headers: { 'idempotency-key': 'json' } }),
      () => ({ url: '/brand/bulk/products', payload, headers: { ...headers, 'idempotency-key': 'csv' } }),
    ];
    const sendAll = () => Promise.all(calls.map((call) => brand.call({ method: 'POST', ...call() })));
    const first = await sendAll();
    expect(first.map(({ status, body }) => [status, body.includes(email)])).toEqual(calls.map(() => [200, true]));
    const kept = async () => {
      const { rows: answers } = await service.database.query<{ key: string }>(
        `select key from service.idempotency_keys where starts_with(scope, $1) and response is not null order by key`,
        [brand.organizationId],
      );
      return answers.map(({ key }) => key);
    };
    expect([await kept(), await tracesOf([email])]).toEqual([
      ['csv', 'json'],
      expect.arrayContaining(['service.import_files', 'service.imports', 'service.import_mappings']),
    ]);

    // Kept under a key that the service had before: nobody can tell what they say.
    await service.database.query(
      `insert into service.idempotency_keys (scope, key, body_hash, seed, status, response)
       select $1 || ' POST /brand/bulk/commit', 'sealed-' || n, '\\x00', gen_random_uuid(), 200, sha256(n::text::bytea)
         from generate_series(1, 25) n`,
      [brand.organizationId],
    );
    expect((await eraseSelf(zoe)).status).toBe(200);

    expect([await kept(), await tracesOf([email])]).toEqual([[], []]);
    expect((await brand.call({ url: `/brand/bulk/files/${importId}` })).json).toMatchObject({
      mapping: { name: 'name', '': 'sku', ' (weight)': 'weight_kg' },
      validation: { summary: { create: 1, errors: 0 } },
    });
    const made = (await brand.call({ url: '/brand/products' })).json.data.length;
    expect((await sendAll()).map(({ json }) => json)).toEqual(first.map(({ json }) => json));
    expect((await brand.call({ url: '/brand/products' })).json.data).toHaveLength(made);
  });

  test('waits until every organization has another owner', async () => {
    const [brand, zoe] = [await service.asBrand(), await signUp(`${crypto.randomUUID()}@example.com`)];
    const own = await service.organization(zoe);
    expect(codeOf(await eraseSelf(zoe))).toEqual([409, 'last_owner']);
    const payload = { email: brand.email, role: 'owner' };
    const url = `/organizations/${own}/members`;
    expect((await service.call({ method: 'POST', url, headers: bearer(zoe), payload })).status).toBe(201);
    expect((await eraseSelf(zoe)).status).toBe(200);
  });

  test('of two owners who erase themselves in the same moment leaves one', async () => {
    for (let round = 0; round < 3; round++) {
      const [ana, zoe] = [
        await signUpProven(`${crypto.randomUUID()}@example.com`),
        await signUpProven(`${crypto.randomUUID()}@example.com`),
      ];
      const own = await service.organization(ana);
      const url = `/organizations/${own}/members`;
      await service.call({ method: 'POST', url, headers: bearer(ana), payload: { email: zoe.email, role: 'owner' } });
      const statuses = (await Promise.all([eraseSelf(ana), eraseSelf(zoe)])).map(({ status }) => status);
      expect(statuses.sort()).toEqual([200, 409]);
    }
  });

  test('by an owner ends the account of who is a member there and nowhere else', async () => {
    const brand = await service.asBrand();
    const email = `member.${crypto.randomUUID()}@example.com`;
    const zoe = await signUpProven(email);
    await invite(brand, email, 'editor');
    expect((await eraseMember(brand, zoe.userId)).json).toEqual({ ok: true });
    expect(await tracesOf([email])).toEqual([]);
    expect(codeOf(await eraseMember(brand, zoe.userId))).toEqual([404, 'not_found']);
    expect(codeOf(await eraseMember(brand, brand.userId))).toEqual([409, 'last_owner']);
  });

  test('by an owner forgets an invitation', async () => {
    const brand = await service.asBrand();
    const email = `invited.${crypto.randomUUID()}@example.com`;
    const { json } = await invite(brand, email, 'editor');
    expect((await eraseMember(brand, json.id as string)).status).toBe(200);
    expect(await tracesOf([email])).toEqual([]);
  });

  test("by an owner is not a way to end somebody's account elsewhere", async () => {
    const [brand, other] = [await service.asBrand(), await service.asBrand()];
    await invite(brand, other.email, 'auditor');
    expect(codeOf(await eraseMember(brand, other.userId))).toEqual([409, 'account_in_use']);
    const factory = await signUpProven(`factory.${crypto.randomUUID()}@example.com`);
    await inviteFactory(other, factory.email);
    await invite(brand, factory.email, 'auditor');
    expect(codeOf(await eraseMember(brand, factory.userId))).toEqual([409, 'account_in_use']);
    expect((await other.call({ url: '/organizations' })).status).toBe(200);
  });
});
