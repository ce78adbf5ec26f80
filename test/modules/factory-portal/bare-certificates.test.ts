import { describe, expect, test } from 'vitest';
import {
  batch,
  eventually,
  EXAMPLE_A,
  invite,
  product,
  requestMailsTo,
  tokenIn,
  type Invited,
  type ServiceWithWorker,
} from '../../support/brand-story.js';
import type { Brand } from '../../support/service.js';
import { withWorker } from '../../support/shared-service.js';

const LOCALES = ['en', 'de', 'fr', 'it', 'es'];
const BARE = { type: 'GOTS', number: 'CU 7' };
const UNKNOWN = { issuer: null, validFrom: null, validUntil: null };

let service: ServiceWithWorker;
let brand: Brand;
let factory: Invited;
let link: string;
let batchId: string;

withWorker.beforeAll(async ({ service: shared }) => {
  service = shared;
  brand = await service.asBrand();
  factory = await invite(brand);
  batchId = await batch(brand, await product(brand), factory);
  await brand.call({ method: 'POST', url: `/brand/batches/${batchId}/send-request`, payload: {} });
  const [mail] = await requestMailsTo(factory.email);
  link = `/factory/requests/${tokenIn(mail)}`;
}, 120_000);

describe('a certificate that comes with a kind and a number alone', () => {
  test('is kept in a draft with what is not known as null', async () => {
    const kept = await service.call({ method: 'PUT', url: `${link}/draft`, payload: { certificates: [BARE] } });
    expect(kept.status, kept.body).toBe(200);
    expect(kept.json.draft).toEqual({ certificates: [{ ...BARE, ...UNKNOWN }] });
  });

  test('is answered to the factory and to the brand', async () => {
    const data = { ...EXAMPLE_A, certificates: [BARE, { ...BARE, number: 'CU 8', issuer: ' ' }] };
    const submitted = await service.call({ method: 'POST', url: `${link}/submit`, payload: data });
    expect(submitted.status, submitted.body).toBe(200);
    const certificates = [BARE, { ...BARE, number: 'CU 8' }].map((one) => ({ ...one, ...UNKNOWN }));
    expect(submitted.json.submitted.certificates).toEqual(certificates);
    const ofBrand = await eventually(
      () => brand.call({ url: `/brand/suppliers/${factory.id}` }),
      ({ status, json }) => status !== 200 || json.certificates.length === 2,
    );
    expect(ofBrand.status, ofBrand.body).toBe(200);
    expect(ofBrand.json.certificates).toMatchObject([...certificates].reverse());
    const ofFactory = await service.call({ url: link });
    expect([ofFactory.status, ofFactory.json.known?.certificates], ofFactory.body).toEqual([200, certificates]);
  });

  test('is shown on the passport without what nobody has said of it', async () => {
    const published = await brand.call({ method: 'POST', url: `/brand/batches/${batchId}/publish` });
    expect(published.status, published.body).toBe(200);
    const url = new URL(published.json.qrUrl as string).pathname;
    for (const lang of LOCALES) {
      const { status, body } = await service.call({ url: `${url}?lang=${lang}`, headers: { accept: 'text/html' } });
      expect([status, body.includes('CU 7')]).toEqual([200, true]);
      expect(body).not.toMatch(/undefined|class="state/);
    }
    const { json } = await service.call({ url, headers: { accept: 'application/ld+json' } });
    expect(json.hasCertification).toEqual(
      ['CU 7', 'CU 8'].map((number) => ({
        ...{ '@type': 'Certification', name: 'GOTS', certificationIdentification: number },
      })),
    );
  });
});
