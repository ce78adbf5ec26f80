import { describe, expect, test } from 'vitest';
import {
  batch,
  eventually,
  EXAMPLE_A,
  invite,
  product,
  requestMailsTo,
  tokenIn,
  type ServiceWithWorker,
} from '../../support/brand-story.js';
import type { Answer, Brand, Call, SignedUp } from '../../support/service.js';
import { withWorker } from '../../support/shared-service.js';

/* What a brand sees of a factory whose address it has typed, and what it takes to see more. */

let service: ServiceWithWorker;

withWorker.beforeAll(({ service: shared }) => {
  service = shared;
}, 120_000);

const DAY_MS = 86_400_000;
const SOON = new Date(Date.now() + 10 * DAY_MS).toISOString().slice(0, 10);
const CATALOGUE = {
  products: { name: 'Secret jersey', productType: 'fabric' },
  facilities: { name: 'Secret hall', address: 'Rua 1', country: 'PT' },
  certificates: { type: 'GOTS', number: 'secret 1', validUntil: SOON },
  'sub-suppliers': { name: 'Secret spinner', tier: 3, contactEmail: 'spinner@secret.example' },
};
const NOTHING = { facilities: [], certificates: [], subSuppliers: [], products: [] };

interface Known {
  readonly mill: SignedUp & { readonly call: (options: Call) => Promise<Answer> };
  readonly brand: Brand;
  readonly supplierId: string;
}

/** A factory with a full catalogue, and a brand that has typed its address. */
async function typed(plan: 'free' | 'pro' = 'free'): Promise<Known> {
  const account = await service.signUpProven();
  const call = (options: Call) =>
    service.call({ ...options, headers: { authorization: `Bearer ${account.token}`, ...options.headers } });
  for (const [kind, payload] of Object.entries(CATALOGUE)) {
    const { status, body } = await call({ method: 'POST', url: `/supplier/${kind}`, payload });
    expect(status, body).toBe(201);
  }
  const brand = await service.asBrand({ plan });
  const payload = { factoryName: 'Mill', contactEmail: account.email, country: 'PT', tier: 1 };
  const { json } = await brand.call({ method: 'POST', url: '/brand/suppliers/invite', payload });
  expect(json).toMatchObject({ state: 'confirmed', sharing: 'asked', ...NOTHING });
  return { mill: { ...account, call }, brand, supplierId: json.id as string };
}

const detail = async ({ brand, supplierId }: Known) =>
  (await brand.call({ url: `/brand/suppliers/${supplierId}` })).json;
const listed = async ({ brand, supplierId }: Known) =>
  (await brand.call({ url: '/brand/suppliers' })).json.data.find(({ id }: { id: string }) => id === supplierId);
const answer = ({ mill, supplierId }: Known, action: 'accept' | 'decline') =>
  mill.call({ method: 'POST', url: `/supplier/brands/${supplierId}/${action}` });
const noticed = async ({ supplierId }: Known): Promise<number> => {
  let count = 0;
  for await (const { type } of service.eventStore.readStream(`supplier-${supplierId}`)) {
    if (type === 'CertificateExpiryNoticed') count += 1;
  }
  return count;
};

const SEEN = {
  sharing: 'granted',
  facilities: [{ name: 'Secret hall', address: 'Rua 1' }],
  certificates: [{ number: 'secret 1' }],
  subSuppliers: [{ contactEmail: 'spinner@secret.example' }],
  products: [{ name: 'Secret jersey' }],
};

describe('what a factory keeps', () => {
  test('is not shown to a brand that has typed its address, nor are there notices of it', async () => {
    const known = await typed();
    expect(await detail(known)).toMatchObject({ sharing: 'asked', ...NOTHING });
    expect(await listed(known)).toMatchObject({
      sharing: 'asked',
      ...{ certificateCount: 0, productCount: 0, batchCount: 0 },
    });
    const answers = [
      await known.brand.call({ url: '/brand/suppliers' }),
      await known.brand.call({ url: `/brand/suppliers/${known.supplierId}` }),
    ];
    for (const { body } of answers) expect(body).not.toMatch(/secret/i);
    // Its certificate ends within 30 days: a brand that is let in is told at once, one that is not never is.
    const letIn = await typed();
    await answer(letIn, 'accept');
    await eventually(
      () => noticed(letIn),
      (count) => count === 1,
    );
    expect(await noticed(known)).toBe(0);
  });

  test('is shown once the factory accepts, to that brand alone, and no more once it declines', async () => {
    const known = await typed();
    const other = await service.asBrand();
    const payload = { factoryName: 'Mill', contactEmail: known.mill.email, country: 'PT', tier: 1 };
    const { json: theirs } = await other.call({ method: 'POST', url: '/brand/suppliers/invite', payload });
    for (const _ of [1, 2]) {
      const accepted = await answer(known, 'accept');
      expect([accepted.status, accepted.json], accepted.body).toEqual([
        200,
        expect.objectContaining({ supplierId: known.supplierId, state: 'confirmed', sharing: 'granted' }),
      ]);
    }
    expect(await detail(known)).toMatchObject(SEEN);
    expect(await listed(known)).toMatchObject({ sharing: 'granted', certificateCount: 1, productCount: 1 });
    expect((await other.call({ url: `/brand/suppliers/${theirs.id}` })).json).toMatchObject({
      sharing: 'asked',
      ...NOTHING,
    });

    expect((await answer(known, 'decline')).json).toMatchObject({ state: 'declined', sharing: 'declined' });
    expect(await detail(known)).toMatchObject({ sharing: 'declined', ...NOTHING });
    expect(await listed(known)).toMatchObject({ sharing: 'declined', certificateCount: 0, productCount: 0 });
    const late = await answer(known, 'accept');
    expect([late.status, late.json.code]).toEqual([409, 'supplier_declined']);

    await known.brand.call({ method: 'POST', url: '/brand/suppliers/invite', payload });
    expect(await detail(known)).toMatchObject({ state: 'confirmed', sharing: 'asked', ...NOTHING });
  });

  test('is shown to the brand whose request it answers', async () => {
    const known = await typed('pro');
    const { brand, supplierId, mill } = known;
    const id = await batch(brand, await product(brand), { id: supplierId, email: mill.email });
    await brand.call({ method: 'POST', url: `/brand/batches/${id}/send-request`, payload: {} });
    const [mail] = await requestMailsTo(mill.email);
    const link = `/factory/requests/${tokenIn(mail)}`;
    await service.call({ method: 'PUT', url: `${link}/draft`, payload: { yarnNm: 40 } });
    // Looking and drafting are no answer; the brand sees its own batch all the same.
    expect(await detail(known)).toMatchObject({ sharing: 'asked', ...NOTHING, batches: [{ id }] });
    expect((await service.call({ method: 'POST', url: `${link}/submit`, payload: EXAMPLE_A })).status).toBe(200);
    expect(await detail(known)).toMatchObject(SEEN);
    expect(await listed(known)).toMatchObject({ sharing: 'granted', batchCount: 1 });
  });
});

describe('accepting', () => {
  test('is the factory’s own: nobody else’s, and not before its address is proven', async () => {
    const known = await typed();
    const url = `/supplier/brands/${known.supplierId}/accept`;
    for (const who of [await service.signUpProven(), known.brand]) {
      const headers = { authorization: `Bearer ${who.token}` };
      expect((await service.call({ method: 'POST', url, headers })).status).toBe(404);
    }
    const { id, email } = await invite(known.brand);
    const { token } = await service.signUp(email);
    const early = { method: 'POST', url: `/supplier/brands/${id}/accept` } as const;
    expect((await service.call({ ...early, headers: { authorization: `Bearer ${token}` } })).status).toBe(404);
    expect((await detail(known)).sharing).toBe('asked');
  });

  test('works by the button of its page, which is there as long as the brand asks', async () => {
    const known = await typed();
    const headers = { cookie: `session=${known.mill.token}`, origin: 'http://localhost:3000', accept: 'text/html' };
    const page = async () => (await service.call({ url: '/supplier', headers })).body;
    expect(await page()).toContain('value="accept"');
    const sent = await service.call({
      ...{ method: 'POST', url: '/supplier' },
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
      payload: new URLSearchParams({ action: 'accept', supplierId: known.supplierId }).toString(),
    });
    expect(sent.status, sent.body).toBe(303);
    expect(await page()).not.toContain('value="accept"');
    expect((await detail(known)).sharing).toBe('granted');
    expect((await known.mill.call({ url: '/supplier/brands' })).json.data).toMatchObject([{ sharing: 'granted' }]);
  });
});
