import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Brand, TestService } from '../support/service.js';
import { withService } from '../support/shared-service.js';

let service: TestService;
let brand: Brand;
withService.beforeAll(async ({ service: shared }) => {
  service = shared;
  brand = await service.asBrand();
});

const encoded = async (url: string, encoding: string, more: object = {}) => {
  const headers = { ...brand.headers, 'accept-encoding': encoding };
  const { headers: answered, rawPayload } = await service.app.inject({ url, headers, ...more });
  return { encoding: answered['content-encoding'], vary: String(answered['vary']), bytes: rawPayload };
};

describe('text answers', () => {
  test('are compressed as the caller takes them, and say the same', async () => {
    const plain = await encoded('/openapi.json', 'identity');
    expect(plain.encoding).toBeUndefined();
    for (const [asked, open] of [
      ['br, gzip', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const { encoding, vary, bytes } = await encoded('/openapi.json', asked);
      expect(encoding).toBe(asked.split(',')[0]);
      expect(vary).toMatch(/accept-encoding/i);
      expect(bytes.length).toBeLessThan(plain.bytes.length / 5);
      expect(open(bytes).equals(plain.bytes)).toBe(true);
    }
  });

  test('of a brand are compressed once they are long, lists and refusals alike', async () => {
    expect((await encoded('/brand/products', 'br')).encoding).toBeUndefined();
    for (let index = 0; index < 5; index++) {
      await brand.call({ method: 'POST', url: '/brand/products', payload: { name: `T-shirt ${index}` } });
    }
    const list = await encoded('/brand/products', 'br');
    expect(list.encoding).toBe('br');
    expect(JSON.parse(brotliDecompressSync(list.bytes).toString('utf8'))).toMatchObject({ data: { length: 5 } });
  });

  test('that show a secret are not, however long: nobody guesses it from their length', async () => {
    for (let index = 0; index < 8; index++) await service.organization(brand, `${index} ${'a'.repeat(190)}`);
    const { email, password } = brand;
    const session = await encoded('/auth/login', 'br', { method: 'POST', payload: { email, password } });
    expect(session.bytes.length).toBeGreaterThan(1_500);
    expect(session.encoding).toBeUndefined();
    const long = { url: `https://hooks.example/${'a'.repeat(1_900)}`, events: ['dpp.published'] };
    const made = await encoded('/brand/webhooks', 'br', { method: 'POST', payload: long });
    expect(made.bytes.toString('utf8')).toContain('whsec_');
    expect(made.encoding).toBeUndefined();
    for (const [url, cookie] of [
      ['/sign-in', ''],
      [`/magic-link?token=${'a'.repeat(43)}`, ''],
      ['/supplier', `session=${brand.token}`],
    ] as const) {
      const page = await encoded(url, 'br', { headers: { accept: 'text/html', 'accept-encoding': 'br', cookie } });
      expect(page.bytes.toString('utf8'), url).toContain('<html');
      expect(page.bytes.length, url).toBeGreaterThan(1_500);
      expect(page.encoding, url).toBeUndefined();
    }
  });
});
