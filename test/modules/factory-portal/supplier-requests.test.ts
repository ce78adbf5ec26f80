import { describe, expect, test } from 'vitest';
import {
  batch,
  EXAMPLE_A,
  invite,
  product,
  requestMailsTo,
  tokenIn,
  type Invited,
  type ServiceWithWorker,
} from '../../support/brand-story.js';
import type { Brand, Call, SignedUp } from '../../support/service.js';
import { withWorker } from '../../support/shared-service.js';
import { tellOfProposals } from '../proposals/told.js';

let service: ServiceWithWorker;
let north: Brand;
let south: Brand;
let mill: SignedUp;
/** The mill as each brand has it, and what each has asked of it. */
let records: { north: Invited; south: Invited };
let batches: { north: string; south: string };

const call = (who: SignedUp, options: Call) =>
  service.call({ ...options, headers: { authorization: `Bearer ${who.token}`, ...options.headers } });
const asMill = (options: Call) => call(mill, options);
const prove = (who: SignedUp) =>
  service.database.query('update service.accounts set email_proven_at = now() where id = $1', [who.userId]);

withWorker.beforeAll(async ({ service: shared }) => {
  service = shared;
  north = await service.asBrand({ name: 'Nordfaden' });
  south = await service.asBrand({ name: 'Suedfaden' });
  const atNorth = await invite(north, 'mill-of-the-north');
  const payload = { factoryName: 'mill-of-the-south', contactEmail: atNorth.email, country: 'TR', tier: 1 };
  const { json } = await south.call({ method: 'POST', url: '/brand/suppliers/invite', payload });
  records = { north: atNorth, south: { id: json.id as string, email: atNorth.email } };
  batches = {
    north: await batch(north, await product(north, [], 'North tee'), records.north),
    south: await batch(south, await product(south, [], 'South tee'), records.south),
  };
  for (const [brand, id, notes] of [
    [north, batches.north, 'north-note'],
    [south, batches.south, 'south-note'],
  ] as const) {
    const sent = await brand.call({ method: 'POST', url: `/brand/batches/${id}/send-request`, payload: { notes } });
    expect(sent.status, sent.body).toBe(200);
  }
  mill = await service.signUp(atNorth.email);
}, 120_000);

const list = async () => (await asMill({ url: '/supplier/requests' })).json.data as Record<string, unknown>[];
const requestOf = async (name: string): Promise<string> =>
  (await list()).find(({ brand }) => (brand as { name: string }).name === name)?.['id'] as string;

describe('the requests of a factory', () => {
  test('are hidden until its address is proven', async () => {
    expect(await list()).toEqual([]);
    const { json } = await north.call({ url: `/brand/batches/${batches.north}` });
    const url = `/supplier/requests/${json.requests[0].id}`;
    expect((await asMill({ url })).status).toBe(404);
    expect((await asMill({ method: 'PUT', url: `${url}/draft`, payload: { yarnNm: 40 } })).status).toBe(404);
    expect((await asMill({ method: 'POST', url: `${url}/submit`, payload: EXAMPLE_A })).status).toBe(404);
    await prove(mill);
    expect(await list()).toHaveLength(2);
  });

  test('are listed with the brand that asks, newest first, in pages', async () => {
    const [first, second] = await list();
    expect(first).toEqual({
      id: expect.stringMatching(/^req_/) as string,
      state: expect.stringMatching(/pending|emailed/) as string,
      ...{ role: 'factory', tier: 1, brand: { name: 'Suedfaden' }, product: { name: 'South tee', sku: null } },
      batch: { poReference: 'PO-7', quantity: 500, unit: 'piece', state: 'sent' },
      createdAt: expect.any(Number) as number,
    });
    const page = (await asMill({ url: '/supplier/requests?limit=1' })).json;
    expect(page.data).toEqual([expect.objectContaining({ id: first?.['id'] })]);
    const next = (await asMill({ url: `/supplier/requests?limit=1&cursor=${page.nextCursor}` })).json;
    expect(next.data).toEqual([expect.objectContaining({ id: second?.['id'] })]);
  });

  test('say nothing of another brand, and are nobody else’s', async () => {
    const [northern, southern] = [await requestOf('Nordfaden'), await requestOf('Suedfaden')];
    const shown = await asMill({ url: `/supplier/requests/${northern}` });
    expect(shown.json).toMatchObject({
      id: northern,
      state: 'opened',
      notes: 'north-note',
      brand: { name: 'Nordfaden' },
    });
    expect(shown.body).not.toMatch(/south|sued/i);
    const stranger = await service.signUp();
    await prove(stranger);
    for (const options of [
      { url: `/supplier/requests/${southern}` },
      { method: 'PUT', url: `/supplier/requests/${southern}/draft`, payload: { yarnNm: 40 } },
      { method: 'POST', url: `/supplier/requests/${southern}/submit`, payload: EXAMPLE_A },
    ] as const) {
      const { status, json } = await call(stranger, options);
      expect([status, json.code]).toEqual([404, 'not_found']);
    }
    expect((await call(stranger, { url: '/supplier/requests' })).json).toEqual({ data: [] });
  });

  test('show what the catalogue knows, behind the mailed link too', async () => {
    const facility = { name: 'Hall 1', address: 'Rua 1', country: 'PT' };
    const { json } = await asMill({ method: 'POST', url: '/supplier/facilities', payload: facility });
    const certificate = { type: 'GOTS', number: 'CU 9', validUntil: '2030-01-01' };
    await asMill({ method: 'POST', url: '/supplier/certificates', payload: certificate });
    const known = {
      facilities: [{ id: json.id as string, name: 'Hall 1', country: 'PT' }],
      certificates: [{ ...certificate, issuer: null, validFrom: null }],
    };
    const id = await requestOf('Nordfaden');
    expect((await asMill({ url: `/supplier/requests/${id}` })).json.known).toEqual(known);
    const mails = await requestMailsTo(mill.email, /Nordfaden/);
    const behindLink = await service.call({ url: `/factory/requests/${tokenIn(mails[0])}` });
    expect(behindLink.json.known).toEqual(known);
  });

  test('are answered as behind the mailed link: one draft, one submission', async () => {
    const id = await requestOf('Nordfaden');
    const url = `/supplier/requests/${id}`;
    const kept = await asMill({ method: 'PUT', url: `${url}/draft`, payload: { yarnNm: 38 } });
    expect(kept.json.draft).toEqual({ yarnNm: 38 });
    const mails = await requestMailsTo(mill.email, /Nordfaden/);
    const link = `/factory/requests/${tokenIn(mails[0])}`;
    expect((await service.call({ url: link })).json.draft).toEqual({ yarnNm: 38 });
    expect((await asMill({ method: 'POST', url: `${url}/submit`, payload: { notes: 'x' } })).status).toBe(422);
    const submitted = await asMill({ method: 'POST', url: `${url}/submit`, payload: EXAMPLE_A });
    expect([submitted.status, submitted.json.state], submitted.body).toEqual([200, 'submitted']);
    expect(submitted.json.submitted).toEqual(EXAMPLE_A);
    const again = await service.call({ method: 'POST', url: `${link}/submit`, payload: EXAMPLE_A });
    expect([again.status, again.json.code]).toEqual([409, 'request_already_submitted']);
    expect((await north.call({ url: `/brand/batches/${batches.north}` })).json).toMatchObject({ state: 'submitted' });
    expect((await south.call({ url: `/brand/batches/${batches.south}` })).json).toMatchObject({ state: 'sent' });
  });

  test('of a brand that it declines are gone, behind the mailed link too, until the brand invites it again', async () => {
    const id = await requestOf('Suedfaden');
    const mails = await requestMailsTo(mill.email, /Suedfaden/);
    const token = tokenIn(mails[0]);
    const kept = await asMill({ method: 'PUT', url: `/supplier/requests/${id}/draft`, payload: { yarnNm: 38 } });
    expect(kept.status).toBe(200);
    await asMill({ method: 'POST', url: `/supplier/brands/${records.south.id}/decline` });
    expect((await list()).map(({ brand }) => brand)).toEqual([{ name: 'Nordfaden' }]);
    for (const send of [
      () => asMill({ url: `/supplier/requests/${id}` }),
      () => asMill({ method: 'POST', url: `/supplier/requests/${id}/submit`, payload: EXAMPLE_A }),
      () => service.call({ url: `/factory/requests/${token}` }),
      () => service.call({ method: 'PUT', url: `/factory/requests/${token}/draft`, payload: { yarnNm: 39 } }),
      () => service.call({ method: 'POST', url: `/factory/requests/${token}/submit`, payload: EXAMPLE_A }),
    ]) {
      const { status, json } = await send();
      expect([status, json.code]).toEqual([410, 'request_declined']);
    }
    const form = { 'content-type': 'application/x-www-form-urlencoded', origin: service.config.BASE_URL };
    const cookie = { cookie: `session=${mill.token}`, accept: 'text/html' };
    for (const page of [
      await service.call({ url: `/f/${token}?lang=de`, headers: { accept: 'text/html' } }),
      await service.call({ url: `/supplier/requests/${id}?lang=de`, headers: cookie }),
      await service.call({
        method: 'POST',
        url: `/f/${token}?lang=de`,
        payload: 'action=submit&yarnNm=40',
        headers: form,
      }),
    ]) {
      expect(page.status).toBe(410);
      expect(page.body).toContain('Bitten Sie die Marke, Sie noch einmal einzuladen');
    }
    expect((await south.call({ url: `/brand/batches/${batches.south}` })).json).toMatchObject({ state: 'sent' });
    const order = { productId: await product(south), factoryId: records.south.id, quantity: 1 };
    const refused = await south.call({ method: 'POST', url: '/brand/batches', payload: order });
    expect([refused.status, refused.json.code]).toEqual([409, 'supplier_declined']);
    const again = { factoryName: 'mill-of-the-south', contactEmail: mill.email, country: 'TR', tier: 1 };
    await south.call({ method: 'POST', url: '/brand/suppliers/invite', payload: again });
    const behindLink = await service.call({ url: `/factory/requests/${token}` });
    expect([behindLink.status, behindLink.json.draft]).toEqual([200, { yarnNm: 38 }]);
  });
});

test('a signed-in browser gets the form at the same address, and another site cannot send it', async () => {
  const id = await requestOf('Nordfaden');
  const url = `/supplier/requests/${id}`;
  const html = { accept: 'text/html' };
  const bare = await service.call({ url, headers: html });
  expect([bare.status, bare.headers.location]).toEqual([303, `/sign-in?next=${encodeURIComponent(url)}`]);
  const cookie = `session=${mill.token}`;
  const page = await service.call({ url, headers: { ...html, cookie } });
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.body).toContain('Nordfaden');
  expect((await service.call({ url, headers: { cookie } })).status).toBe(401);
  const headers = { ...html, cookie, 'content-type': 'application/x-www-form-urlencoded' };
  const payload = 'action=draft&yarnNm=41';
  const foreign = await service.call({
    method: 'POST',
    url,
    payload,
    headers: { ...headers, origin: 'https://evil.example' },
  });
  expect(foreign.status).toBe(403);
  const own = await service.call({
    method: 'POST',
    url,
    payload,
    headers: { ...headers, origin: service.config.BASE_URL },
  });
  expect(own.status).toBe(409);
});

tellOfProposals(() => service);
