import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/infrastructure/config.js';
import { createIdentityProvider } from '../../src/infrastructure/identity-provider/identity-provider.js';
import { startWrongProvider, type WrongProvider } from '../support/wrong-provider.js';

const DISCOVERY = '/.well-known/openid-configuration';
const redirectUri = 'https://app.example/';

let wrong: WrongProvider;
beforeAll(async () => {
  wrong = await startWrongProvider();
});
afterAll(() => wrong.close());
beforeEach(() => {
  wrong.answers[DISCOVERY] = metadata();
  wrong.asked.clear();
});

const metadata = (more: object = {}) => ({
  issuer: wrong.issuer,
  authorization_endpoint: `${wrong.issuer}/authorize`,
  token_endpoint: `${wrong.issuer}/token`,
  jwks_uri: `${wrong.issuer}/jwks`,
  ...more,
});

const lines: string[] = [];
const connect = (now = () => Date.now()) =>
  createIdentityProvider({
    ...{ issuer: wrong.issuer, clientId: 'c', clientSecret: 'of the client', redirectUris: [redirectUri] },
    ...{ encryptionKey: Buffer.alloc(32), clock: now, limitMs: 300 },
    logger: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
  });
const askForUrl = (provider = connect()) => provider.authorizationUrl({ redirectUri, state: null });
const exchange = (provider = connect()) => provider.identityOf({ redirectUri, state: null, code: 'a-secret-code' });

describe('discovery', () => {
  test('is lazy, and kept for ten minutes', async () => {
    let now = 0;
    const provider = connect(() => now);
    expect(wrong.asked.get(DISCOVERY)).toBeUndefined();
    await askForUrl(provider);
    now = 599_000;
    await askForUrl(provider);
    expect(wrong.asked.get(DISCOVERY)).toBe(1);
    now = 600_000;
    await askForUrl(provider);
    expect(wrong.asked.get(DISCOVERY)).toBe(2);
  });

  test('that failed is tried again at the next call', async () => {
    const provider = connect();
    delete wrong.answers[DISCOVERY];
    await expect(askForUrl(provider)).rejects.toMatchObject({ code: 'idp_unavailable' });
    wrong.answers[DISCOVERY] = metadata();
    await expect(askForUrl(provider)).resolves.toContain('/authorize?');
  });

  test.each([
    ['another issuer', { issuer: 'https://other.example' }],
    ['no token endpoint', { token_endpoint: undefined }],
    ['keys over http from another machine', { jwks_uri: 'http://keys.example/jwks' }],
    ['an exchange over http on another machine', { token_endpoint: 'http://10.0.0.1/token' }],
    ['an address that is no web address', { authorization_endpoint: 'javascript:alert(1)' }],
  ])('is not taken when it names %s', async (_name, more) => {
    wrong.answers[DISCOVERY] = metadata(more);
    await expect(askForUrl()).rejects.toMatchObject({ code: 'idp_unavailable' });
  });
});

describe('a provider that is silent', () => {
  test('before or in the middle of its answer is given up, for every step', async () => {
    const silences = [
      () => undefined,
      (_request: unknown, response: { write: (text: string) => void }) => void response.write('{"issuer":'),
    ];
    for (const silence of silences) {
      wrong.answers[DISCOVERY] = silence;
      await expect(askForUrl()).rejects.toMatchObject({ code: 'idp_unavailable' });
    }
    // One that switches to another protocol is not waited for at all.
    wrong.answers[DISCOVERY] = (_request, response) =>
      void response.socket?.write('HTTP/1.1 101 \r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    await expect(askForUrl()).rejects.toMatchObject({ code: 'idp_unavailable' });
    wrong.answers[DISCOVERY] = metadata();
    wrong.answers['/token'] = () => undefined;
    await expect(exchange()).rejects.toMatchObject({ code: 'idp_unavailable' });
    wrong.answers['/token'] = { id_token: 'a.b.c' };
    wrong.answers['/jwks'] = () => undefined;
    await expect(exchange()).rejects.toMatchObject({ code: expect.stringMatching(/^idp_/) as string });
  });
});

test('the log says why, and holds neither code nor secret', async () => {
  wrong.answers['/token'] = (_request, response) => {
    response.writeHead(400).end(JSON.stringify({ error: 'invalid_grant', error_description: 'a-secret-code is used' }));
  };
  lines.length = 0;
  await expect(exchange()).rejects.toMatchObject({ code: 'idp_rejected' });
  expect(lines.join()).toContain('invalid_grant');
  expect(lines.join()).not.toMatch(/a-secret-code|of the client/);
});

test('the secret goes in the way that the provider takes', async () => {
  const seen: (string | undefined)[] = [];
  wrong.answers['/token'] = (request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(400).end('{"error":"invalid_grant"}');
  };
  await expect(exchange()).rejects.toThrow();
  wrong.answers[DISCOVERY] = metadata({ token_endpoint_auth_methods_supported: ['client_secret_post'] });
  await expect(exchange()).rejects.toThrow();
  expect(seen).toEqual([`Basic ${Buffer.from('c:of+the+client').toString('base64')}`, undefined]);
  const [basic, post] = wrong.exchanged.slice(-2);
  expect([basic?.get('client_secret'), post?.get('client_secret')]).toEqual([null, 'of the client']);
});

describe('the settings', () => {
  const key = Buffer.alloc(32).toString('base64url');
  const set = (more: Record<string, string>) =>
    readConfig({
      ...{ DATABASE_URL: 'postgres://x', EVENTSTORE_URL: 'esdb://x', ADMIN_TOKEN: 'x'.repeat(16) },
      ...{ TOKEN_SIGNING_KEY: key, LINK_KEY: key, ENCRYPTION_KEY: key, TEMPORAL_PAYLOAD_KEY: key, IDP_CLIENT_ID: 'c' },
      ...more,
    });

  test('take http for a provider on this machine, outside production', () => {
    expect(set({ IDP_ISSUER: 'http://127.0.0.1:9000' }).IDP_ISSUER).toBe('http://127.0.0.1:9000');
    expect(set({ IDP_ISSUER: 'https://idp.example', NODE_ENV: 'production' }).IDP_REDIRECT_URIS).toEqual([]);
    for (const wrongly of [
      { IDP_ISSUER: 'http://idp.example' },
      { IDP_ISSUER: 'http://localhost:9000', NODE_ENV: 'production' },
      { IDP_ISSUER: 'ftp://idp.example' },
      { IDP_ISSUER: 'https://idp.example', IDP_CLIENT_ID: '' },
      { IDP_ISSUER: 'https://idp.example', IDP_REDIRECT_URIS: 'https://a.example/,nonsense' },
      { TOKEN_SIGNING_KEYS_ACCEPTED: `${key},short` },
    ]) {
      expect(() => set(wrongly)).toThrow(/^configuration: (IDP_|TOKEN_SIGNING_KEYS_ACCEPTED)/);
    }
  });
});
