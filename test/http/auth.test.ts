import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import type { Brand, TestService } from '../support/service.js';
import { withService } from '../support/shared-service.js';

let service: TestService;
let brand: Brand;
let claims: { iss: string; sub: string; jti: string; iat: number; exp: number };

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const withKey = (header: object, payload: object, key: Uint8Array | string) => {
  const signed = `${encoded(header)}.${encoded(payload)}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
};
const listWith = (headers: Record<string, string>) =>
  service.call({ url: '/brand/products', headers: { 'x-organization-id': brand.organizationId, ...headers } });

withService.beforeAll(async ({ service: shared }) => {
  service = shared;
  brand = await service.asBrand();
  claims = JSON.parse(Buffer.from(brand.token.split('.')[1] ?? '', 'base64url').toString()) as typeof claims;
});

describe('a bearer token', () => {
  test('of a session opens the door, for seven days', async () => {
    expect((await listWith({ authorization: `Bearer ${brand.token}` })).status).toBe(200);
    expect(claims.exp - claims.iat).toBe(7 * 24 * 60 * 60);
    expect(claims.sub).toBe(brand.userId);
  });

  const forged: Record<string, () => string | Promise<string>> = {
    'no token': () => '',
    'another scheme': () => `Basic ${brand.token}`,
    'two tokens': () => `Bearer ${brand.token} ${brand.token}`,
    nonsense: () => 'Bearer nonsense',
    'alg none': () => `Bearer ${encoded({ alg: 'none' })}.${encoded(claims)}.`,
    'alg None with the old signature': () =>
      `Bearer ${encoded({ alg: 'None' })}.${encoded(claims)}.${brand.token.split('.')[2]}`,
    'another key': () => `Bearer ${withKey({ alg: 'HS256' }, claims, 'x'.repeat(32))}`,
    'an empty key': () => `Bearer ${withKey({ alg: 'HS256' }, claims, '')}`,
    'the right key under HS512': () =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS512' })
        .sign(Buffer.concat([service.config.TOKEN_SIGNING_KEY, service.config.TOKEN_SIGNING_KEY]))
        .then((token) => `Bearer ${token}`),
    'a signature of RSA': () => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const signed = `${encoded({ alg: 'RS256' })}.${encoded(claims)}`;
      return `Bearer ${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
    },
    'an expired one': () =>
      `Bearer ${withKey({ alg: 'HS256' }, { ...claims, exp: Math.floor(Date.now() / 1000) - 1 }, service.config.TOKEN_SIGNING_KEY)}`,
    'one without an end': () =>
      `Bearer ${withKey({ alg: 'HS256' }, { ...claims, exp: undefined }, service.config.TOKEN_SIGNING_KEY)}`,
    'one of another issuer': () =>
      `Bearer ${withKey({ alg: 'HS256' }, { ...claims, iss: 'somebody' }, service.config.TOKEN_SIGNING_KEY)}`,
    'a session that never was': () =>
      `Bearer ${withKey({ alg: 'HS256' }, { ...claims, jti: '019abf5e-0000-7000-8000-000000000000' }, service.config.TOKEN_SIGNING_KEY)}`,
    'a session id that is none': () =>
      `Bearer ${withKey({ alg: 'HS256' }, { ...claims, jti: "' or 1=1" }, service.config.TOKEN_SIGNING_KEY)}`,
    'the session of another account': () =>
      `Bearer ${withKey({ alg: 'HS256' }, { ...claims, sub: 'usr_other' }, service.config.TOKEN_SIGNING_KEY)}`,
    'a changed payload under the old signature': () => {
      const [header, , signature] = brand.token.split('.');
      return `Bearer ${header}.${encoded({ ...claims, sub: 'usr_other' })}.${signature}`;
    },
    "the operator's": () => `Bearer ${service.config.ADMIN_TOKEN}`,
  };

  test.each(Object.entries(forged))('is refused: %s', async (_name, make) => {
    const { status, json, headers } = await listWith({ authorization: await make() });
    expect(status).toBe(401);
    expect(json.code).toBe('unauthenticated');
    expect(headers['www-authenticate']).toBe('Bearer');
    expect(headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(json.requestId).toBe(headers['x-request-id']);
  });

  test('is refused after its session has ended', async () => {
    const other = await service.asBrand();
    expect((await service.call({ method: 'POST', url: '/auth/logout', headers: other.headers })).json).toEqual({
      ok: true,
    });
    expect((await other.call({ url: '/brand/products' })).status).toBe(401);
  });
});

describe('the order of refusals', () => {
  const nobody = 'Bearer nonsense';
  const post = (headers: Record<string, string>, payload: string | Buffer, contentType = 'application/json') =>
    service.call({
      method: 'POST',
      url: '/brand/products',
      headers: { 'content-type': contentType, ...headers },
      payload,
    });
  const tooLarge = JSON.stringify({ name: 'x'.repeat(2_000_000) });

  test('401 comes before everything', async () => {
    expect((await post({ authorization: nobody }, '{')).status).toBe(401);
    expect((await post({ authorization: nobody }, tooLarge)).status).toBe(401);
    expect((await post({ authorization: nobody }, 'a', 'text/plain')).status).toBe(401);
  });

  test('then 400 for the missing header', async () => {
    const { status, json } = await post({ authorization: brand.headers.authorization }, '{');
    expect([status, json.code]).toEqual([400, 'organization_header_missing']);
  });

  test('then 403 for an organization that one does not belong to', async () => {
    const other = await service.asBrand();
    for (const organizationId of [other.organizationId, 'org_none', 'x'.repeat(300)]) {
      const { status, json } = await post(
        { authorization: brand.headers.authorization, 'x-organization-id': organizationId },
        tooLarge,
      );
      expect([status, json.code]).toEqual([403, 'not_a_member']);
    }
  });

  test('then 413 and 415, then 400 for what is no JSON, then 422', async () => {
    expect((await post(brand.headers, tooLarge)).json.code).toBe('payload_too_large');
    expect((await post(brand.headers, 'a', 'text/plain')).json.code).toBe('unsupported_media_type');
    expect((await post(brand.headers, '{')).json.code).toBe('malformed_json');
    expect((await post(brand.headers, '{}')).json.code).toBe('invalid_input');
  });

  test('422 comes before 404', async () => {
    const put = (id: string, payload: object) => brand.call({ method: 'PUT', url: `/brand/products/${id}`, payload });
    expect((await put('prd_none', { name: 7 })).status).toBe(422);
    expect((await put('prd_none', { name: 'A' })).status).toBe(404);
    expect((await put('%00', { name: 7 })).status).toBe(422);
    expect((await put('%00', { name: 'A' })).status).toBe(404);
    expect((await put('x'.repeat(250), { name: 'A' })).status).toBe(404);
  });
});

describe('roles', () => {
  test('an auditor reads and does not write', async () => {
    const auditor = await service.signUp();
    await service.database.query("insert into service.memberships values ($1, $2, 'auditor')", [
      brand.organizationId,
      auditor.userId,
    ]);
    const headers = { authorization: `Bearer ${auditor.token}`, 'x-organization-id': brand.organizationId };
    expect((await service.call({ url: '/brand/products', headers })).status).toBe(200);
    const refused = await service.call({ method: 'POST', url: '/brand/products', headers, payload: { name: 'A' } });
    expect([refused.status, refused.json.code]).toEqual([403, 'role_required']);
    expect(refused.json.detail).toMatch(/editor.*auditor/);
  });

  test('a membership that is taken away acts on the token already issued', async () => {
    const editor = await service.signUp();
    await service.database.query("insert into service.memberships values ($1, $2, 'editor')", [
      brand.organizationId,
      editor.userId,
    ]);
    const headers = { authorization: `Bearer ${editor.token}`, 'x-organization-id': brand.organizationId };
    expect((await service.call({ url: '/brand/products', headers })).status).toBe(200);
    await service.database.query('delete from service.memberships where account_id = $1', [editor.userId]);
    expect((await service.call({ url: '/brand/products', headers })).json.code).toBe('not_a_member');
  });
});

describe("the operator's token", () => {
  const setPlan = (authorization: string, id = brand.organizationId) =>
    service.call({
      method: 'PUT',
      url: `/admin/organizations/${id}/plan`,
      headers: { authorization },
      payload: { plan: 'pro' },
    });

  test('is taken in constant time or not at all', async () => {
    expect((await setPlan(`Bearer ${service.config.ADMIN_TOKEN}`)).status).toBe(200);
    expect((await setPlan(`Bearer ${service.config.ADMIN_TOKEN}x`)).status).toBe(401);
    expect((await setPlan('')).status).toBe(401);
  });

  test("a member's token is understood and refused", async () => {
    const { status, json } = await setPlan(brand.headers.authorization);
    expect([status, json.code]).toEqual([403, 'operator_required']);
  });
});
