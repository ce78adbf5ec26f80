import { Client, Connection } from '@temporalio/client';
import { afterAll, describe, expect, it } from 'vitest';
import { batchLifecycleId, whereItStands } from '../../workflows/batch-lifecycle/contract.js';
import { recordHistory } from '../support/histories.js';
import type { Brand } from '../support/service.js';
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
} from '../support/brand-story.js';
import { withWorker } from '../support/shared-service.js';

let service: ServiceWithWorker;
let brand: Brand;
let factory: Invited;
let spinner: Invited;
let temporal: Connection;
let client: Client;

withWorker.beforeAll(async ({ service: shared }) => {
  service = shared;
  temporal = await Connection.connect({ address: service.config.TEMPORAL_ADDRESS });
  client = new Client({ ...service.temporal, connection: temporal });
  brand = await service.asBrand();
  factory = await invite(brand, 'knitters', 1);
  spinner = await invite(brand, 'spinners', 3);
}, 120_000);
afterAll(() => temporal.close());

const act = (batchId: string, call: string, payload?: object) =>
  brand.call({
    method: 'POST',
    url: `/brand/batches/${batchId}/${call}`,
    ...(payload === undefined ? {} : { payload }),
  });
const read = async (batchId: string) => (await brand.call({ url: `/brand/batches/${batchId}` })).json;
const workflowOf = (batchId: string) => client.workflow.getHandle(batchLifecycleId(batchId));

describe('the life of a batch', () => {
  it('goes from draft to a published passport', async () => {
    const batchId = await batch(brand, await product(brand, [spinner]), factory);

    const sent = await act(batchId, 'send-request', { notes: 'Needed by Friday' });
    expect(sent.status).toBe(200);
    expect(sent.json).toMatchObject({ state: 'sent', requests: [{ tier: 1 }, { tier: 3 }] });

    const [mail] = await requestMailsTo(factory.email);
    expect(mail?.text).toContain('Needed by Friday');
    await requestMailsTo(spinner.email);
    await eventually(
      () => read(batchId),
      (json) => json.requests.every(({ state }: { state: string }) => state === 'emailed'),
    );

    const url = `/factory/requests/${tokenIn(mail)}`;
    const looked = await service.call({ url });
    expect(looked.json).toMatchObject({ state: 'opened', brand: { name: 'Nordfaden' }, batch: { state: 'sent' } });

    const submitted = await service.call({ method: 'POST', url: `${url}/submit`, payload: EXAMPLE_A });
    expect(submitted.status).toBe(200);
    expect(submitted.json).toMatchObject({ state: 'submitted', batch: { state: 'submitted' } });
    const inReview = await read(batchId);
    expect(inReview.pefcr.climate_change_per_unit).toBe(3.395);
    expect(inReview.dataJson).toEqual({ ...EXAMPLE_A, subSuppliers: [] });

    const changes = await act(batchId, 'request-changes', { notes: 'Count the kWh again' });
    expect(changes.json).toMatchObject({ state: 'sent', pefcr: { climate_change_per_unit: 3.395 } });
    const [feedback] = await requestMailsTo(factory.email, /alterações/);
    expect(feedback?.text).toContain('Count the kWh again');
    expect(tokenIn(feedback)).toBe(tokenIn(mail));
    const again = await service.call({ url });
    expect(again.json).toMatchObject({ feedback: 'Count the kWh again', submitted: EXAMPLE_A });

    await service.call({ method: 'POST', url: `${url}/submit`, payload: EXAMPLE_A });
    const published = await act(batchId, 'publish');
    expect(published.status).toBe(200);
    expect(await act(batchId, 'publish')).toMatchObject({ status: 200, json: published.json });
    const over = await read(batchId);
    expect(over).toMatchObject({ state: 'published', dpp: { id: published.json.dppId, qrUrl: published.json.qrUrl } });

    await workflowOf(batchId).result();
    await recordHistory('batch-lifecycle-published', workflowOf(batchId));

    const late = await service.call({ method: 'POST', url: `${url}/submit`, payload: EXAMPLE_A });
    expect(late).toMatchObject({ status: 409, json: { code: 'batch_published' } });
  });

  it('says where it stands, and ends when its product is deleted', async () => {
    const own = await invite(brand, 'doomed', 1);
    const productId = await product(brand);
    const batchId = await batch(brand, productId, own);
    await act(batchId, 'send-request');
    await requestMailsTo(own.email);
    await eventually(
      () => workflowOf(batchId).query(whereItStands),
      (standing) => standing?.outstanding.length === 0,
    );
    expect(await workflowOf(batchId).query(whereItStands)).toMatchObject({
      ...{ status: 'sent', rounds: 0, unanswered: [expect.any(String)], reminded: [] },
    });
    await brand.call({ method: 'DELETE', url: `/brand/products/${productId}` });
    await workflowOf(batchId).result();
    await recordHistory('batch-lifecycle-withdrawn', workflowOf(batchId));
  });
});
