import { randomBytes } from 'node:crypto';
import { decodeProtectedHeader } from 'jose';
import { afterAll, describe, expect, test } from 'vitest';
import { buildApp } from '../../../src/app.js';
import { createSessionTokens, keyIdOf } from '../../../src/infrastructure/session-tokens.js';
import { pino } from 'pino';
import type { SignedUp, TestService } from '../../support/service.js';
import { withService } from '../../support/shared-service.js';

let service: TestService;
/** A second API process, as far as sessions are concerned: it shares the database alone. */
let otherApp: Awaited<ReturnType<typeof buildApp>>;
withService.beforeAll(async ({ service: shared }) => {
  service = shared;
  const { config, database, eventStore, workflows } = service;
  const projected = { waitFor: () => Promise.resolve(true), close: () => Promise.resolve() };
  const logger = pino({ level: 'silent' });
  otherApp = await buildApp({ config, logger, database, eventStore, workflows, projected, clock: Date.now });
});
afterAll(() => otherApp.close());

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const logIn = async ({ email, password }: Pick<SignedUp, 'email' | 'password'>) =>
  (await service.call({ method: 'POST', url: '/auth/login', payload: { email, password } })).json.token as string;
const sessions = (token: string) => service.call({ url: '/auth/sessions', headers: bearer(token) });
const worksHere = async (token: string) => (await sessions(token)).status === 200;
const worksThere = async (token: string) =>
  (await otherApp.inject({ url: '/auth/sessions', headers: bearer(token) })).statusCode === 200;

interface Listed {
  readonly id: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly current: boolean;
}
const listed = async (token: string): Promise<Listed[]> => (await sessions(token)).json.data as Listed[];

describe('sessions', () => {
  test('are listed, newest first, and the one that asks is marked', async () => {
    const account = await service.signUp();
    const token = await logIn(account);
    const [newest, oldest, ...more] = await listed(token);
    expect(more).toEqual([]);
    expect([newest?.current, oldest?.current]).toEqual([true, false]);
    expect((newest?.expiresAt ?? 0) - (newest?.createdAt ?? 0)).toBeCloseTo(7 * 86_400_000, -4);
    expect((await listed(account.token)).map(({ current }) => current)).toEqual([false, true]);
  });

  test('can be ended one by one, and are refused at once by every process', async () => {
    const account = await service.signUp();
    const [one, two] = [await logIn(account), await logIn(account)];
    expect(await worksThere(one)).toBe(true);
    const [, mine] = await listed(two);
    const end = () => service.call({ method: 'DELETE', url: `/auth/sessions/${mine?.id}`, headers: bearer(two) });
    expect((await end()).json).toEqual({ ok: true });
    expect([await worksHere(one), await worksThere(one)]).toEqual([false, false]);
    expect((await end()).json).toEqual({ ok: true });
    expect(await worksThere(two)).toBe(true);
    expect(await listed(two)).toHaveLength(2);
  });

  test('of somebody else are not found, like ids that nobody has, and go on', async () => {
    const [mine, theirs] = [await service.signUp(), await service.signUp()];
    const [session] = await listed(theirs.token);
    for (const id of [session?.id, '019abf5e-0000-7000-8000-000000000000', 'x', "'; drop table service.sessions; --"]) {
      const url = `/auth/sessions/${encodeURIComponent(id ?? '')}`;
      const { status, json } = await service.call({ method: 'DELETE', url, headers: bearer(mine.token) });
      expect([status, json.code]).toEqual([404, 'not_found']);
    }
    expect(await worksHere(theirs.token)).toBe(true);
  });

  test('all end at once, in every process, and nobody else loses one', async () => {
    const [account, bystander] = [await service.signUp(), await service.signUp()];
    const other = await logIn(account);
    const out = await service.call({ method: 'POST', url: '/auth/logout-all', headers: bearer(other) });
    expect([out.status, out.json]).toEqual([200, { ok: true }]);
    for (const token of [account.token, other]) {
      expect([await worksHere(token), await worksThere(token)]).toEqual([false, false]);
    }
    expect(await worksThere(bystander.token)).toBe(true);
  });
});

describe('changing the password', () => {
  const change = (token: string, currentPassword: unknown, newPassword: unknown) =>
    service.call({
      method: 'PUT',
      url: '/auth/password',
      headers: bearer(token),
      payload: { currentPassword, newPassword },
    });

  test('ends the other sessions, keeps the own, and only the new one signs in', async () => {
    const account = await service.signUp();
    const own = await logIn(account);
    expect((await change(own, account.password, 'another password')).json).toEqual({ ok: true });
    expect([await worksThere(own), await worksThere(account.token)]).toEqual([true, false]);
    expect(await logIn(account)).toBeUndefined();
    expect(await logIn({ ...account, password: 'another password' })).toEqual(expect.any(String));
  });

  test('needs the current one, counted like a sign-in, and changes nothing otherwise', async () => {
    const account = await service.signUp();
    const other = await logIn(account);
    for (let round = 0; round < 10; round++) {
      const { status, json } = await change(account.token, 'not the password', 'another password');
      expect([status, json.code]).toEqual([401, 'bad_credentials']);
    }
    const { status, headers } = await change(account.token, account.password, 'another password');
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(880);
    expect(await worksHere(other)).toBe(true);
    await service.database.query('delete from service.sign_in_attempts');
    expect(await logIn(account)).toEqual(expect.any(String));
  });

  test('has the bounds of every password', async () => {
    const { token, password } = await service.signUp();
    for (const bad of ['seven77', 'x'.repeat(201), 'with a \0 in it', 12345678]) {
      const { status, json } = await change(token, password, bad);
      expect([status, json.errors[0].path]).toEqual([422, 'newPassword']);
    }
  });
});

describe('signing keys', () => {
  const key = () => randomBytes(32);
  const claims = { accountId: 'usr_a', sessionId: '019abf5e-0000-7000-8000-000000000000' };
  const tokensOf = (current: Buffer, ...accepted: Buffer[]) =>
    createSessionTokens({ TOKEN_SIGNING_KEY: current, TOKEN_SIGNING_KEYS_ACCEPTED: accepted }, Date.now);
  const soon = () => Date.now() + 60_000;

  test('are named in the token and give nothing of themselves away', async () => {
    const current = key();
    const token = await tokensOf(current).sign(claims, soon());
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', kid: keyIdOf(current) });
    expect(keyIdOf(current)).toHaveLength(12);
  });

  test('are rotated with an overlap: before, while both kinds of processes run, and after', async () => {
    const [old, next] = [key(), key()];
    const [before, prepared, switched, after] = [
      tokensOf(old),
      tokensOf(old, next),
      tokensOf(next, old),
      tokensOf(next),
    ];
    const [fromOld, fromNew] = [await before.sign(claims, soon()), await switched.sign(claims, soon())];
    expect(await prepared.verify(fromNew)).toEqual(claims);
    expect(await switched.verify(fromOld)).toEqual(claims);
    expect(await after.verify(fromNew)).toEqual(claims);
    expect(await after.verify(fromOld)).toBeNull();
    expect(await before.verify(fromNew)).toBeNull();
  });

  test('count only under their own name', async () => {
    const [old, next] = [key(), key()];
    const token = await tokensOf(old).sign(claims, soon());
    const [, payload, signature] = token.split('.');
    const header = Buffer.from(JSON.stringify({ alg: 'HS256', kid: keyIdOf(next) })).toString('base64url');
    expect(await tokensOf(next, old).verify(`${header}.${payload}.${signature}`)).toBeNull();
  });
});
