import { describe, expect, it } from 'vitest';
import type { Brand } from '../../support/service.js';
import {
  batch,
  EXAMPLE_A,
  eventually,
  invite,
  product,
  requestMailsTo,
  tokenIn,
  type Invited,
  type ServiceWithWorker,
} from '../../support/brand-story.js';
import { withWorker } from '../../support/shared-service.js';

let service: ServiceWithWorker;
let brand: Brand;
let stranger: Brand;
let factory: Invited;
let spinner: Invited;
let productId: string;
let linkForRefusals: ReturnType<typeof sentBatch> | undefined;

withWorker.beforeAll(async ({ service: shared }) => {
  service = shared;
  brand = await service.asBrand();
  stranger = await service.asBrand({ name: 'Fremdfaden' });
  factory = await invite(brand, 'knitters', 1);
  spinner = await invite(brand, 'spinners', 3);
  productId = await product(brand, [spinner]);
}, 120_000);

const create = (payload: object) =>
  brand.call({
    method: 'POST',
    url: '/brand/batches',
    payload: { productId, factoryId: factory.id, poReference: 'PO-1', quantity: 500, unit: 'piece', ...payload },
  });
const act = (batchId: string, call: string, payload: object = {}, headers: Record<string, string> = {}) =>
  brand.call({ method: 'POST', url: `/brand/batches/${batchId}/${call}`, payload, headers });
const read = async (batchId: string) => (await brand.call({ url: `/brand/batches/${batchId}` })).json;

/** A batch whose request is out, and the tokens of the factory and of the spinner. */
async function sentBatch() {
  const own = await invite(brand, 'own', 1);
  const ownSpinner = await invite(brand, 'own-spinner', 3);
  const batchId = await batch(brand, await product(brand, [ownSpinner]), own);
  expect((await act(batchId, 'send-request')).status).toBe(200);
  const [mail] = await requestMailsTo(own.email);
  const [spinnerMail] = await requestMailsTo(ownSpinner.email);
  return { batchId, token: tokenIn(mail), spinnerToken: tokenIn(spinnerMail) };
}
const submit = (token: string, payload: object = EXAMPLE_A) =>
  service.call({ method: 'POST', url: `/factory/requests/${token}/submit`, payload });

describe('creating a batch', () => {
  it('answers the full batch, and every list shows it at once', async () => {
    const { status, json } = await create({});
    expect(status).toBe(201);
    expect(json).toMatchObject({
      ...{ state: 'draft', productName: 'Organic tee', productSku: null, factoryName: 'knitters', poReference: 'PO-1' },
      ...{ quantity: 500, unit: 'piece', requests: [], productId, factoryId: factory.id },
    });
    for (const absent of ['pefcr', 'dpp', 'dataJson']) expect(json).not.toHaveProperty(absent);
    const list = await brand.call({ url: `/brand/batches?productId=${productId}&state=draft` });
    expect(list.json.data[0]).toMatchObject({ id: json.id, state: 'draft' });
    expect((await read(json.id)).id).toBe(json.id);
  });

  it('answers an unknown id in the filter with an empty list, and a wrong state with 422', async () => {
    expect((await brand.call({ url: '/brand/batches?productId=prd_nobody' })).json).toEqual({ data: [] });
    const wrong = await brand.call({ url: '/brand/batches?state=lost' });
    expect(wrong).toMatchObject({ status: 422, json: { errors: [{ path: 'state' }] } });
  });

  it.each([
    ['productId', { productId: 'prd_nobody' }],
    ['factoryId', { factoryId: 'sup_nobody' }],
  ])('answers an unknown %s with 404, naming the field', async (path, payload) => {
    expect(await create(payload)).toMatchObject({ status: 404, json: { code: 'not_found', errors: [{ path }] } });
  });

  it("answers another organization's ids as if they were unknown", async () => {
    const foreign = await stranger.call({
      method: 'POST',
      url: '/brand/batches',
      payload: { productId, factoryId: factory.id, quantity: 1, unit: 'piece' },
    });
    expect(foreign).toMatchObject({ status: 404, json: { errors: [{ path: 'productId' }] } });
  });

  it('refuses a factory that is not of tier 1', async () => {
    const refused = await create({ factoryId: spinner.id });
    expect(refused).toMatchObject({
      status: 422,
      json: { code: 'factory_not_tier_1', errors: [{ path: 'factoryId' }] },
    });
  });

  it.each([
    ['quantity', { quantity: 0 }],
    ['quantity', { quantity: -5 }],
    ['quantity', { quantity: 1.5 }],
    ['quantity', { quantity: 1_000_000_001 }],
    ['quantity', { quantity: '12' }],
    ['poReference', { poReference: 'PO\r\nBcc: a@b.example' }],
    ['poReference', { poReference: 'a\0b' }],
    ['unit', { unit: '\ud800' }],
    ['productId', { productId: 7 }],
  ])('refuses a bad %s: %j', async (path, payload) => {
    expect(await create(payload)).toMatchObject({ status: 422, json: { code: 'invalid_input', errors: [{ path }] } });
  });

  it('makes one batch of a call that is sent twice under one key', async () => {
    const call = () =>
      brand.call({
        method: 'POST',
        url: '/brand/batches',
        headers: { 'idempotency-key': 'batch-once' },
        payload: { productId, factoryId: factory.id, poReference: 'PO-2', quantity: 5, unit: 'piece' },
      });
    const [first, second] = [await call(), await call()];
    expect(second).toMatchObject({ status: 201, json: { id: first.json.id } });
  });
});

describe('calls in the wrong state', () => {
  it('name the state of a draft and what it allows', async () => {
    const batchId = await batch(brand, productId, factory);
    const problem = { state: 'draft', allowed: ['send-request'] };
    expect(await act(batchId, 'publish')).toMatchObject({
      status: 409,
      json: { code: 'batch_not_submitted', ...problem },
    });
    expect(await act(batchId, 'request-changes', { notes: 'x' })).toMatchObject({ status: 409, json: problem });
  });

  it('name the state of a batch in review and what it allows', async () => {
    const { batchId, token } = await sentBatch();
    await submit(token);
    expect(await act(batchId, 'send-request')).toMatchObject({
      status: 409,
      json: { code: 'batch_not_draft', state: 'submitted', allowed: ['publish', 'request-changes'] },
    });
  });

  it('are 422 first, then 404, then 409', async () => {
    const batchId = await batch(brand, productId, factory);
    expect((await act('bat_nobody', 'request-changes', {})).status).toBe(422);
    expect((await act('bat_nobody', 'request-changes', { notes: 'x' })).status).toBe(404);
    expect((await act(batchId, 'request-changes', { notes: ' ' })).status).toBe(422);
  });

  it("are 404 for another organization's batch", async () => {
    const batchId = await batch(brand, productId, factory);
    for (const call of ['send-request', 'publish', 'request-changes']) {
      const answer = await stranger.call({
        method: 'POST',
        url: `/brand/batches/${batchId}/${call}`,
        payload: { notes: 'x' },
      });
      expect(answer).toMatchObject({ status: 404, json: { code: 'not_found' } });
    }
    expect((await stranger.call({ url: `/brand/batches/${batchId}` })).status).toBe(404);
  });
});

describe('sending the request', () => {
  it('works without a body', async () => {
    const batchId = await batch(brand, productId, factory);
    const answer = await brand.call({ method: 'POST', url: `/brand/batches/${batchId}/send-request` });
    expect(answer).toMatchObject({ status: 200, json: { state: 'sent' } });
    expect(answer.json.requests).toMatchObject([
      { supplierId: factory.id, tier: 1, contactEmail: factory.email, state: 'pending', notes: null, sentAt: null },
      { supplierId: spinner.id, tier: 3, contactEmail: spinner.email },
    ]);
  });

  it('is done once when it comes twice under one key', async () => {
    const own = await invite(brand, 'keyed', 1);
    const batchId = await batch(brand, await product(brand), own);
    const key = { 'idempotency-key': 'send-once' };
    expect((await act(batchId, 'send-request', {}, key)).status).toBe(200);
    expect((await act(batchId, 'send-request', {}, key)).status).toBe(200);
    await requestMailsTo(own.email);
    expect((await act(batchId, 'send-request', { notes: 'please' }, { 'idempotency-key': 'again' })).status).toBe(200);
    await requestMailsTo(own.email, /lembrete/i);
    expect(await requestMailsTo(own.email)).toHaveLength(2);
  });

  it('speaks the language of the country, then the one that the factory has answered in', async () => {
    const own = await invite(brand, 'speaks', 1);
    const batchId = await batch(brand, await product(brand), own);
    await act(batchId, 'send-request');
    const [mail] = await requestMailsTo(own.email, /pede dados de produção/);
    const form = `/f/${tokenIn(mail)}`;
    const headers = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' };
    const typed = await service.call({
      method: 'POST',
      url: `${form}?lang=tr`,
      payload: 'action=draft&yarnNm=40',
      headers,
    });
    expect(typed.status).toBe(200);
    // A scanner of mails opens every link of a page.
    for (const lang of ['zh', 'fr'])
      await service.call({ url: `${form}?lang=${lang}`, headers: { accept: 'text/html' } });
    await act(batchId, 'send-request');
    expect(await requestMailsTo(own.email, /hatırlatıyor/)).toHaveLength(1);
  });

  it('puts no line of the notes into a header of the mail', async () => {
    const own = await invite(brand, 'headers', 1);
    const batchId = await batch(brand, await product(brand, [], 'Tee <b>bold</b>'), own);
    await act(batchId, 'send-request', { notes: 'Hello\r\nBcc: victim@example.com\r\n\r\n<script>alert(1)</script>' });
    const [mail] = await requestMailsTo(own.email);
    expect(mail?.text).toContain('Bcc: victim@example.com');
    expect(mail?.html).not.toContain('<script>');
    expect(mail?.html).not.toContain('<b>bold</b>');
  });
});

describe('the link of a factory', () => {
  it('shows what is asked, and notes the first look', async () => {
    const { batchId, token } = await sentBatch();
    await eventually(
      () => read(batchId),
      (json) => json.requests[0].state === 'emailed',
    );
    const { status, json } = await service.call({ url: `/factory/requests/${token}` });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      ...{ state: 'opened', tier: 1, factoryName: 'own', brand: { name: 'Nordfaden' }, draft: null, submitted: null },
      ...{ batch: { poReference: 'PO-7', quantity: 500, unit: 'piece', state: 'sent' } },
      known: { facilities: [], certificates: [] },
    });
    expect(json.id).toBe((await read(batchId)).requests[0].id);
    const { openedAt } = (await read(batchId)).requests[0];
    await service.call({ url: `/factory/requests/${token}` });
    expect((await read(batchId)).requests[0].openedAt).toBe(openedAt);
  });

  it('is 404 with one character changed', async () => {
    const { token } = await sentBatch();
    const changed = `${token.slice(0, 10)}${token[10] === 'A' ? 'B' : 'A'}${token.slice(11)}`;
    expect(await service.call({ url: `/factory/requests/${changed}` })).toMatchObject({ status: 404 });
    expect(await submit(changed)).toMatchObject({ status: 404, json: { code: 'not_found' } });
    const page = await service.call({ url: `/f/${changed}` });
    expect(page.status).toBe(404);
    expect(page.headers['content-type']).toMatch(/html/);
  });

  it('keeps a draft until it is submitted', async () => {
    const { token } = await sentBatch();
    const url = `/factory/requests/${token}/draft`;
    expect(await service.call({ method: 'PUT', url, payload: { yarnNm: 40, notes: 'not yet' } })).toMatchObject({
      status: 200,
      json: { draft: { yarnNm: 40, notes: 'not yet' } },
    });
    expect((await service.call({ url: `/factory/requests/${token}` })).json.draft).toEqual({
      ...{ yarnNm: 40, notes: 'not yet' },
    });
    expect((await submit(token)).json).toMatchObject({ draft: null, submitted: EXAMPLE_A });
    expect(await service.call({ method: 'PUT', url, payload: { yarnNm: 40 } })).toMatchObject({
      status: 409,
      json: { code: 'request_already_submitted' },
    });
  });

  it.each([
    ['', {}],
    ['', { notes: 'nothing to say' }],
    ['', { countries: {}, certificates: [] }],
    ['productWeightKg', { productWeightKg: 0 }],
    ['productWeightKg', { productWeightKg: 1000.1 }],
    ['quantityProduced', { quantityProduced: 1.5 }],
    ['productionDate', { productionDate: '2026-02-30' }],
    ['countries.making', { countries: { making: 'XX' } }],
    ['fabricProcess', { fabricProcess: 'felting' }],
    ['yarnNm', { yarnNm: 501 }],
    ['cuttingLossPct', { cuttingLossPct: 100 }],
    ['makingElectricityKwh', { makingElectricityKwh: -1 }],
    ['dyeing.fuel', { dyeing: { fuel: 'mix_fr' } }],
    ['airSharePct', { airSharePct: 100.1 }],
    ['certificates.0.number', { certificates: [{ type: 'GOTS' }] }],
    ['notes', { yarnNm: 40, notes: 'x'.repeat(5_001) }],
  ])('refuses data that breaks a rule at "%s": %j', async (path, payload) => {
    // One link for all of them: none changes anything.
    const { token } = await (linkForRefusals ??= sentBatch());
    expect(await submit(token, payload)).toMatchObject({ status: 422, json: { errors: [{ path }] } });
  });

  it('takes figures at their bounds, and ignores fields that it does not know', async () => {
    const { token } = await sentBatch();
    const payload = { yarnNm: 500, cuttingLossPct: 0, airSharePct: 100, facilityId: null, requestId: 'req_other' };
    expect(await submit(token, payload)).toMatchObject({
      status: 200,
      json: { submitted: { yarnNm: 500, cuttingLossPct: 0, airSharePct: 100 } },
    });
  });

  it('takes one of two submissions at once', async () => {
    const { batchId, token } = await sentBatch();
    const answers = await Promise.all([submit(token), submit(token, { yarnNm: 60 })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.json).toMatchObject({ code: 'request_already_submitted' });
    expect((await read(batchId)).state).toBe('submitted');
  });

  it("takes a sub-supplier's answers until publication, and shows them once Tier 1 has answered", async () => {
    const { batchId, token, spinnerToken } = await sentBatch();
    expect((await submit(spinnerToken, { countries: { spinning: 'IN' } })).status).toBe(200);
    expect(await read(batchId)).not.toHaveProperty('dataJson');
    expect(await read(batchId)).not.toHaveProperty('pefcr');
    await submit(token);
    const before = (await read(batchId)).pefcr.climate_change_per_unit as number;
    expect((await submit(spinnerToken, { countries: { spinning: 'TR' }, airSharePct: 100 })).status).toBe(200);
    const after = await read(batchId);
    expect(after.dataJson.subSuppliers).toMatchObject([{ countries: { spinning: 'TR' }, airSharePct: 100 }]);
    expect(after.pefcr.climate_change_per_unit).toBeGreaterThan(before);

    await act(batchId, 'publish');
    expect(await submit(spinnerToken)).toMatchObject({ status: 409, json: { code: 'batch_published' } });
    expect((await service.call({ url: `/factory/requests/${spinnerToken}` })).status).toBe(200);
  });

  it('is withdrawn with its batch: 410', async () => {
    const own = await invite(brand, 'withdrawn', 1);
    const doomed = await product(brand);
    const batchId = await batch(brand, doomed, own);
    await act(batchId, 'send-request');
    const [mail] = await requestMailsTo(own.email);
    expect((await brand.call({ method: 'DELETE', url: `/brand/products/${doomed}` })).status).toBe(200);
    const token = tokenIn(mail);
    expect(await service.call({ url: `/factory/requests/${token}` })).toMatchObject({
      status: 410,
      json: { code: 'link_withdrawn' },
    });
    expect((await submit(token)).status).toBe(410);
    expect((await service.call({ url: `/f/${token}` })).status).toBe(410);
    expect((await brand.call({ url: `/brand/batches/${batchId}` })).status).toBe(404);
  });
});

describe('the page behind the link', () => {
  const post = (token: string, fields: Record<string, string>) =>
    service.call({
      method: 'POST',
      url: `/f/${token}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
    });

  it('keeps a draft, refuses what is wrong with what was typed, and submits', async () => {
    const { batchId, token } = await sentBatch();
    const page = await service.call({ url: `/f/${token}` });
    expect(page).toMatchObject({ status: 200 });
    expect(page.headers['content-security-policy']).toMatch(/default-src 'none'/);
    expect(page.body).toContain('name="dyeing.heatMjPerKg"');

    expect((await post(token, { yarnNm: '40', action: 'draft' })).status).toBe(200);
    expect((await service.call({ url: `/factory/requests/${token}` })).json.draft).toEqual({ yarnNm: 40 });

    const refused = await post(token, { yarnNm: '900', cuttingLossPct: '12,5', action: 'submit' });
    expect(refused.status).toBe(422);
    expect(refused.body).toMatch(/aria-invalid="true"/);
    expect(refused.body).toContain('value="900"');

    const sent = await post(token, { yarnNm: '40', 'countries.making': 'PT', action: 'submit' });
    expect(sent.status).toBe(200);
    expect((await read(batchId)).dataJson).toMatchObject({ yarnNm: 40, countries: { making: 'PT' } });
    expect((await post(token, { yarnNm: '50', action: 'submit' })).status).toBe(409);
  });
});
