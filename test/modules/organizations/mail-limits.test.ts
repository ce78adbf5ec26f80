import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countMailsNow } from '../../../src/modules/organizations/mail-limits.js';
import {
  address,
  batch,
  EXAMPLE_A,
  eventually,
  messagesTo,
  product,
  requestMailsTo,
  startServiceWithWorker,
  tokenIn,
  type ServiceWithWorker,
} from '../../support/brand-story.js';
import { startPost } from '../../support/mailbox.js';
import type { Answer, Brand, Call } from '../../support/service.js';

let service: ServiceWithWorker;
let post: ReturnType<typeof startPost>;

beforeAll(async () => {
  service = await startServiceWithWorker();
  post = startPost(service);
}, 120_000);
afterAll(async () => {
  await post.stop();
  await service.close();
});

const DAY_S = 86_400;

/** The maker of an organization who has not proven an address, and calls for it. */
async function unproven(): Promise<Brand> {
  const owner = await service.signUp();
  const organizationId = await service.organization(owner);
  const headers = { authorization: `Bearer ${owner.token}`, 'x-organization-id': organizationId };
  const call = (options: Call) => service.call({ ...options, headers: { ...headers, ...options.headers } });
  return { ...owner, organizationId, headers, call };
}

const invite = (as: Brand, contactEmail: string, headers: Record<string, string> = {}): Promise<Answer> =>
  as.call({
    ...{ method: 'POST', url: '/brand/suppliers/invite', headers },
    payload: { factoryName: 'Mill', contactEmail, country: 'PT', tier: 1 },
  });
const inviteMember = (as: Brand, email: string): Promise<Answer> =>
  as.call({ method: 'POST', url: `/organizations/${as.organizationId}/members`, payload: { email, role: 'editor' } });
const send = (as: Brand, batchId: string): Promise<Answer> =>
  as.call({ method: 'POST', url: `/brand/batches/${batchId}/send-request`, payload: {} });
const outcomes = (answers: readonly Answer[]) =>
  answers.map(({ status, json }): string => (json?.code as string | undefined) ?? String(status));
const suppliersOf = async (as: Brand) => (await as.call({ url: '/brand/suppliers' })).json.data as { state: string }[];
/** As if so much time had passed since the mails of these senders. */
const passes = (seconds: number, ...senders: readonly string[]) =>
  service.database.query(
    'update service.third_party_mails set counted_at = counted_at - make_interval(secs => $1) where sender = any($2)',
    [seconds, senders],
  );
const many = (count: number, name = 'mill') => Array.from({ length: count }, () => address(name));

function expectRefused(answer: Answer): void {
  expect([answer.status, answer.json.code], answer.body).toEqual([429, 'mail_limit']);
  const seconds = Number(answer.headers['retry-after']);
  expect(seconds).toBeGreaterThan(DAY_S - 600);
  expect(seconds).toBeLessThanOrEqual(DAY_S);
  expect(answer.json.retryAfterS).toBe(seconds);
}

describe('an organization whose owners have proven no address', () => {
  test('takes the first steps all the same, and their mails arrive', async () => {
    const brand = await unproven();
    const email = address('first');
    const invited = await invite(brand, email);
    expect(invited.status).toBe(201);
    const batchId = await batch(brand, await product(brand), { id: invited.json.id as string, email });
    expect((await send(brand, batchId)).status).toBe(200);
    expect((await requestMailsTo(email))[0]?.subject).toContain('Nordfaden');
  });

  test('sends three mails to an address in a day, whatever they are, and the fourth when the first is a day old', async () => {
    const brand = await unproven();
    const email = address('often');
    const { json } = await invite(brand, email);
    const batchId = await batch(brand, await product(brand), { id: json.id as string, email });
    expect([(await send(brand, batchId)).status, (await invite(brand, email)).status]).toEqual([200, 200]);
    const events = async () => {
      const found = [];
      for await (const { type } of service.eventStore.readStream(`batch-${batchId}`)) found.push(type);
      return found.filter((type) => type === 'DppRequestSent').length;
    };
    // A reminder, an invitation sent again, a member: nothing of it is left behind.
    const invitedBefore = await suppliersOf(brand);
    for (const call of [() => send(brand, batchId), () => invite(brand, email), () => inviteMember(brand, email)]) {
      expectRefused(await call());
    }
    expect(await events()).toBe(1);
    expect(await suppliersOf(brand)).toEqual(invitedBefore);
    expect((await brand.call({ url: `/organizations/${brand.organizationId}/members` })).json.data).toHaveLength(1);
    expect((await invite(brand, address('another'))).status).toBe(201);
    await passes(DAY_S, brand.userId);
    expect((await send(brand, batchId)).status).toBe(200);
    expect(await events()).toBe(2);
  });

  test('sends twenty in all, also when many are asked for at once, by several organizations of one owner', async () => {
    const brand = await unproven();
    const second = await service.organization(brand, 'Second');
    const headers = { 'x-organization-id': second };
    const calls = many(20).flatMap((email) => [() => invite(brand, email), () => invite(brand, address('x'), headers)]);
    const told = outcomes(await Promise.all(calls.map((call) => call())));
    expect(told.filter((outcome) => outcome === '201')).toHaveLength(20);
    expect(told.filter((outcome) => outcome === 'mail_limit')).toHaveLength(20);
    const made = [...(await suppliersOf(brand)), ...(await brand.call({ url: '/brand/suppliers', headers })).json.data];
    expect(made).toHaveLength(20);
    // Somebody else is not in their way.
    expect((await invite(await unproven(), address('other'))).status).toBe(201);
  });

  test('counts a call once that is sent again, and one whose mail is out already', async () => {
    const brand = await unproven();
    const email = address('again');
    const headers = { 'idempotency-key': email };
    for (const _ of [1, 2, 3, 4]) expect((await invite(brand, email, headers)).status).toBe(201);
    const mails = [{ messageId: `${brand.organizationId}.test`, to: email }];
    const order = { organizationId: brand.organizationId, mails };
    const deps = { database: service.database, linkKey: service.config.LINK_KEY };
    // As somebody who was killed after it was counted: the next one finds it.
    await Promise.all([1, 2, 3, 4].map(() => countMailsNow(deps, order)));
    expect((await invite(brand, email)).status).toBe(200);
    expectRefused(await invite(brand, email));
  });

  test('asks a factory that has answered for changes beyond that', async () => {
    const brand = await unproven();
    const email = address('answers');
    const { json } = await invite(brand, email);
    const batchId = await batch(brand, await product(brand), { id: json.id as string, email });
    await send(brand, batchId);
    await send(brand, batchId);
    const [mail] = await requestMailsTo(email);
    const link = `/factory/requests/${tokenIn(mail)}`;
    for (const round of [1, 2]) {
      expect((await service.call({ method: 'POST', url: `${link}/submit`, payload: EXAMPLE_A })).status).toBe(200);
      const url = `/brand/batches/${batchId}/request-changes`;
      expect((await brand.call({ method: 'POST', url, payload: { notes: `Round ${round}` } })).status).toBe(200);
      await eventually(
        () => messagesTo(email),
        (mails) => mails.some(({ text }) => text.includes(`Round ${round}`)),
      );
    }
    expectRefused(await invite(brand, email));
  });
});

describe('an organization', () => {
  test('sends ten to an address once an owner has proven theirs, and two hundred in all', async () => {
    const brand = await service.asBrand({ plan: 'free' });
    const email = address('ten');
    const told = outcomes(await Promise.all(Array.from({ length: 12 }, () => invite(brand, email))));
    expect(told.filter((outcome) => outcome === 'mail_limit')).toHaveLength(2);
    await service.database.query(
      `insert into service.third_party_mails (message_id, sender, recipient, counted_at)
       select $1 || n, $1, decode(md5(n::text), 'hex'), now() from generate_series(1, 189) n`,
      [brand.userId],
    );
    expect((await inviteMember(brand, address('last'))).status).toBe(201);
    expectRefused(await inviteMember(brand, address('late')));
    expectRefused(await invite(brand, address('late')));
  });

  test('on pro is held by neither, and by two thousand', async () => {
    const brand = await service.asBrand();
    const email = address('pro');
    for (let sent = 0; sent < 12; sent += 1) expect((await invite(brand, email)).status).toBeLessThan(300);
    await service.database.query(
      `insert into service.third_party_mails (message_id, sender, recipient, counted_at)
       select $1 || n, $1, decode(md5(n::text), 'hex'), now() from generate_series(1, 1988) n`,
      [brand.organizationId],
    );
    expectRefused(await invite(brand, address('late')));
  });

  test('accepts no proposal whose invitation has no room, and accepts it when there is', async () => {
    const brand = await service.asBrand({ plan: 'free' });
    const email = address('asked');
    const { json } = await invite(brand, email);
    const productId = await product(brand);
    const batchId = await batch(brand, productId, { id: json.id as string, email });
    await send(brand, batchId);
    const [mail] = await requestMailsTo(email);
    const payload = {
      materialType: 'cotton_organic',
      name: 'Spinner',
      contactEmail: address('spinner'),
      country: 'TR',
    };
    const url = `/factory/requests/${tokenIn(mail)}/proposals`;
    const proposed = await service.call({ method: 'POST', url, payload });
    expect(proposed.status, proposed.body).toBe(201);
    await service.database.query(
      `insert into service.third_party_mails (message_id, sender, recipient, counted_at)
       select $1 || n, $1, decode(md5(n::text), 'hex'), now() from generate_series(1, 198) n`,
      [brand.userId],
    );
    const accept = () => brand.call({ method: 'POST', url: `/brand/proposals/${proposed.json.id}/accept` });
    expectRefused(await accept());
    expect((await brand.call({ url: '/brand/proposals' })).json.data).toMatchObject([{ state: 'proposed' }]);
    expect(await suppliersOf(brand)).toHaveLength(1);
    await passes(DAY_S, brand.userId);
    expect((await accept()).status).toBe(200);
    await eventually(
      () => messagesTo(payload.contactEmail),
      (mails) => mails.length === 1,
    );
  });
});

describe('a name that holds a web address', () => {
  const LURE = 'Prize at https://evil.example/x';

  test('is refused wherever it would stand in a mail', async () => {
    const brand = await service.asBrand();
    const { json: made } = await brand.call({ method: 'POST', url: '/brand/products', payload: { name: 'Tee' } });
    const account = { email: address('lure'), password: 'a long enough password' };
    const supplier = { contactEmail: address('lure'), country: 'PT', tier: 1 };
    const calls = [
      ['displayName', { method: 'POST', url: '/auth/signup', payload: { ...account, displayName: LURE } }],
      ['name', { method: 'POST', url: '/organizations', payload: { name: LURE } }],
      ['factoryName', { method: 'POST', url: '/brand/suppliers/invite', payload: { ...supplier, factoryName: LURE } }],
      ['name', { method: 'POST', url: '/brand/products', payload: { name: LURE } }],
      ['name', { method: 'PUT', url: `/brand/products/${made.id}`, payload: { name: LURE } }],
      ['name', { method: 'POST', url: '/supplier/sub-suppliers', payload: { name: LURE } }],
    ] as const;
    for (const [path, options] of calls) {
      const { status, json } = await brand.call(options);
      expect([status, json.errors?.[0]?.path], options.url).toEqual([422, path]);
    }
    const rows = [
      { name: LURE, externalId: 'lure-1' },
      { name: 'Tee', externalId: 'lure-2', supplierName: LURE },
    ];
    const imported = await brand.call({ method: 'POST', url: '/brand/bulk/commit', payload: { mode: 'create', rows } });
    expect(imported.json.summary).toMatchObject({ errors: 2, create: 0 });
    const fields = imported.json.rows.map(({ errors }: { errors: { field: string }[] }) => errors[0]?.field);
    expect(fields).toEqual(['name', 'supplierName']);
  });

  test('does not come in by an import that names an address alone', async () => {
    const brand = await service.asBrand();
    const rows = [{ name: 'Tee', externalId: 'domain', supplierEmail: 'office@ege-iplik.com' }];
    await brand.call({ method: 'POST', url: '/brand/bulk/commit', payload: { mode: 'create', rows } });
    expect(await suppliersOf(brand)).toMatchObject([{ factoryName: 'ege-iplik' }]);
  });
});
