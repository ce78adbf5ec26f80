import { describe, expect, test } from 'vitest';
import type { Brand } from '../../support/service.js';
import {
  address,
  batch,
  eventually,
  messagesTo,
  product,
  type Message,
  type ServiceWithWorker,
} from '../../support/brand-story.js';
import { withWorker } from '../../support/shared-service.js';

let service: ServiceWithWorker;
let brand: Brand;
let other: Brand;

withWorker.beforeAll(async ({ service: shared }) => {
  service = shared;
  [brand, other] = [await service.asBrand({ name: 'Nordfaden' }), await service.asBrand({ name: 'Südfaden' })];
}, 120_000);

const SUPPLIERS = '/brand/suppliers';
const PASSWORD = 'a long enough password';

const invite = (contactEmail: string, changes: object = {}, as = brand, headers: Record<string, string> = {}) =>
  as.call({
    method: 'POST',
    url: `${SUPPLIERS}/invite`,
    headers,
    payload: { factoryName: 'Fiação Lda', contactEmail, country: 'PT', tier: 1, ...changes },
  });
const list = async (as = brand) => (await as.call({ url: SUPPLIERS })).json.data as Record<string, unknown>[];
const stateOf = async (id: string, as = brand) => (await as.call({ url: `${SUPPLIERS}/${id}` })).json.state as string;

const sharingOf = async (id: string, as = brand) =>
  (await as.call({ url: `${SUPPLIERS}/${id}` })).json.sharing as string;
const invited = async (as: Brand, email: string) => ({ id: (await invite(email, {}, as)).json.id as string, email });

const mails = (email: string, count: number): Promise<readonly Message[]> =>
  eventually(
    () => messagesTo(email),
    (messages) => messages.length >= count,
  );
const joinPath = async (email: string, count = 1): Promise<string> => {
  const [mail] = await mails(email, count);
  const link = mail?.links.find((candidate) => candidate.includes('/join/'));
  if (link === undefined) throw new Error('the mail holds no link to join');
  return new URL(link).pathname;
};
const page = (url: string) => service.call({ url, headers: { accept: 'text/html' } });
const send = (url: string, form: Record<string, string>) =>
  service.call({
    method: 'POST',
    url,
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(form).toString(),
  });
const join = (url: string, form: Record<string, string> = {}) =>
  send(url, { action: 'join', displayName: 'Rui Silva', password: PASSWORD, ...form });

describe('POST /brand/suppliers/invite', () => {
  test('makes the record in its full shape and mails the address', async () => {
    const email = address('mill');
    const { status, json } = await invite(email.toUpperCase(), { notes: 'Bring <b>samples</b>' });
    expect(status).toBe(201);
    expect(json).toEqual({
      id: expect.stringMatching(/^sup_/) as string,
      factoryName: 'Fiação Lda',
      country: 'PT',
      tier: 1,
      state: 'invited',
      sharing: 'asked',
      contactEmail: email,
      facilities: [],
      certificates: [],
      subSuppliers: [],
      products: [],
      batches: [],
    });
    expect((await brand.call({ url: `${SUPPLIERS}/${json.id}` })).json).toEqual(json);
    expect((await list())[0]).toMatchObject({
      id: json.id,
      contactEmail: email,
      certificateCount: 0,
      productCount: 0,
      batchCount: 0,
    });
    const [mail] = await mails(email, 1);
    expect(mail?.subject).toContain('Nordfaden');
    expect(mail?.text).toContain('Bring <b>samples</b>');
    expect(mail?.html).not.toContain('<b>samples</b>');
  });

  test('updates the one record of an address, answers 200 and mails again', async () => {
    const email = address('again');
    const first = await invite(email);
    const second = await invite(email, { factoryName: 'New name', tier: 2, country: null });
    expect([second.status, second.json.id]).toEqual([200, first.json.id]);
    expect(second.json).toMatchObject({ factoryName: 'New name', tier: 2, country: null, state: 'invited' });
    expect((await list()).filter(({ contactEmail }) => contactEmail === email)).toHaveLength(1);
    await mails(email, 2);
  });

  test('makes one record when ten invite an address at once', async () => {
    const email = address('race');
    const answers = await Promise.all(Array.from({ length: 10 }, () => invite(email)));
    expect(new Set(answers.map(({ json }) => json.id as string)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9);
  });

  test('repeated under one Idempotency-Key invites once', async () => {
    const email = address('key');
    const headers = { 'idempotency-key': email };
    const [first, second] = [await invite(email, {}, brand, headers), await invite(email, {}, brand, headers)];
    expect(second.status).toBe(201);
    expect(second.json).toEqual(first.json);
    const events = [];
    for await (const event of service.eventStore.readStream(`supplier-${first.json.id}`)) events.push(event.type);
    expect(events).toEqual(['SupplierInvited']);
  });

  test('gives each organization its own record of an address', async () => {
    const email = address('shared');
    const [ours, theirs] = [await invite(email), await invite(email, {}, other)];
    expect(theirs.status).toBe(201);
    expect(theirs.json.id).not.toBe(ours.json.id);
    expect((await other.call({ url: `${SUPPLIERS}/${ours.json.id}` })).status).toBe(404);
    expect((await list(other)).some(({ id }) => id === ours.json.id)).toBe(false);
  });

  test('links an address with an account at once and tells it', async () => {
    const { email } = await service.signUp(address('account'));
    const { status, json } = await invite(email);
    expect([status, json.state]).toEqual([201, 'confirmed']);
    const [mail] = await mails(email, 1);
    expect(mail?.links.some((link) => link.includes('/join/'))).toBe(true);
  });

  test("refuses the inviter's own address", async () => {
    const { status, json } = await invite(brand.email.toUpperCase());
    expect(status).toBe(422);
    expect(json.errors).toMatchObject([{ path: 'contactEmail' }]);
  });

  test.each([
    [{ factoryName: '' }, 'factoryName'],
    [{ factoryName: 'A\r\nBcc: all@example.com' }, 'factoryName'],
    [{ factoryName: 'x'.repeat(201) }, 'factoryName'],
    [{ contactEmail: 'nobody' }, 'contactEmail'],
    [{ contactEmail: 'a@example.com\r\nBcc: b@example.com' }, 'contactEmail'],
    [{ contactEmail: 'a@example.com, b@example.com' }, 'contactEmail'],
    [{ country: 'XX' }, 'country'],
    [{ tier: 0 }, 'tier'],
    [{ tier: 10 }, 'tier'],
    [{ tier: 1.5 }, 'tier'],
    [{ tier: '1' }, 'tier'],
    [{ notes: 'a\0b' }, 'notes'],
    [{ notes: 'x'.repeat(5001) }, 'notes'],
  ])('refuses %j, naming %s', async (changes, path) => {
    const before = await list();
    const { status, json } = await invite(address('bad'), changes);
    expect(status).toBe(422);
    expect(json.errors.map((error: { path: string }) => error.path)).toContain(path);
    expect(await list()).toEqual(before);
  });

  test('puts line breaks of the notes into the text and never into a header', async () => {
    const email = address('headers');
    await invite(email, { notes: 'Hello\r\nBcc: everybody@example.com\r\n\r\nBye' });
    const [mail] = await mails(email, 1);
    expect(mail?.to).toContain(email);
    expect(mail?.subject).not.toContain('everybody');
    expect(await messagesTo('everybody@example.com')).toEqual([]);
  });
});

describe('the page behind the link', () => {
  test('makes the account and confirms every record that invited the address', async () => {
    const email = address('joins');
    const [ours, theirs] = [await invite(email), await invite(email, {}, other)];
    const invitation = (await mails(email, 2)).find(({ subject }) => subject.includes('Nordfaden'));
    const path = new URL(invitation?.links.find((link) => link.includes('/join/')) ?? '').pathname;
    const open = await page(path);
    expect([open.status, open.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(open.body).toContain(email);
    // Looking changes nothing.
    expect(await stateOf(ours.json.id as string)).toBe('invited');

    const joined = await join(path);
    expect(joined.status).toBe(200);
    expect(await stateOf(ours.json.id as string)).toBe('confirmed');
    expect(await stateOf(theirs.json.id as string, other)).toBe('confirmed');
    const login = await service.call({ method: 'POST', url: '/auth/login', payload: { email, password: PASSWORD } });
    expect(login.status).toBe(200);
    expect((await list())[0]).toMatchObject({ state: 'confirmed' });
    // By the link of one brand: the other one goes on asking.
    expect([await sharingOf(ours.json.id as string), await sharingOf(theirs.json.id as string, other)]).toEqual([
      ...['granted', 'asked'],
    ]);
  });

  test('ends with its use, and is good again with the next invitation', async () => {
    const email = address('once');
    await invite(email);
    const path = await joinPath(email);
    expect((await join(path)).status).toBe(200);
    for (const answer of [await page(path), await join(path), await send(path, { action: 'decline' })]) {
      expect(answer.status).toBe(404);
    }
    expect((await list()).find(({ contactEmail }) => contactEmail === email)).toMatchObject({ state: 'confirmed' });
    await invite(email);
    expect((await page(path)).status).toBe(200);
  });

  test('ends after 30 days', async () => {
    const email = address('late');
    const { json } = await invite(email);
    const path = await joinPath(email);
    const leftDays = async () => {
      const { rows } = await service.database.query<{ days: number }>(
        `select extract(epoch from expires_at - now()) / 86400 as days from service.invitation_links
          where supplier_id = $1`,
        [json.id],
      );
      return Number(rows[0]?.days);
    };
    expect(Math.round(await leftDays())).toBe(30);
    await service.database.query(
      "update service.invitation_links set expires_at = expires_at - interval '30 days' where supplier_id = $1",
      [json.id],
    );
    for (const answer of [await page(path), await join(path)]) expect(answer.status).toBe(404);
    expect(await stateOf(json.id as string)).toBe('invited');
    await invite(email);
    expect(Math.round(await leftDays())).toBe(30);
    expect((await page(path)).status).toBe(200);
  });

  test('shows the open requests with their links', async () => {
    const email = address('busy');
    const { json: supplier } = await invite(email);
    const materials = [{ materialType: 'linen', percentage: 100 }];
    const product = await brand.call({
      method: 'POST',
      url: '/brand/products',
      payload: { name: 'Linen shirt', materials },
    });
    const order = {
      productId: product.json.id,
      factoryId: supplier.id,
      poReference: 'PO-9',
      quantity: 5,
      unit: 'piece',
    };
    const batch = await brand.call({ method: 'POST', url: '/brand/batches', payload: order });
    const sent = await brand.call({
      method: 'POST',
      url: `/brand/batches/${batch.json.id}/send-request`,
      payload: { notes: 'Please' },
    });
    expect(sent.status).toBe(200);
    await mails(email, 2);
    const invitation = (await messagesTo(email)).find(({ links }) => links.some((link) => link.includes('/join/')));
    const link = invitation?.links.find((candidate) => candidate.includes('/join/')) ?? '';
    const { body } = await join(new URL(link).pathname);
    expect(body).toContain('Linen shirt');
    const form = /href="(\/f\/[^"]+)"/.exec(body)?.[1] ?? '';
    expect((await page(form)).status).toBe(200);
    const detail = await brand.call({ url: `${SUPPLIERS}/${supplier.id}` });
    expect(detail.json.batches).toMatchObject([{ id: batch.json.id, poReference: 'PO-9', role: 'factory' }]);
    expect((await list()).find(({ id }) => id === supplier.id)).toMatchObject({ batchCount: 1 });
  });

  test('declines, and an invitation of the declined address asks again', async () => {
    const email = address('declines');
    const { json } = await invite(email);
    const path = await joinPath(email);
    expect((await send(path, { action: 'decline' })).status).toBe(200);
    expect(await stateOf(json.id as string)).toBe('declined');
    const again = await invite(email);
    expect([again.status, again.json.state]).toEqual([200, 'invited']);
  });

  test('shows nothing of what another brand asks', async () => {
    const email = address('two-brands');
    const records = [await invited(brand, email), await invited(other, email)] as const;
    for (const [asking, record, name] of [
      [brand, records[0], 'Northern tee'],
      [other, records[1], 'Southern tee'],
    ] as const) {
      const id = await batch(asking, await product(asking, [], name), record);
      await asking.call({ method: 'POST', url: `/brand/batches/${id}/send-request`, payload: {} });
    }
    const invitations = (await mails(email, 4)).filter(({ links }) => links.some((link) => link.includes('/join/')));
    for (const mail of invitations) {
      const path = new URL(mail.links.find((link) => link.includes('/join/')) ?? '').pathname;
      const [own, foreign] = mail.subject.includes('Nordfaden') ? ['Northern', 'Southern'] : ['Southern', 'Northern'];
      // The first one joins, the second finds that there is an account by now.
      const [seen, joined] = [await page(path), await join(path)];
      for (const { body } of [seen, joined]) expect(body).not.toContain(`${foreign} tee`);
      expect(joined.body).toContain(`${own} tee`);
    }
    expect(invitations).toHaveLength(2);
  });

  test('lets a linked account accept, which ends the link', async () => {
    const { email } = await service.signUp(address('accepts'));
    const { json } = await invite(email);
    const path = await joinPath(email);
    expect(await sharingOf(json.id as string)).toBe('asked');
    expect((await page(path)).body).toContain('value="accept"');
    expect((await send(path, { action: 'accept' })).body).not.toContain('<button');
    expect(await sharingOf(json.id as string)).toBe('granted');
    expect((await send(path, { action: 'decline' })).status).toBe(404);
  });

  test('lets a linked account decline', async () => {
    const { email } = await service.signUp(address('linked'));
    const { json } = await invite(email);
    const path = await joinPath(email);
    expect((await page(path)).body).toContain('value="decline"');
    await send(path, { action: 'decline' });
    expect(await stateOf(json.id as string)).toBe('declined');
    const again = await invite(email);
    expect([again.status, again.json.state]).toEqual([200, 'confirmed']);
  });

  test('takes an account that nobody had proven from whoever prepared it', async () => {
    const email = address('prepared');
    await invite(email);
    const path = await joinPath(email);
    const intruder = await service.signUp(email);
    await join(path, { password: 'the password of the owner' });
    const withToken = await service.call({
      url: '/organizations',
      headers: { authorization: `Bearer ${intruder.token}` },
    });
    expect(withToken.status).toBe(401);
    const login = (password: string) =>
      service.call({ method: 'POST', url: '/auth/login', payload: { email, password } });
    expect((await login(intruder.password)).status).toBe(401);
    expect((await login('the password of the owner')).status).toBe(200);
  });

  test.each([
    [{ password: 'short' }, 'password'],
    [{ displayName: ' ' }, 'displayName'],
    [{ displayName: 'a\0b' }, 'displayName'],
    [{ action: 'conquer' }, 'action'],
  ])('answers %j with the page, what was typed, and the error', async (form, field) => {
    const email = address('typed');
    const { json } = await invite(email);
    const { status, body } = await join(await joinPath(email), { displayName: 'Typed <i>name</i>', ...form });
    expect(status).toBe(422);
    if (field === 'password') {
      expect(body).toContain('Typed &lt;i>name');
      expect(body).toContain('aria-invalid="true"');
    }
    expect(await stateOf(json.id as string)).toBe('invited');
  });

  test('is not there for a token with one character changed', async () => {
    const email = address('forged');
    await invite(email);
    const path = await joinPath(email);
    const forged = path.slice(0, -2) + (path.at(-2) === 'A' ? 'B' : 'A') + path.slice(-1);
    for (const answer of [await page(forged), await join(forged), await page('/join/x')]) {
      expect([answer.status, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    }
  });
});
