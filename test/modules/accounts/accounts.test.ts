import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const password = 'correct horse battery';
const signUp = (payload: object, headers = {}) =>
  service.call({ method: 'POST', url: '/auth/signup', payload, headers });
const logIn = (payload: object) => service.call({ method: 'POST', url: '/auth/login', payload });

describe('signing up', () => {
  test('answers a session, with the address in the form in which it is kept', async () => {
    const { status, json } = await signUp({ email: '  Ana@Example.COM ', password, displayName: 'Ana' });
    expect(status).toBe(201);
    expect(json).toEqual({
      token: expect.any(String) as string,
      userId: expect.stringMatching(/^usr_/) as string,
      email: 'ana@example.com',
      organizations: [],
    });
  });

  test('refuses an address that is known, in any spelling', async () => {
    const { status, json } = await signUp({ email: 'ANA@example.com', password, displayName: 'Other' });
    expect([status, json.code, json.errors[0].path]).toEqual([409, 'email_taken', 'email']);
  });

  test.each([
    ['password', 'seven77'],
    ['password', 'x'.repeat(201)],
    ['password', undefined],
    ['email', 'nobody'],
    ['email', 'a@b.example\r\nBcc: c@d.example'],
    ['displayName', ' '],
    ['displayName', undefined],
  ])('names the field that is wrong: %s', async (field, value) => {
    const fields = { email: 'new@example.com', password, displayName: 'New', [field]: value };
    const { status, json } = await signUp(fields);
    expect([status, json.errors[0].path]).toEqual([422, field]);
  });

  test.each([8, 200])('takes a password of %i characters', async (length) => {
    expect(
      (await signUp({ email: `p${length}@example.com`, password: 'é'.repeat(length), displayName: 'P' })).status,
    ).toBe(201);
  });

  test('keeps the password as argon2id alone', async () => {
    const { rows } = await service.database.query<{ row: string }>(
      "select row_to_json(a)::text as row from service.accounts a where email = 'ana@example.com'",
    );
    expect(rows[0]?.row).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
    expect(rows[0]?.row).not.toContain(password);
  });

  test('two at once with one address make one account', async () => {
    const answers = await Promise.all(
      [1, 2, 3].map(() => signUp({ email: 'race@example.com', password, displayName: 'R' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  test('under one idempotency key makes one account, signs in again, and keeps neither password nor token', async () => {
    const body = { email: 'again@example.com', password, displayName: 'A' };
    const first = await signUp(body, { 'idempotency-key': 'k1' });
    const second = await signUp(body, { 'idempotency-key': 'k1' });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.json.userId).toBe(first.json.userId);
    expect(second.json.token).not.toBe(first.json.token);
    expect(second.headers['idempotent-replayed']).toBe('true');
    const kept = await service.database.query('select status, response from service.idempotency_keys');
    expect(kept.rows).toEqual([{ status: null, response: null }]);
    const stranger = await signUp({ ...body, email: 'stranger@example.com' }, { 'idempotency-key': 'k1' });
    expect(stranger.status).toBe(201);
  });
});

describe('signing in', () => {
  test('answers a session with the organizations, their plan and the role', async () => {
    const brand = await service.asBrand({ name: 'Nordfaden' });
    const { status, json } = await logIn({ email: brand.email.toUpperCase(), password: brand.password });
    expect(status).toBe(200);
    expect(json.organizations).toEqual([{ id: brand.organizationId, name: 'Nordfaden', plan: 'pro', role: 'owner' }]);
    expect(json.token).not.toBe(brand.token);
  });

  test('refuses a wrong password and an unknown address alike', async () => {
    const { email } = await service.signUp();
    const wrong = await logIn({ email, password: 'not the password' });
    const unknown = await logIn({ email: 'nobody@example.com', password: 'not the password' });
    for (const { status, json } of [wrong, unknown]) expect([status, json.code]).toEqual([401, 'bad_credentials']);
    expect(wrong.json.detail).toBe(unknown.json.detail);
  });

  test('takes as long for an unknown address as for a known one', async () => {
    const known = await Promise.all([0, 1, 2, 3].map((n) => service.signUp(`timed${n}@example.com`)));
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
    for (let round = 0; round < 36; round++) {
      // In turns, so that a slow moment of the machine hits both.
      for (const kind of round % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
        const email = kind === 'known' ? (known[round % 4]?.email ?? '') : `untimed${round % 4}@example.com`;
        const began = performance.now();
        expect((await logIn({ email, password: 'not the password' })).status).toBe(401);
        times[kind].push(performance.now() - began);
      }
    }
    // Mann-Whitney: in how many of the pairs the known one took longer. About a half, if they cannot be told apart.
    const pairs = times.known.flatMap((one) => times.unknown.map((other) => (one > other ? 1 : 0) as number));
    const share = pairs.reduce((sum, one) => sum + one, 0) / pairs.length;
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.8);
  });

  test('is refused after ten failures in a quarter of an hour, also with the right password', async () => {
    const { email, password: right } = await service.signUp();
    const failures = await Promise.all(Array.from({ length: 12 }, () => logIn({ email, password: 'wrong password' })));
    const statuses = failures.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    const refused = await logIn({ email, password: right });
    expect([refused.status, refused.json.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(890);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(900);

    await service.database.query("update service.sign_in_attempts set tried_at = tried_at - interval '901 seconds'");
    expect((await logIn({ email, password: right })).status).toBe(200);
  });

  test('that succeeds is not counted', async () => {
    const { email, password: right } = await service.signUp();
    for (let round = 0; round < 12; round++) expect((await logIn({ email, password: right })).status).toBe(200);
  });
});

describe('signing out', () => {
  test('ends one token and leaves the others', async () => {
    const one = await service.signUp();
    const other = (await logIn(one)).json.token as string;
    const sessionOf = (token: string) =>
      service.call({ url: '/organizations', headers: { authorization: `Bearer ${token}` } });
    const out = await service.call({
      method: 'POST',
      url: '/auth/logout',
      headers: { authorization: `Bearer ${one.token}` },
    });
    expect([out.status, out.json]).toEqual([200, { ok: true }]);
    expect((await sessionOf(one.token)).status).toBe(401);
    expect((await sessionOf(other)).status).toBe(200);
  });
});

test('auth calls are limited by the address of the socket, other calls are not', async () => {
  const strict = await startService({ environment: { AUTH_CALLS_PER_MINUTE: '5' } });
  try {
    const call = (email: string, forwarded: string) =>
      strict.call({
        method: 'POST',
        url: '/auth/login',
        payload: { email, password },
        headers: { 'x-forwarded-for': forwarded },
      });
    for (let round = 0; round < 5; round++)
      expect((await call(`u${round}@example.com`, `10.0.0.${round}`)).status).toBe(401);
    const refused = await call('u6@example.com', '10.0.0.6');
    expect([refused.status, refused.json.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const signUpToo = await strict.call({ method: 'POST', url: '/auth/signup', payload: {} });
    expect(signUpToo.status).toBe(429);
    expect((await strict.call({ url: '/health/live' })).status).toBe(200);
  } finally {
    await strict.close();
  }
});
