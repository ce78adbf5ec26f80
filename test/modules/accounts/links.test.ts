import { createHash } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { eventually, messagesTo } from '../../support/brand-story.js';
import { accountMailTo, mailedToken, startPost, tokenOf } from '../../support/mailbox.js';
import type { SignedUp, TestService } from '../../support/service.js';
import { withService } from '../../support/shared-service.js';

let service: TestService;
let post: ReturnType<typeof startPost>;
withService.beforeAll(async ({ service: shared }) => {
  service = shared;
  post = startPost(service);
});
afterAll(() => post.stop());

const send = (url: string, payload: object, headers: Record<string, string> = {}) =>
  service.call({ method: 'POST', url, payload, headers });
const askForLink = (email: string, headers = {}) => send('/auth/magic-link', { email }, headers);
const verify = (token: string) => send('/auth/magic-link/verify', { token });
const logIn = ({ email, password }: Pick<SignedUp, 'email' | 'password'>) => send('/auth/login', { email, password });
const works = async (token: string) =>
  (await service.call({ url: '/auth/sessions', headers: { authorization: `Bearer ${token}` } })).status === 200;

/** Signed up, and the address proven by the link of the sign-up. */
async function provenAccount(): Promise<SignedUp> {
  const account = await service.signUp();
  const token = await mailedToken(account.email, '/verify');
  expect((await send('/verify', { token })).status).toBe(200);
  return account;
}

const linksOf = async (email: string, kind: string) => {
  const { rows } = await service.database.query<{ id: string; token_hash: Buffer; row: string }>(
    `select l.id, l.token_hash, row_to_json(l)::text as row
       from service.account_links l join service.accounts a on a.id = l.account_id
      where a.email = $1 and l.kind = $2 order by l.created_at`,
    [email, kind],
  );
  return rows;
};
const makeOlder = (email: string, kind: string, seconds: number) =>
  service.database.query(
    `update service.account_links l set expires_at = expires_at - make_interval(secs => $3)
       from service.accounts a where a.id = l.account_id and a.email = $1 and l.kind = $2`,
    [email, kind, seconds],
  );

/** Which tables have one of the texts in any column. The service is shared: one table at a time, however large. */
const tablesHolding = async (texts: readonly string[]) => {
  const found = new Map<string, string[]>(texts.map((text) => [text, []]));
  const { rows: tables } = await service.database.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('service', 'read')`,
  );
  for (const { name } of tables) {
    const { rows } = await service.database.query<{ text: string }>(
      `select text from unnest($1::text[]) text where exists (select from ${name} t where position(text in t::text) > 0)`,
      [texts],
    );
    for (const { text } of rows) found.get(text)?.push(name);
  }
  return found;
};

describe('a magic link', () => {
  test('is mailed as text and HTML and signs in once', async () => {
    const account = await provenAccount();
    const { status, json } = await askForLink(account.email);
    expect([status, json]).toEqual([202, { ok: true }]);
    const mail = await accountMailTo(account.email, '/magic-link');
    const token = tokenOf(mail);
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain(`http://localhost:3000/magic-link?token=${token}`);
      expect(part).toContain('15 minutes');
    }
    const first = await verify(token);
    expect(first.status).toBe(200);
    expect(first.json).toMatchObject({ userId: account.userId, email: account.email, organizations: [] });
    expect(await works(first.json.token as string)).toBe(true);
    const second = await verify(token);
    expect([second.status, second.json.code]).toEqual([401, 'link_invalid']);
    // A proven account keeps what it had.
    expect(await works(account.token)).toBe(true);
    expect((await logIn(account)).status).toBe(200);
  });

  test('speaks the language of whoever asked', async () => {
    const { email } = await service.signUp();
    await askForLink(email, { 'accept-language': 'de-CH, en;q=0.5' });
    expect((await accountMailTo(email, '/magic-link')).subject).toBe('Bei Produktpass anmelden');
  });

  test('rests as a hash: no column of its row and no other table holds the token', async () => {
    const { email } = await service.signUp();
    await askForLink(email);
    const token = await mailedToken(email, '/magic-link');
    const [link] = await linksOf(email, 'magic_link');
    expect(link?.token_hash).toEqual(createHash('sha256').update(token).digest());
    const holding = await tablesHolding([token, link?.id ?? '']);
    expect(holding.get(link?.id ?? '')).toContain('service.account_links');
    expect(holding.get(token)).toEqual([]);
  });

  test('of two at once one wins', async () => {
    const { email } = await service.signUp();
    await askForLink(email);
    const token = await mailedToken(email, '/magic-link');
    const answers = await Promise.all(Array.from({ length: 6 }, () => verify(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401]);
  });

  test('lives 15 minutes', async () => {
    const { email } = await service.signUp();
    await askForLink(email);
    const token = await mailedToken(email, '/magic-link');
    await makeOlder(email, 'magic_link', 14 * 60 + 45);
    const { rows } = await service.database.query(
      `select 1 from service.account_links where kind = 'magic_link' and expires_at > created_at + interval '900 seconds'`,
    );
    expect(rows).toEqual([]);
    await makeOlder(email, 'magic_link', 16);
    expect((await verify(token)).json.code).toBe('link_invalid');
  });

  test('does not end the one before it', async () => {
    const { email } = await service.signUp();
    await askForLink(email);
    const older = await mailedToken(email, '/magic-link');
    await askForLink(email);
    const newer = await mailedToken(email, '/magic-link', 2);
    expect(newer).not.toBe(older);
    expect((await verify(older)).status).toBe(200);
    expect((await verify(newer)).status).toBe(200);
  });

  test.each([
    ['a token that never was', 'A'.repeat(43)],
    ['an empty one', ''],
    ['a long one', 'x'.repeat(1_000)],
  ])('is refused: %s', async (_name, token) => {
    expect((await verify(token)).json.code).toBe('link_invalid');
  });

  test.each([undefined, 7, 'x'.repeat(1_001), 'a\0b'])(
    'that is no text of one line is a field error',
    async (token) => {
      const { status, json } = await send('/auth/magic-link/verify', { token });
      expect([status, json.errors[0].path]).toEqual([422, 'token']);
    },
  );

  test('of another kind does not sign in', async () => {
    const { email } = await service.signUp();
    await send('/auth/password-reset', { email });
    const reset = await mailedToken(email, '/reset-password');
    const proof = await mailedToken(email, '/verify');
    expect((await verify(reset)).json.code).toBe('link_invalid');
    expect((await verify(proof)).json.code).toBe('link_invalid');
  });

  test('for an address that nobody has is answered alike, sends no mail and makes no account', async () => {
    const known = await service.signUp();
    const unknown = 'nobody-has-this@example.com';
    const answers = [await askForLink(known.email), await askForLink(unknown)];
    const seen = answers.map(({ status, body, headers }) => ({
      ...{ status, body },
      headers: Object.keys(headers).sort(),
    }));
    expect(seen[0]).toEqual(seen[1]);
    await accountMailTo(known.email, '/magic-link');
    // The link of an address that nobody has belongs to no account.
    const dueMails = async () => {
      const { rows } = await service.database.query<{ email: string | null }>(
        `select a.email from service.account_links l left join service.accounts a on a.id = l.account_id
          where l.mail_due_at is not null and (a.id is null or a.email = $1)`,
        [known.email],
      );
      return rows;
    };
    await eventually(dueMails, (due) => due.length === 0);
    expect(await messagesTo(unknown)).toEqual([]);
    expect((await logIn({ email: unknown, password: 'a long enough password' })).json.code).toBe('bad_credentials');
    expect((await send('/auth/signup', { ...known, email: unknown, displayName: 'N' })).status).toBe(201);
  });

  test('takes as long to ask for whether the address is known or not', async () => {
    const ROUNDS = 60;
    const known = await Promise.all(Array.from({ length: 8 }, () => service.signUp()));
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
    for (let round = 0; round < ROUNDS; round++) {
      // In turns, so that a slow moment of the machine hits both.
      for (const kind of round % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
        const email = kind === 'known' ? (known[round % 8]?.email ?? '') : `nobody${round % 8}@example.com`;
        const began = performance.now();
        expect((await askForLink(email)).status).toBe(202);
        times[kind].push(performance.now() - began);
      }
    }
    // Mann-Whitney: how often a known one took longer than an unknown one. A half of the pairs, if they cannot be told apart.
    const pairs = times.known.flatMap((one) => times.unknown.map((other) => (one > other ? 1 : 0) as number));
    const share = pairs.reduce((sum, one) => sum + one, 0) / pairs.length;
    expect(share).toBeGreaterThan(0.3);
    expect(share).toBeLessThan(0.7);
  });

  test('is mailed ten times in a quarter of an hour to an address, known or not; links of both kinds count', async () => {
    for (const email of [(await service.signUp()).email, 'nobody-at-all@example.com']) {
      for (let round = 0; round < 10; round++) {
        const url = round % 2 === 0 ? '/auth/magic-link' : '/auth/password-reset';
        expect((await send(url, { email })).status).toBe(202);
      }
      for (const url of ['/auth/magic-link', '/auth/password-reset']) {
        const { status, json, headers } = await send(url, { email: email.toUpperCase() });
        expect([status, json.code]).toEqual([429, 'rate_limited']);
        expect(Number(headers['retry-after'])).toBeGreaterThan(880);
        expect(Number(headers['retry-after'])).toBeLessThanOrEqual(900);
      }
    }
  });
});

describe('a new password by mail', () => {
  const reset = (token: string, password: string) => send('/auth/password-reset/confirm', { token, password });

  test('takes the place of the old one, ends every session and every other such link', async () => {
    const account = await provenAccount();
    await send('/auth/password-reset', { email: account.email });
    await send('/auth/password-reset', { email: account.email });
    const token = await mailedToken(account.email, '/reset-password', 2);
    const [one, two] = await Promise.all([reset(token, 'a new password'), reset(token, 'a new password')]);
    expect([one.status, two.status].sort()).toEqual([200, 401]);
    expect(await works(account.token)).toBe(false);
    expect((await logIn(account)).json.code).toBe('bad_credentials');
    expect((await logIn({ ...account, password: 'a new password' })).status).toBe(200);
    for (const mail of await messagesTo(account.email)) {
      expect((await reset(tokenOf(mail), 'another password')).json.code).toBe('link_invalid');
    }
  });

  test('is answered alike for an address that nobody has', async () => {
    const { status, json } = await send('/auth/password-reset', { email: 'no-account@example.com' });
    expect([status, json]).toEqual([202, { ok: true }]);
  });

  test.each(['seven77', 'x'.repeat(201)])('has the bounds of every password, and the link stays good', async (bad) => {
    const { email } = await service.signUp();
    await send('/auth/password-reset', { email });
    const token = await mailedToken(email, '/reset-password');
    expect((await reset(token, bad)).json.errors[0].path).toBe('password');
    expect((await reset(token, 'good enough')).status).toBe(200);
  });

  test('lives an hour', async () => {
    const { email } = await service.signUp();
    await send('/auth/password-reset', { email });
    const token = await mailedToken(email, '/reset-password');
    await makeOlder(email, 'password_reset', 3_601);
    expect((await reset(token, 'good enough')).json.code).toBe('link_invalid');
  });
});

describe('the proof of a sign-up, mailed again', () => {
  const again = (email: string) => send('/auth/verification', { email });
  const verifications = async (email: string) => (await linksOf(email, 'verification')).length;

  test('comes to an address that is not proven, and proves it', async () => {
    const account = await service.signUp();
    await mailedToken(account.email, '/verify');
    const asked = await again(account.email);
    expect([asked.status, asked.json]).toEqual([202, { ok: true }]);
    const token = await mailedToken(account.email, '/verify', 2);
    expect((await send('/verify', { token })).status).toBe(200);
    expect(await works(account.token)).toBe(true);
  });

  test('of more clicks at once than there are database connections, one wins and none waits for another', async () => {
    const { email } = await service.signUp();
    const token = await mailedToken(email, '/verify');
    const answers = await Promise.all(Array.from({ length: 12 }, () => send('/verify', { token })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(11).fill(401)]);
  });

  test('is answered alike, and not mailed, for an address that is proven or that nobody has', async () => {
    const [unproven, proven] = [await service.signUp(), await provenAccount()];
    const unknown = 'nobody-to-prove@example.com';
    const answers = [await again(unproven.email), await again(proven.email), await again(unknown)];
    const seen = answers.map(({ status, body, headers }) => [status, body, Object.keys(headers).sort()]);
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
    expect([await verifications(unproven.email), await verifications(proven.email)]).toEqual([2, 1]);
    await accountMailTo(unproven.email, '/verify', 2);
    expect(await messagesTo(unknown)).toEqual([]);
  });

  test('counts among the ten mails of an address', async () => {
    const { email } = await service.signUp();
    for (let round = 0; round < 10; round++) expect((await again(email)).status).toBe(202);
    const { status, headers } = await again(email);
    expect([status, Number(headers['retry-after']) > 880]).toEqual([429, true]);
  });

  test('is asked for on the page of a factory, by its own form alone', async () => {
    const { email, token } = await service.signUp();
    const ask = (origin: string) =>
      service.call({
        ...{ method: 'POST', url: '/supplier?lang=de', payload: 'action=mail_proof' },
        headers: {
          ...{ cookie: `session=${token}`, accept: 'text/html', origin },
          'content-type': 'application/x-www-form-urlencoded',
        },
      });
    expect((await ask('https://evil.example')).status).toBe(403);
    expect(await verifications(email)).toBe(1);
    const asked = await ask('http://localhost:3000');
    expect([asked.status, asked.headers.location]).toEqual([303, '/supplier?lang=de&done=mailed']);
    expect(await verifications(email)).toBe(2);
    expect((await accountMailTo(email, '/verify', 2)).subject).toBe('E-Mail-Adresse bestätigen');
    const shown = await service.call({ url: '/supplier?lang=de&done=mailed', headers: { cookie: `session=${token}` } });
    expect(shown.body).toContain(`unterwegs an ${email}`);
  });
});

describe('an account made in advance with an address of somebody else', () => {
  const prepared = async () => {
    const account = await service.signUp();
    const second = (await logIn(account)).json.token as string;
    return { ...account, second };
  };
  const isLockedOut = async (account: SignedUp & { second: string }) => {
    expect(await works(account.token)).toBe(false);
    expect(await works(account.second)).toBe(false);
    expect((await logIn(account)).json.code).toBe('bad_credentials');
  };

  test('gives its maker nothing once the owner of the address comes by a magic link', async () => {
    const account = await prepared();
    await askForLink(account.email);
    const { json } = await verify(await mailedToken(account.email, '/magic-link'));
    expect(json.userId).toBe(account.userId);
    await isLockedOut(account);
    expect(await works(json.token as string)).toBe(true);
  });

  test('nor by a new password', async () => {
    const account = await prepared();
    await send('/auth/password-reset', { email: account.email });
    const token = await mailedToken(account.email, '/reset-password');
    await send('/auth/password-reset/confirm', { token, password: 'of the owner' });
    await isLockedOut(account);
    expect((await logIn({ ...account, password: 'of the owner' })).status).toBe(200);
  });

  test('nor with a sign-in that was under way meanwhile', async () => {
    const account = await prepared();
    await askForLink(account.email);
    const token = await mailedToken(account.email, '/magic-link');
    const [, ...signIns] = await Promise.all([verify(token), ...Array.from({ length: 6 }, () => logIn(account))]);
    for (const { status, json } of signIns) {
      if (status === 200) expect(await works(json.token as string)).toBe(false);
    }
    await isLockedOut(account);
  });

  test('is proven by the link of the sign-up itself without losing anything, once', async () => {
    const account = await prepared();
    const token = await mailedToken(account.email, '/verify');
    const page = await service.call({ url: `/verify?token=${token}` });
    expect([page.status, page.body.includes(account.email)]).toEqual([200, true]);
    expect((await send('/verify', { token })).status).toBe(200);
    expect((await send('/verify', { token })).status).toBe(401);
    expect(await works(account.token)).toBe(true);
    await askForLink(account.email);
    await verify(await mailedToken(account.email, '/magic-link'));
    expect(await works(account.token)).toBe(true);
    expect((await logIn(account)).status).toBe(200);
  });
});
