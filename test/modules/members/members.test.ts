import { afterAll, describe, expect, test } from 'vitest';
import { eventually, messagesTo } from '../../support/brand-story.js';
import { startPost } from '../../support/mailbox.js';
import type { Answer, Brand, SignedUp, TestService } from '../../support/service.js';
import { withService } from '../../support/shared-service.js';

let service: TestService;
let post: ReturnType<typeof startPost>;
withService.beforeAll(async ({ service: shared }) => {
  service = shared;
  post = startPost(service);
});
afterAll(() => post.stop());

type Role = 'owner' | 'editor' | 'auditor';

const membersUrl = ({ organizationId }: Brand, id?: string) =>
  `/organizations/${organizationId}/members${id === undefined ? '' : `/${id}`}`;
const invite = (brand: Brand, email: string, role: string, headers: Record<string, string> = {}) =>
  brand.call({ method: 'POST', url: membersUrl(brand), payload: { email, role }, headers });
const list = async (brand: Brand) => (await brand.call({ url: membersUrl(brand) })).json.data as { email: string }[];
const changeRole = (brand: Brand, id: string, role: Role) =>
  brand.call({ method: 'PATCH', url: membersUrl(brand, id), payload: { role } });
const remove = (brand: Brand, id: string) => brand.call({ method: 'DELETE', url: membersUrl(brand, id) });
const newAddress = () => `${crypto.randomUUID()}@example.com`;
const codeOf = ({ status, json }: Answer) => [status, json?.code];

/** Calls of somebody for the brand's organization. */
const as = (who: SignedUp, brand: Brand) => (method: 'GET' | 'POST', url: string, payload?: object) =>
  service.call({
    ...{ method, url, headers: { authorization: `Bearer ${who.token}`, 'x-organization-id': brand.organizationId } },
    ...(payload === undefined ? {} : { payload }),
  });

const invitationLinks = async (email: string, count = 1) => {
  const links = async () =>
    (await messagesTo(email)).flatMap((mail) => mail.links).filter((link) => link.includes('/join-team/'));
  return eventually(links, (found) => found.length >= count);
};

const openLink = (link: string) => service.call({ url: new URL(link).pathname });
const sendForm = (link: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  service.call({
    method: 'POST',
    url: new URL(link).pathname,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(fields).toString(),
  });
const newcomer = { displayName: 'Rui Costa', password: 'a password of his own' };

describe('an address with an account that has proven it', () => {
  test('is a member at once, also for the token it has, and is told by mail', async () => {
    const [brand, ana] = [await service.asBrand({ name: 'Weberei Süd' }), await service.signUpProven()];
    expect(codeOf(await as(ana, brand)('GET', '/brand/products'))).toEqual([403, 'not_a_member']);
    const added = await invite(brand, ` ${ana.email.toUpperCase()} `, 'editor');
    expect([added.status, added.json]).toEqual([
      201,
      {
        id: ana.userId,
        userId: ana.userId,
        email: ana.email,
        displayName: 'Ana Sousa',
        role: 'editor',
        state: 'member',
        createdAt: expect.any(Number) as number,
      },
    ]);
    expect((await as(ana, brand)('POST', '/brand/products', { name: 'Shirt' })).status).toBe(201);
    const [mail] = await eventually(
      async () => (await messagesTo(ana.email)).filter(({ subject }) => subject.includes('Weberei Süd')),
      (found) => found.length > 0,
    );
    expect(mail?.text).toContain('as editor');
    expect(mail?.links.map((link) => new URL(link).pathname)).toEqual(['/sign-in']);
    const { json } = await service.call({ url: '/organizations', headers: { authorization: `Bearer ${ana.token}` } });
    expect(json.data).toMatchObject([{ id: brand.organizationId, role: 'editor' }]);
  });

  test('that is a member already changes nothing with the same role, and is a conflict with another', async () => {
    const [brand, ana] = [await service.asBrand(), await service.signUpProven()];
    const first = await invite(brand, ana.email, 'editor');
    const again = await invite(brand, ana.email, 'editor');
    expect([again.status, again.json]).toEqual([200, first.json]);
    expect(codeOf(await invite(brand, ana.email, 'owner'))).toEqual([409, 'already_member']);
    expect(codeOf(await invite(brand, brand.email, 'auditor'))).toEqual([409, 'already_member']);
    expect(await list(brand)).toHaveLength(2);
  });
});

describe('an address without an account', () => {
  test('is mailed a link; its page makes account and membership, and the link is good once', async () => {
    const brand = await service.asBrand({ name: 'Tom & <Söhne>' });
    const email = newAddress();
    const invited = await invite(brand, email, 'auditor', { 'accept-language': 'de' });
    expect([invited.status, invited.json]).toMatchObject([201, { userId: null, email, state: 'invited' }]);
    expect(await list(brand)).toMatchObject([{ userId: brand.userId }, { id: invited.json.id, state: 'invited' }]);
    const [link = ''] = await invitationLinks(email);
    const [mail] = await messagesTo(email);
    expect(mail?.subject).toBe('Tom & <Söhne> lädt Sie zu Produktpass ein');

    // A mail scanner opens the link: nothing happens.
    for (let opened = 0; opened < 2; opened++) {
      const page = await openLink(link);
      expect(page.status).toBe(200);
      expect(page.body).toContain('Tom &amp; &lt;Söhne');
      expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    }
    expect((await list(brand)).map(({ email: each }) => each)).toContain(email);

    const refused = await sendForm(link, { displayName: 'Rui <Costa>', password: 'short' });
    expect(refused.status).toBe(422);
    expect(refused.body).toContain('aria-invalid="true"');
    expect(refused.body).toContain('value="Rui &lt;Costa');
    expect((await sendForm(link, newcomer, { origin: 'https://evil.example' })).status).toBe(403);

    // Opened in two browsers, sent from both.
    const both = await Promise.all([sendForm(link, newcomer), sendForm(link, newcomer)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await openLink(link)).status).toBe(404);

    const session = await service.call({
      method: 'POST',
      url: '/auth/login',
      payload: { email, password: newcomer.password },
    });
    expect(session.json.organizations).toEqual([
      { id: brand.organizationId, name: 'Tom & <Söhne>', plan: 'pro', role: 'auditor' },
    ]);
    expect(await list(brand)).toMatchObject([
      { userId: brand.userId },
      { userId: session.json.userId as string, displayName: 'Rui Costa', role: 'auditor', state: 'member' },
    ]);
  });

  test.each(['before', 'after'])(
    'that somebody else prepared an account for %s it was invited is taken from them by the link',
    async (when) => {
      const brand = await service.asBrand();
      const email = newAddress();
      const prepared = when === 'before' ? await service.signUp(email) : null;
      expect((await invite(brand, email, 'editor')).json).toMatchObject({ userId: null, state: 'invited' });
      const [link = ''] = await invitationLinks(email);
      const preparer = prepared ?? (await service.signUp(email));
      expect(codeOf(await as(preparer, brand)('GET', '/brand/products'))).toEqual([403, 'not_a_member']);
      expect((await sendForm(link, newcomer)).status).toBe(200);
      expect(codeOf(await as(preparer, brand)('GET', '/brand/products'))).toEqual([401, 'unauthenticated']);
      const login = (password: string) =>
        service.call({ method: 'POST', url: '/auth/login', payload: { email, password } });
      expect((await login(preparer.password)).status).toBe(401);
      expect((await login(newcomer.password)).status).toBe(200);
    },
  );

  test('with an account of its own by then needs a click only, and keeps its password', async () => {
    const brand = await service.asBrand();
    const email = newAddress();
    await invite(brand, email, 'editor');
    const [link = ''] = await invitationLinks(email);
    const own = await service.signUpProven(email);
    expect((await openLink(link)).body).not.toContain('type="password"');
    expect((await sendForm(link, {})).status).toBe(200);
    expect((await as(own, brand)('GET', '/brand/products')).status).toBe(200);
  });

  test('invited again is mailed the same link again, with the new role; withdrawn, the link is dead', async () => {
    const brand = await service.asBrand();
    const email = newAddress();
    const first = await invite(brand, email, 'auditor');
    await invitationLinks(email);
    const second = await invite(brand, email, 'editor');
    expect([second.status, second.json]).toEqual([200, { ...first.json, role: 'editor' }]);
    const links = await invitationLinks(email, 2);
    expect(new Set(links).size).toBe(1);
    expect((await changeRole(brand, first.json.id as string, 'owner')).json.role).toBe('owner');
    expect((await remove(brand, first.json.id as string)).json).toEqual({ ok: true });
    expect((await openLink(links[0] ?? '')).status).toBe(404);
    expect((await sendForm(links[0] ?? '', newcomer)).status).toBe(404);
  });

  test('invited twice under one Idempotency-Key is invited and mailed once', async () => {
    const brand = await service.asBrand();
    const email = newAddress();
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const [first, second] = [
      await invite(brand, email, 'editor', headers),
      await invite(brand, email, 'editor', headers),
    ];
    expect([second.status, second.json, second.headers['idempotent-replayed']]).toEqual([201, first.json, 'true']);
    await invitationLinks(email);
    expect(await messagesTo(email)).toHaveLength(1);
  });

  test('whose link is too old finds the page that says so', async () => {
    const brand = await service.asBrand();
    const email = newAddress();
    await invite(brand, email, 'editor');
    const [link = ''] = await invitationLinks(email);
    await service.database.query(
      `update service.member_invitations set expires_at = now() - interval '1 second' where email = $1`,
      [email],
    );
    expect((await openLink(link)).status).toBe(404);
    expect((await sendForm(link, newcomer)).status).toBe(404);
    expect((await invite(brand, email, 'editor')).status).toBe(200);
    expect((await openLink(link)).status).toBe(200);
  });
});

describe('a change of role and a removal', () => {
  test('act at once on tokens that were issued before', async () => {
    const [brand, ana] = [await service.asBrand(), await service.signUpProven()];
    await invite(brand, ana.email, 'auditor');
    const write = () => as(ana, brand)('POST', '/brand/products', { name: 'Shirt' });
    expect(codeOf(await write())).toEqual([403, 'role_required']);
    expect((await changeRole(brand, ana.userId, 'editor')).json.role).toBe('editor');
    expect((await write()).status).toBe(201);
    expect((await changeRole(brand, ana.userId, 'auditor')).status).toBe(200);
    expect(codeOf(await write())).toEqual([403, 'role_required']);
    expect((await remove(brand, ana.userId)).json).toEqual({ ok: true });
    expect(codeOf(await write())).toEqual([403, 'not_a_member']);
    expect(codeOf(await remove(brand, ana.userId))).toEqual([404, 'not_found']);
    expect(codeOf(await changeRole(brand, ana.userId, 'editor'))).toEqual([404, 'not_found']);
  });

  test('leave the last owner in place', async () => {
    const [brand, ana] = [await service.asBrand(), await service.signUpProven()];
    await invite(brand, ana.email, 'editor');
    expect(codeOf(await remove(brand, brand.userId))).toEqual([409, 'last_owner']);
    expect(codeOf(await changeRole(brand, brand.userId, 'editor'))).toEqual([409, 'last_owner']);
    expect((await changeRole(brand, brand.userId, 'owner')).status).toBe(200);
    await changeRole(brand, ana.userId, 'owner');
    expect((await changeRole(brand, brand.userId, 'editor')).status).toBe(200);
    expect(codeOf(await remove(brand, ana.userId))).toEqual([403, 'role_required']);
  });

  test('leave one owner when all owners are removed at once, by each other', async () => {
    const brand = await service.asBrand();
    const owners = await Promise.all(Array.from({ length: 4 }, () => service.signUpProven()));
    for (const { email } of owners) await invite(brand, email, 'owner');
    const all = [brand, ...owners];
    const answers = await Promise.all(
      all.map(({ userId }, index) => {
        const by = all[(index + 1) % all.length];
        const headers = { authorization: `Bearer ${by?.token ?? ''}` };
        const url = membersUrl(brand, userId);
        return index % 2 === 0
          ? service.call({ method: 'DELETE', url, headers })
          : service.call({ method: 'PATCH', url, headers, payload: { role: 'auditor' } });
      }),
    );
    for (const { status } of answers) expect([200, 403, 404, 409]).toContain(status);
    const { rows } = await service.database.query(
      `select 1 from service.memberships where organization_id = $1 and role = 'owner'`,
      [brand.organizationId],
    );
    expect(rows.length).toBeGreaterThanOrEqual(1);
  });

  test('of two owners who remove each other in the same moment, one stays', async () => {
    for (let round = 0; round < 5; round++) {
      const [brand, ana] = [await service.asBrand(), await service.signUpProven()];
      await invite(brand, ana.email, 'owner');
      const headers = { authorization: `Bearer ${ana.token}` };
      const statuses = (
        await Promise.all([
          remove(brand, ana.userId),
          service.call({ method: 'DELETE', url: membersUrl(brand, brand.userId), headers }),
        ])
      ).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    }
  });
});

describe('refused', () => {
  test.each<[string, object]>([
    ['email', { email: 'nobody', role: 'editor' }],
    ['email', { email: `${'a'.repeat(250)}@example.com`, role: 'editor' }],
    ['email', { email: 'a@example.com\nBcc: b@example.com', role: 'editor' }],
    ['email', { email: 'a\0@example.com', role: 'editor' }],
    ['email', { email: ['a@example.com'], role: 'editor' }],
    ['role', { email: 'a@example.com', role: 'admin' }],
    ['role', { email: 'a@example.com' }],
  ])('is a bad %s: %j', async (path, payload) => {
    const brand = await service.asBrand();
    const { status, json } = await brand.call({ method: 'POST', url: membersUrl(brand), payload });
    expect([status, json.errors[0].path]).toEqual([422, path]);
    expect(await list(brand)).toHaveLength(1);
  });

  test('are strangers, before they hear of fields', async () => {
    const [brand, other] = [await service.asBrand(), await service.asBrand()];
    const send = (payload: object) => other.call({ method: 'POST', url: membersUrl(brand), payload });
    expect(codeOf(await send({}))).toEqual([403, 'not_a_member']);
    expect(codeOf(await send({ email: 'a@example.com', role: 'editor' }))).toEqual([404, 'not_found']);
  });

  test('is more than an organization may have', async () => {
    const brand = await service.asBrand();
    await service.database.query(
      `insert into service.member_invitations (id, organization_id, email, role, token_hash, expires_at)
       select 'inv_' || $1 || n, $1, n || '@example.com', 'auditor', decode(md5($1 || n), 'hex'), now() + interval '1 day'
         from generate_series(1, 199) n`,
      [brand.organizationId],
    );
    expect(codeOf(await invite(brand, newAddress(), 'editor'))).toEqual([409, 'member_limit']);
    expect((await invite(brand, '7@example.com', 'editor')).status).toBe(200);
    expect(await list(brand)).toHaveLength(200);
  });
});
