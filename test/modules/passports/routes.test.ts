import { Resvg } from '@resvg/resvg-js';
import jsqr from 'jsqr';
import { describe, expect, test } from 'vitest';
import type { Brand, TestService } from '../../support/service.js';
import { withService } from '../../support/shared-service.js';

// jsqr is a CommonJS module whose types and run-time form of the default export differ.
const readQr = ((jsqr as { readonly default?: unknown }).default ?? jsqr) as (
  pixels: Uint8ClampedArray,
  width: number,
  height: number,
) => { readonly data: string } | null;

let service: TestService;
let brand: Brand;
let other: Brand;

withService.beforeAll(async ({ service: shared }) => {
  service = shared;
  [brand, other] = [await service.asBrand({ name: 'Nordfaden & Co' }), await service.asBrand({ name: 'Other' })];
});

const MATERIALS = [
  { materialType: 'cotton_organic', percentage: 95, originCountry: 'TR' },
  { materialType: 'elastane', percentage: 5, originCountry: 'CN' },
];

/** A product with a preliminary passport. */
async function published(fields: object = {}) {
  const payload = { name: 'T-shirt', subcategory: 'tshirts', gtin: null, materials: MATERIALS, ...fields };
  const product = await brand.call({ method: 'POST', url: '/brand/products', payload });
  expect(product.status).toBe(201);
  const productId = product.json.id as string;
  const passport = await brand.call({ method: 'POST', url: `/brand/products/${productId}/publish` });
  expect(passport.status).toBe(200);
  const { dppId, qrUrl } = passport.json as { dppId: string; qrUrl: string };
  return { productId, dppId, qrUrl, path: new URL(qrUrl).pathname };
}

const put = (productId: string, payload: object) =>
  brand.call({ method: 'PUT', url: `/brand/products/${productId}`, payload });
const page = (url: string, headers: Record<string, string> = {}) =>
  service.call({ url, headers: { accept: 'text/html', ...headers } });
const facts = async (url: string) => {
  const { status, headers, body } = await service.call({ url, headers: { accept: 'application/ld+json' } });
  return { status, type: headers['content-type'], json: JSON.parse(body) as Record<string, never> };
};
const entry = async (dppId: string) => {
  const { json } = await brand.call({ url: '/brand/dpps' });
  return (json.data as Record<string, unknown>[]).find(({ id }) => id === dppId);
};

describe('GET /brand/dpps', () => {
  test('shows a passport with its batch and product', async () => {
    const { productId, dppId, qrUrl } = await published({ name: 'Listed', sku: 'L-1', weightKg: 0.18 });
    expect(await entry(dppId)).toEqual({
      id: dppId,
      gtin: expect.stringMatching(/^2\d{12}$/) as string,
      serial: qrUrl.split('/').at(-1),
      qrUrl,
      publishedAt: expect.any(Number) as number,
      updatedAt: expect.any(Number) as number,
      version: 1,
      preliminary: true,
      co2PerUnit: expect.any(Number) as number,
      batchId: expect.stringMatching(/^bat_/) as string,
      poReference: 'IMPORT',
      quantity: 1,
      unit: 'piece',
      productId,
      productName: 'Listed',
      productSku: 'L-1',
      factoryName: null,
    });
  });
  test('is filtered to a product, and empty for one without passports', async () => {
    const { productId, dppId } = await published();
    const ofProduct = await brand.call({ url: `/brand/dpps/by-product/${productId}` });
    expect((ofProduct.json.data as { id: string }[]).map(({ id }) => id)).toEqual([dppId]);
    const bare = await brand.call({ method: 'POST', url: '/brand/products', payload: { name: 'Bare' } });
    expect((await brand.call({ url: `/brand/dpps/by-product/${bare.json.id}` })).json).toEqual({ data: [] });
  });
  test('shows nothing to another organization, which gets 404 for the product', async () => {
    const { productId } = await published();
    expect((await other.call({ url: '/brand/dpps' })).json).toEqual({ data: [] });
    expect((await other.call({ url: `/brand/dpps/by-product/${productId}` })).status).toBe(404);
  });
});

describe('a changed product', () => {
  test('is re-published under the same address, and the client reads it at once', async () => {
    const { productId, dppId, qrUrl, path } = await published({ weightKg: 0.18 });
    const before = await entry(dppId);
    expect((await put(productId, { name: 'Renamed', weightKg: 0.36 })).status).toBe(200);
    const after = await entry(dppId);
    expect(after).toMatchObject({ qrUrl, version: 2, productName: 'Renamed', publishedAt: before?.['publishedAt'] });
    expect(after?.['co2PerUnit']).toBeGreaterThan(before?.['co2PerUnit'] as number);
    expect((await page(path)).body).toContain('Renamed');
    expect((await page(`${path}?v=1`)).body).not.toContain('Renamed');
  });
  test('makes no new version when the page does not show the change', async () => {
    const { productId, dppId } = await published();
    await put(productId, { externalId: 'only ours' });
    expect(await entry(dppId)).toMatchObject({ version: 1 });
  });
  test('changed by five at once shows what it is in the end', async () => {
    const { productId, path } = await published();
    await Promise.all(['1', '2', '3', '4', '5'].map((name) => put(productId, { name: `Version ${name}` })));
    const { json } = await brand.call({ url: `/brand/products/${productId}` });
    expect((await facts(path)).json).toMatchObject({ name: json.name });
  });
});

describe('the public page', () => {
  test('answers at its own address and at the GS1 Digital Link, without a login', async () => {
    const { path } = await published({ name: 'Both', gtin: '4012345678901' });
    const [own, link] = await Promise.all([
      page(path),
      page(path.replace('/p/4012345678901/', '/01/04012345678901/21/')),
    ]);
    for (const { status, headers, body } of [own, link]) {
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(body).toContain('Both');
      expect(body).toContain('Nordfaden &amp; Co');
      expect(headers['content-security-policy']).toMatch(/default-src 'none'/);
    }
  });
  test('speaks the language that is asked for', async () => {
    const { path } = await published();
    expect((await page(`${path}?lang=de`)).body).toContain('lang="de"');
    expect((await page(path, { 'accept-language': 'fr-CH, en;q=0.5' })).body).toContain('lang="fr"');
  });
  test('gives the same facts as JSON-LD', async () => {
    const { path, dppId } = await published({ name: 'Facts', weightKg: 0.18 });
    const { status, type, json } = await facts(path);
    expect([status, type]).toEqual([200, 'application/ld+json; charset=utf-8']);
    expect(json).toMatchObject({ '@context': 'https://schema.org', name: 'Facts' });
    expect(JSON.stringify(json)).toContain(dppId);
  });
  test('answers 406 to those who take neither', async () => {
    const { path } = await published();
    expect((await service.call({ url: path, headers: { accept: 'image/png' } })).status).toBe(406);
  });
  test('shows the version that was out at a moment', async () => {
    const { productId, path, dppId } = await published({ name: 'Old name' });
    const firstAt = (await entry(dppId))?.['publishedAt'] as number;
    await put(productId, { name: 'New name' });
    const at = (ms: number) => page(`${path}?at=${encodeURIComponent(new Date(ms).toISOString())}`);
    expect((await at(firstAt)).body).toContain('Old name');
    expect((await at(Date.now())).body).toContain('New name');
    expect((await at(firstAt - 1)).status).toBe(404);
    expect((await page(`${path}?at=yesterday`)).status).toBe(422);
  });
  test.each(['0', '2', '01', '1.0', 'one'])('has no version %s', async (v) => {
    const { path } = await published();
    const { status, headers } = await page(`${path}?v=${v}`);
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  });
  test('answers an unknown address with a page, or a problem for machines', async () => {
    const { path } = await published();
    for (const unknown of [`${path.slice(0, -1)}2`, '/p/4012345678901/AAAAAAAAAAAA', '/p/x/y', '/01/1/21/2']) {
      if (unknown === path) continue;
      expect((await page(unknown)).status).toBe(404);
      const { status, json } = await service.call({ url: unknown, headers: { accept: 'application/json' } });
      expect([status, json.code]).toEqual([404, 'not_found']);
    }
  });
  test('is not sent again to those who have it', async () => {
    const { productId, path } = await published();
    const first = await page(path);
    const etag = String(first.headers.etag);
    const again = await page(path, { 'if-none-match': etag });
    expect([again.status, again.body]).toEqual([304, '']);
    // A browser takes the headers over for its copy: an empty answer's policy would forbid the page its styles.
    const policy = 'content-security-policy';
    expect(again.headers[policy]).toBe(first.headers[policy]);
    await put(productId, { careInstructions: 'Hand wash.' });
    expect((await page(path, { 'if-none-match': etag })).status).toBe(200);
  });
  test('escapes markup in every text of the product', async () => {
    const evil = '<script>alert(1)</script>"\'><img src=x onerror=alert(1)>';
    const texts = {
      name: evil,
      sku: 'evil',
      careInstructions: evil,
      expectedLifespan: evil,
      recyclingInstructions: evil,
    };
    const { path } = await published({ ...texts, recyclable: true });
    const { body } = await page(path);
    expect(body).not.toContain('<script>alert');
    expect(body).not.toContain('<img src=x');
    expect(body).toContain('&lt;script>alert(1)');
  });
});

describe('GET /brand/qr/:dppId', () => {
  const qr = (dppId: string, query = '', as = brand) =>
    service.app.inject({ url: `/brand/qr/${dppId}${query}`, headers: as.headers });

  const decode = (svg: Buffer, width: number): string | undefined => {
    const image = new Resvg(svg.toString(), { fitTo: { mode: 'width', value: width } }).render();
    return readQr(new Uint8ClampedArray(image.pixels), image.width, image.height)?.data;
  };

  test('is an SVG that decodes to the address, the same bytes each time', async () => {
    const { dppId, qrUrl } = await published();
    const [first, second] = [await qr(dppId), await qr(dppId)];
    expect(first.headers['content-type']).toBe('image/svg+xml');
    expect(second.rawPayload).toEqual(first.rawPayload);
    for (const width of [200, 400, 800]) expect(decode(first.rawPayload, width)).toBe(qrUrl);
  });
  test('is a PNG or a PDF on request', async () => {
    const { dppId } = await published();
    const png = await qr(dppId, '?format=png&size=300');
    expect(png.headers['content-type']).toBe('image/png');
    expect(png.rawPayload.readUInt32BE(16)).toBe(300);
    const largest = await qr(dppId, '?format=png&size=1024');
    expect(largest.rawPayload.readUInt32BE(16)).toBe(1024);
    const pdf = await qr(dppId, '?format=pdf');
    expect(pdf.headers['content-type']).toBe('application/pdf');
    expect(pdf.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
  });
  test.each(['?format=gif', '?size=10', '?size=100000', '?size=x', '?format=png&size=1025'])(
    'refuses %s',
    async (query) => {
      const { dppId } = await published();
      expect((await qr(dppId, query)).statusCode).toBe(422);
    },
  );
  test("answers 404 for an unknown passport and another organization's", async () => {
    const { dppId } = await published();
    expect((await qr('dpp_unknown')).statusCode).toBe(404);
    expect((await qr(dppId, '', other)).statusCode).toBe(404);
  });
});
