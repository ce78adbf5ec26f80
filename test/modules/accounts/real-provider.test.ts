import { exportJWK, generateKeyPair } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startProgram, waitFor, type RunningProgram } from '../../support/program.js';
import { signInAt } from '../../support/provider-visit.js';
import { findFreePort } from '../../../src/embedded/ports.js';
import { startService, type TestService } from '../../support/service.js';

const APP = 'https://app.example/signed-in';
const PAGE = 'http://localhost:3000/sign-in/idp/callback';
const CLIENT = { id: 'passports', secret: 'a secret: with/odd+characters%' };

let port: number;
let provider: RunningProgram;
let service: TestService;

async function startProvider(kid: string): Promise<RunningProgram> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const program = startProgram({
    file: 'test/modules/accounts/fixtures/oidc-provider.ts',
    env: {
      PORT: String(port),
      CLIENT_ID: CLIENT.id,
      CLIENT_SECRET: CLIENT.secret,
      REDIRECT_URIS: `${APP},${PAGE}`,
      PRIVATE_KEY: JSON.stringify({ ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' }),
    },
  });
  await waitFor(program, () => program.output().includes('ready'));
  return program;
}

beforeAll(async () => {
  port = await findFreePort();
  provider = await startProvider('first');
  service = await startService({
    environment: {
      IDP_ISSUER: `http://127.0.0.1:${port}`,
      IDP_CLIENT_ID: CLIENT.id,
      IDP_CLIENT_SECRET: CLIENT.secret,
      IDP_REDIRECT_URIS: `${APP}, ${PAGE}`,
    },
  });
});
afterAll(async () => {
  await provider.stop();
  await service.close();
});

const STATE = 'a state of the client: 0123456789';
const urlFor = async (state?: string): Promise<string> => {
  const query = new URLSearchParams({ redirect_uri: APP, ...(state === undefined ? {} : { state }) }).toString();
  const { status, json, body } = await service.call({ url: `/auth/idp/url?${query}` });
  expect(status, body).toBe(200);
  return json.url as string;
};
const callback = (payload: object) =>
  service.call({ method: 'POST', url: '/auth/idp/callback', payload: { redirect_uri: APP, ...payload } });
const codeFor = async (login: string, state?: string): Promise<string> => {
  const back = await signInAt(await urlFor(state), login);
  expect(back.searchParams.get('state')).toBe(state ?? null);
  return back.searchParams.get('code') ?? '';
};

describe('a sign-in at a real OpenID Connect provider', () => {
  test('answers a session; the second time it is the same account', async () => {
    const first = await callback({ code: await codeFor('new@brand.example', STATE), state: STATE });
    expect(first.status, first.body).toBe(200);
    expect(first.json).toMatchObject({ email: 'new@brand.example', organizations: [] });
    const headers = { authorization: `Bearer ${first.json.token as string}` };
    expect((await service.call({ url: '/organizations', headers })).status).toBe(200);
    const second = await callback({ code: await codeFor('new@brand.example', STATE), state: STATE });
    expect(second.json.userId).toBe(first.json.userId);
  });

  test('works without state too', async () => {
    const { status } = await callback({ code: await codeFor('plain@brand.example') });
    expect(status).toBe(200);
  });

  test('finds the account that has the address, and it keeps its password if its address was proven', async () => {
    const account = await service.signUp('known@brand.example');
    await service.database.query(
      "update service.accounts set email_proven_at = now() where email = 'known@brand.example'",
    );
    const { json } = await callback({ code: await codeFor('known@brand.example', STATE), state: STATE });
    expect(json.userId).toBe(account.userId);
    const payload = { email: account.email, password: account.password };
    expect((await service.call({ method: 'POST', url: '/auth/login', payload })).status).toBe(200);
  });

  test('takes an account that somebody else had made in advance from its maker', async () => {
    const prepared = await service.signUp('prepared@brand.example');
    const { json } = await callback({ code: await codeFor(prepared.email, STATE), state: STATE });
    expect(json.userId).toBe(prepared.userId);
    const payload = { email: prepared.email, password: prepared.password };
    expect((await service.call({ method: 'POST', url: '/auth/login', payload })).status).toBe(401);
    const headers = { authorization: `Bearer ${prepared.token}` };
    expect((await service.call({ url: '/organizations', headers })).status).toBe(401);
  });

  test('is refused for an address that the provider has not verified, and makes no account', async () => {
    const email = 'unverified@brand.example';
    const { status, json } = await callback({ code: await codeFor(email, STATE), state: STATE });
    expect([status, json.code]).toEqual([403, 'email_not_verified']);
    const { rows } = await service.database.query('select 1 from service.accounts where email = $1', [email]);
    expect(rows).toEqual([]);
  });

  test('takes a code once, with the state that it was asked for with', async () => {
    const code = await codeFor('once@brand.example', STATE);
    expect((await callback({ code, state: STATE })).status).toBe(200);
    const replayed = await callback({ code, state: STATE });
    expect([replayed.status, replayed.json.code]).toEqual([401, 'idp_rejected']);
    for (const state of ['another state of the client', undefined]) {
      const { status, json } = await callback({ code: await codeFor('once@brand.example', STATE), state });
      expect([status, json.code]).toEqual([401, 'idp_rejected']);
    }
    // Begun without a state: the provider knows no challenge and refuses a verifier.
    const plain = await callback({ code: await codeFor('once@brand.example'), state: STATE });
    expect([plain.status, plain.json.code]).toEqual([401, 'idp_rejected']);
    expect((await callback({ code: 'made up', state: STATE })).json.code).toBe('idp_rejected');
  });

  test('of a browser goes by the pages: there with a state of its own, back with a session in a cookie', async () => {
    const signIn = await service.call({ url: '/sign-in?next=/supplier/requests/1' });
    expect(signIn.body).toContain('href="/sign-in/idp?next=%2Fsupplier%2Frequests%2F1&amp;lang=en"');
    const there = await service.call({ url: '/sign-in/idp?next=%2Fsupplier%2Frequests%2F1' });
    expect(there.status).toBe(303);
    const [cookie = ''] = [there.headers['set-cookie']].flat();
    expect(cookie).toMatch(/^sign-in-state=[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
    const back = await signInAt(there.headers.location ?? '', 'browser@brand.example');
    const url = back.pathname + back.search;

    const ofSomebodyElse = await service.call({ url });
    expect([ofSomebodyElse.status, ofSomebodyElse.headers['content-type']]).toEqual([401, 'text/html; charset=utf-8']);
    expect([ofSomebodyElse.headers['set-cookie']].flat().join()).not.toMatch(/(^|,)session=/);

    const signedIn = await service.call({ url, headers: { cookie: cookie.split(';')[0] } });
    expect([signedIn.status, signedIn.headers.location]).toEqual([303, '/supplier/requests/1']);
    const set = [signedIn.headers['set-cookie']].flat();
    expect(set).toContainEqual(
      expect.stringMatching(/^session=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/),
    );
    expect(set).toContainEqual(expect.stringMatching(/^sign-in-state=; /));
  });

  test('goes on when the provider changes its keys', async () => {
    await provider.stop();
    provider = await startProvider('second');
    const { status } = await callback({ code: await codeFor('rotated@brand.example', STATE), state: STATE });
    expect(status).toBe(200);
  });

  test('is 503 while the provider is down, and passwords go on', async () => {
    const account = await service.signUp();
    await provider.stop();
    const { status, json, headers } = await callback({ code: 'any', state: STATE });
    expect([status, json.code]).toEqual([503, 'idp_unavailable']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    const payload = { email: account.email, password: account.password };
    expect((await service.call({ method: 'POST', url: '/auth/login', payload })).status).toBe(200);
  });
});
