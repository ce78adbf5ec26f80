import { createServer } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { eventually, messagesTo } from '../../support/brand-story.js';
import { accountMailTo, mailedToken, startPost } from '../../support/mailbox.js';
import { startService, type TestService } from '../../support/service.js';
import { withService } from '../../support/shared-service.js';

let service: TestService;
let post: ReturnType<typeof startPost>;
withService.beforeAll(async ({ service: shared }) => {
  service = shared;
  post = startPost(service);
});
afterAll(() => post.stop());

const OWN = 'http://localhost:3000';
const page = (url: string, headers: Record<string, string> = {}) =>
  service.call({ url, headers: { accept: 'text/html', ...headers } });
const submit = (url: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  service.call({
    method: 'POST',
    url,
    payload: new URLSearchParams(form).toString(),
    headers: {
      ...{ accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded', origin: OWN },
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
  });
const cookieOf = (answer: { headers: Record<string, unknown> }): string | undefined =>
  [answer.headers['set-cookie']]
    .flat()
    .map(String)
    .find((cookie) => cookie.startsWith('session='))
    ?.split(';')[0];
const magicLink = async (email: string) => {
  await service.call({ method: 'POST', url: '/auth/magic-link', payload: { email } });
  return mailedToken(email, '/magic-link');
};
const sessionCount = async (email: string) => {
  const { rows } = await service.database.query<{ count: number }>(
    `select count(*)::int as count from service.sessions s join service.accounts a on a.id = s.account_id
      where a.email = $1 and s.ended_at is null`,
    [email],
  );
  return rows[0]?.count;
};

describe('the page behind a magic link', () => {
  test('signs in at a click, not when it is fetched, however often', async () => {
    const { email } = await service.signUp();
    const token = await magicLink(email);
    for (const method of ['GET', 'GET', 'HEAD'] as const) {
      const fetched = await service.app.inject({ method, url: `/magic-link?token=${token}` });
      expect([fetched.statusCode, fetched.headers['set-cookie']]).toEqual([200, undefined]);
    }
    const shown = await page(`/magic-link?token=${token}`);
    expect(shown.body).toContain(email);
    expect(shown.body).toContain(`<input type="hidden" name="token" value="${token}"/>`);
    const clicked = await submit('/magic-link?lang=de', { token });
    expect([clicked.status, clicked.headers.location]).toEqual([303, '/supplier']);
    expect([clicked.headers['set-cookie']].flat()[0]).toMatch(
      /^session=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const again = await submit('/magic-link', { token });
    expect([again.status, cookieOf(again)]).toEqual([401, undefined]);
    expect((await page(`/magic-link?token=${token}`)).status).toBe(401);
  });

  test('opened in two browsers signs in one of them', async () => {
    const { email } = await service.signUp();
    const token = await magicLink(email);
    const answers = await Promise.all([submit('/magic-link', { token }), submit('/magic-link', { token })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 401]);
    expect(answers.map(cookieOf).filter((cookie) => cookie !== undefined)).toHaveLength(1);
  });

  test('gives the browser a session of its own, never one that it brought', async () => {
    const attacker = await service.signUp();
    const { email } = await service.signUp();
    const brought = `session=${attacker.token}`;
    const clicked = await submit('/magic-link', { token: await magicLink(email) }, { cookie: brought });
    const cookie = cookieOf(clicked);
    expect(cookie).toBeDefined();
    expect(cookie).not.toBe(brought);
  });
});

describe('forms of other sites', () => {
  const FOREIGN: readonly Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    { 'sec-fetch-site': 'same-site', origin: 'http://other.localhost:3000' },
    { 'sec-fetch-site': '', origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site', origin: OWN },
    { 'sec-fetch-site': '', origin: 'null' },
  ];

  test('are refused on every page that signs in, changes or ends something, and nothing changes', async () => {
    const account = await service.signUp();
    const token = await magicLink(account.email);
    const cookie = `session=${account.token}`;
    const before = await sessionCount(account.email);
    for (const [url, form] of [
      ['/magic-link', { token }],
      ['/verify', { token: await mailedToken(account.email, '/verify') }],
      ['/reset-password', { token, password: 'a new password' }],
      ['/sign-in', { action: 'password', email: account.email, password: account.password }],
      ['/sign-out', {}],
    ] as const) {
      for (const headers of FOREIGN) {
        const sent = Object.fromEntries(Object.entries({ ...headers, cookie }).filter(([, value]) => value !== ''));
        const answer = await service.call({
          method: 'POST',
          url,
          payload: new URLSearchParams(form).toString(),
          headers: { ...sent, accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
        });
        expect([answer.status, answer.json.code], url).toEqual([403, 'origin_refused']);
        expect(cookieOf(answer)).toBeUndefined();
      }
    }
    expect(await sessionCount(account.email)).toBe(before);
    expect((await submit('/magic-link', { token })).status).toBe(303);
  });

  test('cannot use the cookie on the API either: it takes the header alone', async () => {
    const { token } = await service.signUp();
    for (const url of ['/auth/sessions', '/organizations']) {
      expect((await service.call({ url, headers: { cookie: `session=${token}` } })).status).toBe(401);
    }
  });
});

describe('the sign-in page', () => {
  test('signs in by password and leads on, within this service only', async () => {
    const { email, password } = await service.signUp();
    const signIn = async (query: string) => (await submit(`/sign-in${query}`, { email, password })).headers.location;
    expect(await signIn('')).toBe('/supplier');
    expect(await signIn('?next=%2Fsupplier%2Frequests%2F1%3Fa%3Db')).toBe('/supplier/requests/1?a=b');
    for (const evil of [
      ...['https://evil.example', '//evil.example', '/\\evil.example', '\\/evil.example', '/\t/evil.example'],
      ...['javascript:alert(1)', '/%0d%0aSet-Cookie: a=b', 'supplier', '/..//evil.example', ' //evil.example'],
    ]) {
      const location = (await signIn(`?next=${encodeURIComponent(evil)}`)) ?? '';
      expect(location, evil).toMatch(/^\/(?![/\\])/);
      expect(new URL(location, OWN).origin, evil).toBe(OWN);
      expect(location, evil).not.toMatch(/[\r\n\t]/);
    }
    expect((await submit('/sign-in?next=/a%0d%0ab', { email, password })).status).toBe(422);
  });

  test('shows what was typed again, but never the password, and says what is wrong at its field', async () => {
    const { email } = await service.signUp();
    const wrong = await submit('/sign-in?lang=fr', { action: 'password', email, password: 'not the password' });
    expect(wrong.status).toBe(401);
    expect(wrong.body).toContain(`value="${email}"`);
    expect(wrong.body).not.toContain('not the password');
    expect(wrong.body).toMatch(/<html lang="fr">/);
    expect(wrong.body).toMatch(/aria-describedby="field-password-error" aria-invalid="true"/);
    const noAddress = await submit('/sign-in', { action: 'magic_link', email: '"><script>' });
    expect([noAddress.status, noAddress.body.includes('<script>')]).toEqual([422, false]);
    expect(noAddress.body).toMatch(/aria-describedby="field-email-error" aria-invalid="true"/);
  });

  test('mails a link or a new password, and says the same for an address that nobody has', async () => {
    const { email } = await service.signUp();
    for (const [action, path] of [
      ['magic_link', '/magic-link'],
      ['password_reset', '/reset-password'],
    ] as const) {
      const known = await submit('/sign-in?lang=it', { action, email });
      const unknown = await submit('/sign-in?lang=it', { action, email: 'nobody-here@example.com' });
      expect([known.status, unknown.status]).toEqual([200, 200]);
      expect(unknown.body.replaceAll('nobody-here@example.com', email)).toBe(known.body);
      expect((await accountMailTo(email, path)).html).toContain('lang="it"');
    }
  });

  test('says how long to wait after too many tries', async () => {
    const { email } = await service.signUp();
    for (let round = 0; round < 10; round++) await submit('/sign-in', { email, password: 'wrong password' });
    const { status, headers, body } = await submit('/sign-in', { email, password: 'wrong password' });
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(880);
    expect(body).toContain('role="alert"');
  });

  test('is left by signing out, which ends the session everywhere', async () => {
    const { email, password } = await service.signUp();
    const cookie = cookieOf(await submit('/sign-in', { email, password })) ?? '';
    const token = cookie.replace('session=', '');
    const headers = { authorization: `Bearer ${token}` };
    expect((await service.call({ url: '/auth/sessions', headers })).status).toBe(200);
    const out = await submit('/sign-out', {}, { cookie });
    expect([out.status, out.headers.location]).toEqual([303, '/sign-in']);
    expect([out.headers['set-cookie']].flat()[0]).toMatch(/^session=; /);
    expect((await service.call({ url: '/auth/sessions', headers })).status).toBe(401);
    const later = await submit('/sign-out', {}, { cookie });
    expect([later.status, later.headers.location]).toEqual([303, '/sign-in?next=%2Fsign-out']);
  });
});

describe('the page that sets a new password', () => {
  test('takes one from its form, and shows itself again for one that is too short', async () => {
    const account = await service.signUp();
    await service.call({ method: 'POST', url: '/auth/password-reset', payload: { email: account.email } });
    const token = await mailedToken(account.email, '/reset-password');
    expect((await page(`/reset-password?token=${token}`)).body).toContain('autocomplete="new-password"');
    const short = await submit('/reset-password?lang=es', { token, password: 'short' });
    expect(short.status).toBe(422);
    expect(short.body).toContain('aria-invalid="true"');
    expect(short.body).not.toContain('value="short"');
    expect((await submit('/reset-password', { token, password: 'long enough now' })).status).toBe(200);
    expect((await submit('/sign-in', { email: account.email, password: 'long enough now' })).status).toBe(303);
  });
});

test('every page forbids frames, scripts, caches and referrers', async () => {
  for (const url of ['/sign-in', '/magic-link?token=x', '/reset-password', '/verify?token=%22%3E%3Cscript%3E']) {
    const { headers, body } = await page(url);
    expect(headers['content-security-policy'], url).toContain("frame-ancestors 'none'");
    expect(headers['content-security-policy'], url).toContain("default-src 'none'");
    expect(headers, url).toMatchObject({
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    expect(body, url).not.toContain('<script');
  }
});

test('over https the cookie is bound to this host and to https', async () => {
  const secure = await startService({ environment: { BASE_URL: 'https://passports.example' } });
  try {
    const { email, password } = await secure.signUp();
    const payload = new URLSearchParams({ email, password }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://passports.example' };
    const answer = await secure.call({ method: 'POST', url: '/sign-in', payload, headers });
    expect([answer.headers['set-cookie']].flat()[0]).toMatch(
      /^__Host-session=[^;]+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  } finally {
    await secure.close();
  }
});

test('a mail that the server does not take now goes out later, once, also when its sender was killed in between', async () => {
  await post.stop();
  const silent = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await new Promise((resolve) => silent.once('listening', resolve));
  const failing = startPost(service, `smtp://127.0.0.1:${(silent.address() as { port: number }).port}`);
  const { email } = await service.signUp();
  const tries = async () => {
    const { rows } = await service.database.query<{ mail_attempts: number }>(
      `select l.mail_attempts from service.account_links l join service.accounts a on a.id = l.account_id where a.email = $1`,
      [email],
    );
    return rows[0]?.mail_attempts ?? 0;
  };
  await eventually(tries, (count) => count >= 1);
  await failing.stop();
  silent.close();
  // As if the lease of a sender that is gone, or the wait after a failure, had run out.
  await service.database.query('update service.account_links set mail_due_at = now() where mail_due_at is not null');
  const senders = [startPost(service), startPost(service)];
  await accountMailTo(email, '/verify');
  await eventually(
    async () =>
      (await service.database.query('select 1 from service.account_links where mail_due_at is not null')).rows,
    (due) => due.length === 0,
  );
  expect(await messagesTo(email)).toHaveLength(1);
  await Promise.all(senders.map((sender) => sender.stop()));
  post = startPost(service);
});
