import { createHmac } from 'node:crypto';
import { exportSPKI, SignJWT, type JWTHeaderParameters } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../../support/service.js';
import { providerKey, startWrongProvider, type ProviderKey, type WrongProvider } from '../../support/wrong-provider.js';

const APP = 'https://app.example/signed-in';
const CLIENT_ID = 'passports';
const STATE = 'a state of the client: 0123456789';
const EMAIL = 'victim@brand.example';
const DISCOVERY = '/.well-known/openid-configuration';

let provider: WrongProvider;
let service: TestService;
let key: ProviderKey;
let stranger: ProviderKey;

const metadata = (more: object = {}) => ({
  issuer: provider.issuer,
  authorization_endpoint: `${provider.issuer}/authorize`,
  token_endpoint: `${provider.issuer}/token`,
  jwks_uri: `${provider.issuer}/jwks`,
  // As careless as a provider can be: the service has a list of its own.
  id_token_signing_alg_values_supported: ['none', 'HS256', 'RS256'],
  ...more,
});

beforeAll(async () => {
  provider = await startWrongProvider();
  [key, stranger] = [await providerKey('RS256', 'its-key'), await providerKey('RS256', 'its-key')];
  provider.answers[DISCOVERY] = metadata();
  service = await startService({
    environment: { IDP_ISSUER: provider.issuer, IDP_CLIENT_ID: CLIENT_ID, IDP_REDIRECT_URIS: APP },
  });
});
afterAll(async () => {
  await service.close();
  await provider.close();
});
beforeEach(() => {
  provider.answers['/jwks'] = { keys: [key.published] };
});

const nowS = () => Math.floor(Date.now() / 1000);
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

async function nonceFor(state: string): Promise<string> {
  const query = new URLSearchParams({ redirect_uri: APP, state }).toString();
  const { json } = await service.call({ url: `/auth/idp/url?${query}` });
  return new URL(json.url as string).searchParams.get('nonce') ?? '';
}

/** The claims of a token that is as it should be. */
const claims = async (more: object = {}) => ({
  iss: provider.issuer,
  aud: CLIENT_ID,
  sub: 'subject-1',
  iat: nowS(),
  exp: nowS() + 300,
  nonce: await nonceFor(STATE),
  email: EMAIL,
  email_verified: true,
  name: 'Vera',
  ...more,
});
const signed = (payload: object, by = key, header: Partial<JWTHeaderParameters> = {}) =>
  new SignJWT({ ...payload }).setProtectedHeader({ alg: 'RS256', kid: 'its-key', ...header }).sign(by.privateKey);
const callback = (more: object = {}) =>
  service.call({
    method: 'POST',
    url: '/auth/idp/callback',
    payload: { code: 'a code', redirect_uri: APP, state: STATE, ...more },
  });
const answerWith = (token: unknown) => {
  provider.answers['/token'] = { access_token: 'a', token_type: 'Bearer', id_token: token };
};
const written = async () => {
  const { rows } = await service.database.query<{ rows: string }>(
    `select json_build_array((select json_agg(a) from service.accounts a), (select json_agg(i) from service.account_identities i),
       (select json_agg(s) from service.sessions s))::text as rows`,
  );
  return rows[0]?.rows;
};

type Forgery = () => Promise<unknown>;
const REJECTED: Readonly<Record<string, Forgery>> = {
  'signed with another key under the same name': async () => signed(await claims(), stranger),
  'naming a key that the provider does not have': async () => signed(await claims(), stranger, { kid: 'unknown' }),
  'bringing its own key along': async () => signed(await claims(), stranger, { jwk: stranger.published, kid: 'mine' }),
  'naming an address of keys': async () =>
    signed(await claims(), stranger, { jku: `${provider.issuer}/other-jwks`, kid: 'mine' }),
  'with alg none': async () => `${encoded({ alg: 'none' })}.${encoded(await claims())}.`,
  'with alg None and a signature': async () => {
    const [, payload, signature] = (await signed(await claims())).split('.');
    return `${encoded({ alg: 'None', kid: 'its-key' })}.${payload}.${signature}`;
  },
  'under HS256 with the public key as PEM for the secret': async () => {
    const body = `${encoded({ alg: 'HS256', kid: 'its-key' })}.${encoded(await claims())}`;
    return `${body}.${createHmac('sha256', await exportSPKI(key.publicKey))
      .update(body)
      .digest('base64url')}`;
  },
  'under HS256 with the modulus for the secret': async () => {
    const body = `${encoded({ alg: 'HS256', kid: 'its-key' })}.${encoded(await claims())}`;
    const secret = Buffer.from(key.published.n ?? '', 'base64url');
    return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`;
  },
  'under HS256 with a shared secret that the provider publishes': async () => {
    const secret = Buffer.alloc(32, 7);
    provider.answers['/jwks'] = { keys: [{ kty: 'oct', k: secret.toString('base64url'), kid: 'shared' }] };
    const body = `${encoded({ alg: 'HS256', kid: 'shared' })}.${encoded(await claims())}`;
    return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`;
  },
  'with an algorithm that the provider does not name': async () =>
    signed(await claims(), key, { alg: 'PS256' }).catch(() => `${encoded({ alg: 'PS256', kid: 'its-key' })}.e30.AAAA`),
  'changed after it was signed': async () => {
    const [header, , signature] = (await signed(await claims())).split('.');
    return `${header}.${encoded(await claims({ email: 'other@brand.example' }))}.${signature}`;
  },
  'with a header that must be understood and is not': async () => {
    const header = { alg: 'RS256', kid: 'its-key', crit: ['policy'], policy: 'https://example' };
    const body = `${encoded(header)}.${encoded(await claims())}`;
    const signature = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', key.privateKey, Buffer.from(body));
    return `${body}.${Buffer.from(signature).toString('base64url')}`;
  },
  'for another audience': async () => signed(await claims({ aud: 'another-client' })),
  'for several audiences without saying who asked': async () => signed(await claims({ aud: [CLIENT_ID, 'another'] })),
  'for several audiences, asked for by another': async () =>
    signed(await claims({ aud: [CLIENT_ID, 'another'], azp: 'another' })),
  'without an audience': async () => signed(await claims({ aud: undefined })),
  'of another issuer': async () => signed(await claims({ iss: 'https://other.example' })),
  'of the issuer with a slash more': async () => signed(await claims({ iss: `${provider.issuer}/` })),
  'without an issuer': async () => signed(await claims({ iss: undefined })),
  expired: async () => signed(await claims({ exp: nowS() - 90 })),
  'without an end': async () => signed(await claims({ exp: undefined })),
  'with an end that is a text': async () => signed(await claims({ exp: String(nowS() + 300) })).catch(() => 'x.y.z'),
  'not good before later': async () => signed(await claims({ nbf: nowS() + 120 })),
  'made in the future': async () => signed(await claims({ iat: nowS() + 120, exp: nowS() + 500 })),
  'made long ago, though not expired': async () => signed(await claims({ iat: nowS() - 3_600 })),
  'without the time at which it was made': async () => signed(await claims({ iat: undefined })),
  'without a subject': async () => signed(await claims({ sub: undefined })),
  'with an empty subject': async () => signed(await claims({ sub: '' })),
  'with another nonce': async () => signed(await claims({ nonce: 'another' })),
  'with the nonce of another state': async () =>
    signed(await claims({ nonce: await nonceFor('another state of a client') })),
  'without a nonce': async () => signed(await claims({ nonce: undefined })),
  'with a nonce that is no text': async () => signed(await claims({ nonce: [await nonceFor(STATE)] })),
  'that is no token': () => Promise.resolve('nonsense'),
  'that is empty': () => Promise.resolve(''),
};

const UNVERIFIED: Readonly<Record<string, object>> = {
  false: { email_verified: false },
  'the text "false"': { email_verified: 'false' },
  'the text "true"': { email_verified: 'true' },
  'the number 1': { email_verified: 1 },
  missing: { email_verified: undefined },
  null: { email_verified: null },
  'true for no address': { email: undefined },
  'true for what is no address': { email: 'victim' },
  'true for several addresses': { email: [EMAIL] },
  'true for an address with a line break': { email: `${EMAIL}\r\nBcc: x@y.example` },
};

describe('an ID token of a provider that is wrong or was attacked', () => {
  test.each(Object.entries(REJECTED))('is refused: %s', async (_name, forge) => {
    answerWith(await forge());
    const before = await written();
    const { status, json } = await callback();
    expect([status, json.code]).toEqual([401, 'idp_rejected']);
    expect(await written()).toBe(before);
  });

  test.each(Object.entries(UNVERIFIED))('opens no account when email_verified is %s', async (_name, more) => {
    answerWith(await signed(await claims(more)));
    const before = await written();
    const { status, json } = await callback();
    expect([status, json.code]).toEqual([403, 'email_not_verified']);
    expect(await written()).toBe(before);
  });

  test('is refused when the state was swapped, in either direction', async () => {
    answerWith(await signed(await claims()));
    for (const state of ['another state of a client', undefined]) {
      const { status, json } = await callback({ state });
      expect([status, json.code]).toEqual([401, 'idp_rejected']);
    }
    answerWith(await signed(await claims({ nonce: undefined })));
    expect((await callback({ state: undefined })).status).toBe(200);
  });
});

describe('an ID token that is as it should be', () => {
  test('signs in, and the code is exchanged with the verifier of the challenge', async () => {
    answerWith(await signed(await claims({ sub: 'subject-2', email: ' Vera@Brand.example ' })));
    const { status, json } = await callback();
    expect([status, json.email]).toEqual([200, 'vera@brand.example']);
    const form = provider.exchanged.at(-1);
    expect(Object.fromEntries(form ?? [])).toEqual({
      ...{ grant_type: 'authorization_code', code: 'a code', redirect_uri: APP, client_id: CLIENT_ID },
      code_verifier: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    const { rows } = await service.database.query(
      "select display_name from service.accounts where email like 'vera@%'",
    );
    expect(rows).toEqual([{ display_name: 'Vera' }]);
  });

  test('may be off by a minute of clock, not more', async () => {
    for (const more of [{ exp: nowS() - 40 }, { iat: nowS() + 40 }, { nbf: nowS() + 40 }]) {
      answerWith(await signed(await claims(more)));
      expect((await callback()).status).toBe(200);
    }
  });

  test('belongs to its subject: a changed address stays the same account', async () => {
    answerWith(await signed(await claims({ sub: 'subject-3', email: 'before@brand.example' })));
    const first = await callback();
    answerWith(await signed(await claims({ sub: 'subject-3', email: 'after@brand.example' })));
    const second = await callback();
    expect([second.json.userId, second.json.email]).toEqual([first.json.userId, 'before@brand.example']);
  });

  test('at the same moment makes one account', async () => {
    answerWith(await signed(await claims({ sub: 'subject-4', email: 'race@brand.example' })));
    const answers = await Promise.all([1, 2, 3, 4].map(() => callback()));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ json }) => json.userId as string)).size).toBe(1);
  });

  test('may be signed with a new key, and the old one counts no more', async () => {
    const next = await providerKey('RS256', 'next-key');
    answerWith(await signed(await claims()));
    expect((await callback()).status).toBe(200);
    provider.answers['/jwks'] = { keys: [next.published] };
    answerWith(await signed(await claims(), next, { kid: 'next-key' }));
    expect((await callback()).status).toBe(200);
    answerWith(await signed(await claims()));
    expect((await callback()).json.code).toBe('idp_rejected');
  });

  test('in a browser is no name with line breaks or without end', async () => {
    const name = `Vera\r\nBcc: x@y.example${'x'.repeat(500)}`;
    answerWith(await signed(await claims({ sub: 'subject-5', email: 'long@brand.example', name })));
    expect((await callback()).status).toBe(200);
    const { rows } = await service.database.query<{ display_name: string }>(
      "select display_name from service.accounts where email = 'long@brand.example'",
    );
    expect(rows[0]?.display_name).toMatch(/^Vera Bcc: x@y\.examplex+$/);
    expect(rows[0]?.display_name).toHaveLength(100);
  });
});

describe('the two calls', () => {
  const url = (query: Record<string, string>) =>
    service.call({ url: `/auth/idp/url?${new URLSearchParams(query).toString()}` });

  test('name an address of the list, letter by letter', async () => {
    for (const redirect of [
      'https://evil.example/',
      `${APP}/`,
      `${APP}?x=1`,
      APP.toUpperCase(),
      'https://app.example.evil.example/signed-in',
      '//app.example/signed-in',
      'javascript:alert(1)',
      '',
    ]) {
      for (const { status, json } of [
        await url({ redirect_uri: redirect, state: STATE }),
        await callback({ redirect_uri: redirect }),
      ]) {
        expect([status, json.errors[0].path], redirect).toEqual([422, 'redirect_uri']);
      }
    }
  });

  test('take a state of 16 characters and more', async () => {
    expect((await url({ redirect_uri: APP, state: 'x'.repeat(15) })).json.errors[0].path).toBe('state');
    expect((await callback({ state: 'x'.repeat(15) })).json.errors[0].path).toBe('state');
    const { json } = await url({ redirect_uri: APP, state: 'x'.repeat(16) });
    const { searchParams } = new URL(json.url as string);
    expect(Object.fromEntries(searchParams)).toEqual({
      ...{ client_id: CLIENT_ID, response_type: 'code', scope: 'openid email profile', redirect_uri: APP },
      ...{ state: 'x'.repeat(16), code_challenge_method: 'S256' },
      nonce: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    const plain = new URL((await url({ redirect_uri: APP })).json.url as string).searchParams;
    expect([plain.get('nonce'), plain.get('code_challenge'), plain.get('state')]).toEqual([null, null, null]);
  });
});

describe('a provider that refuses or does not work', () => {
  const send = (status: number, body: string) => {
    provider.answers['/token'] = (_request, response) => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
    };
  };

  test.each([
    [401, 'idp_rejected', 400, '{"error":"invalid_grant"}'],
    [503, 'idp_unavailable', 401, '{"error":"invalid_client"}'],
    [503, 'idp_unavailable', 500, '{"error":"server_error"}'],
    [503, 'idp_unavailable', 502, '<html>'],
    [503, 'idp_unavailable', 200, '{"access_token":"a"}'],
    [503, 'idp_unavailable', 200, 'not JSON'],
    [503, 'idp_unavailable', 200, `"${'x'.repeat(1_100_000)}"`],
  ])('answers %i %s for %i', async (status, code, sent, body) => {
    send(sent, body);
    const answer = await callback();
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    expect(answer.body).not.toContain('127.0.0.1');
  });

  test('is not followed anywhere else', async () => {
    provider.answers['/token'] = (_request, response) => {
      response.writeHead(307, { Location: `${provider.issuer}/elsewhere` }).end();
    };
    expect((await callback()).json.code).toBe('idp_unavailable');
    expect(provider.asked.get('/elsewhere')).toBeUndefined();
  });
});

test('without a provider both calls are 404 and the page offers none', async () => {
  const plain = await startService();
  try {
    const payload = { code: 'a', redirect_uri: APP };
    const answers = [
      await plain.call({ url: `/auth/idp/url?redirect_uri=${encodeURIComponent(APP)}` }),
      await plain.call({ method: 'POST', url: '/auth/idp/callback', payload }),
    ];
    for (const { status, json } of answers) expect([status, json.code]).toEqual([404, 'idp_not_configured']);
    expect((await plain.call({ url: '/sign-in' })).body).not.toContain('/sign-in/idp');
    expect((await plain.call({ url: '/sign-in/idp', headers: { accept: 'text/html' } })).status).toBe(404);
  } finally {
    await plain.close();
  }
});
