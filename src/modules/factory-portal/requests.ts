import { organizationById } from '../../../projections/organizations/queries.js';
import { notFound, Refusal } from '../../core/errors.js';
import type { CommandContext } from '../../core/context.js';
import type { ProductionData } from '../../core/production-data.js';
import { factoryState } from './handlers.js';
import { type FactoryStanding, supplierOfBrand } from '../suppliers/index.js';
import { present } from './state.js';
import { proposalsOf } from '../proposals/index.js';
import {
  type Batch,
  type BatchDependencies,
  batchOfRequest,
  type BatchRequest,
  type CallDependencies,
  callSubmit,
  loadAnyBatch,
  type LoadedBatch,
  openRequest,
  refuseUnlessAnswerable,
  requestOfLink,
} from '../batches/index.js';
import { anyProduct } from '../products/index.js';
import type { FactoryRequest } from './request-schemas.js';

type LinkDependencies = Pick<BatchDependencies, 'eventStore' | 'database'>;

/** Where a link leads. */
export interface LinkedRequest {
  readonly batchId: string;
  readonly organizationId: string;
  readonly requestId: string;
  /** Who is asked; null when its record is gone. */
  readonly factoryId: string | null;
}

/** Who holds a link's token may see and answer its request; 404 for a token that is none, 410 for a withdrawn or declined one. */
export async function followLink(deps: LinkDependencies, token: string): Promise<LinkedRequest> {
  const link = await requestOfLink(deps.database, token);
  if (link === null) throw unknownLink();
  const { state: batch } = await loadAnyBatch(deps, link.batchId);
  const request = batch.requests.find(({ id }) => id === link.requestId);
  if (request === undefined) throw unknownLink();
  if (batch.status === 'withdrawn') {
    throw new Refusal('link_withdrawn', 'The request behind this link was withdrawn.');
  }
  const { organizationId } = batch;
  const supplier = await supplierOfBrand(deps, { organizationId, supplierId: request.supplierId });
  if (supplier?.status === 'declined') throw requestDeclined();
  return { ...link, organizationId, factoryId: supplier?.factoryId ?? null };
}

/** The same for the account of the factory that is asked; a request of anybody else is not there. */
export async function followRequest(
  deps: LinkDependencies,
  { factoryId, isProven }: FactoryStanding,
  requestId: string,
): Promise<LinkedRequest> {
  const batchId = await batchOfRequest(deps.database, requestId);
  if (batchId === null || !isProven) throw notFound('request', requestId);
  const { state: batch } = await loadAnyBatch(deps, batchId);
  const request = batch.requests.find(({ id }) => id === requestId);
  const { organizationId } = batch;
  const supplierId = request?.supplierId;
  const supplier = supplierId === undefined ? null : await supplierOfBrand(deps, { organizationId, supplierId });
  if (supplier === null || supplier.factoryId !== factoryId || batch.status === 'withdrawn') {
    throw notFound('request', requestId);
  }
  if (supplier.status === 'declined') throw requestDeclined();
  return { batchId, organizationId, requestId, factoryId };
}

export interface ViewedRequest {
  readonly request: FactoryRequest;
  /** Whether it can still be answered, or its answer changed. */
  readonly editable: boolean;
  /** Whether it can name one more supplier behind a material. */
  readonly canPropose: boolean;
}

/** The request as its factory sees it; the first look is reported. */
export async function viewRequest(
  deps: LinkDependencies,
  context: CommandContext,
  link: LinkedRequest,
): Promise<ViewedRequest> {
  return requestView(deps, await openRequest(deps, context, link), link.requestId);
}

/** Keeps what was typed so far, in the place of what was kept before. */
export async function saveDraft(
  deps: LinkDependencies,
  { batchId, requestId }: LinkedRequest,
  data: ProductionData,
): Promise<ViewedRequest> {
  const batch = await loadAnyBatch(deps, batchId);
  refuseUnlessAnswerable(batch.state, requestId);
  await deps.database.query(
    `insert into service.request_drafts (request_id, data) values ($1, $2)
     on conflict (request_id) do update set data = excluded.data, saved_at = now()`,
    [requestId, JSON.stringify(data)],
  );
  return requestView(deps, batch, requestId);
}

export async function submitAnswer(
  deps: LinkDependencies & CallDependencies,
  context: CommandContext,
  { batchId, requestId }: LinkedRequest,
  { data, key }: { readonly data: ProductionData; readonly key: string | null },
): Promise<ViewedRequest> {
  await callSubmit(deps, context, { batchId, requestId, data, key });
  await deps.database.query('delete from service.request_drafts where request_id = $1', [requestId]);
  return requestView(deps, await loadAnyBatch(deps, batchId), requestId);
}

async function requestView(
  { eventStore, database }: LinkDependencies,
  { state: batch }: LoadedBatch,
  requestId: string,
): Promise<ViewedRequest> {
  const request = batch.requests.find(({ id }) => id === requestId);
  if (request === undefined || batch.status === 'withdrawn') throw unknownLink();
  const [brand, product, drafts, known, proposals] = await Promise.all([
    organizationById(database, batch.organizationId),
    anyProduct({ eventStore }, batch.productId),
    database.query<{ data: Record<string, unknown> }>('select data from service.request_drafts where request_id = $1', [
      requestId,
    ]),
    knownOf({ eventStore }, batch, request),
    proposalsOf({ eventStore, database }, requestId),
  ]);
  const view: FactoryRequest = {
    ...requestPart(request),
    brand: { name: brand?.name ?? '' },
    product: {
      name: product?.name ?? batch.productName,
      sku: product === null ? batch.productSku : product.sku,
      materials: (product?.materials ?? []).map(({ materialType, percentage, originCountry }) => ({
        ...{ materialType, percentage, originCountry },
      })),
    },
    batch: batchPart(batch, batch.status),
    draft: drafts.rows[0]?.data ?? null,
    submitted: request.data === null ? null : { ...request.data },
    proposals: [...proposals.items],
    known,
  };
  const isAnsweredForGood = request.role === 'factory' && batch.status === 'submitted';
  const editable = batch.status !== 'published' && !isAnsweredForGood;
  return { request: view, editable, canPropose: editable && view.product.materials.length > 0 && !proposals.isFull };
}

/** What the factory's catalogue says already, so that nobody types it again. */
async function knownOf(
  { eventStore }: Pick<LinkDependencies, 'eventStore'>,
  { organizationId }: Batch,
  { supplierId }: BatchRequest,
): Promise<FactoryRequest['known']> {
  const supplier = await supplierOfBrand({ eventStore }, { organizationId, supplierId });
  if (supplier === null) return { facilities: [], certificates: [] };
  const { facilities, certificates } = await factoryState({ eventStore }, supplier.factoryId);
  return {
    facilities: present(facilities).map(({ data: { facilityId, name, country } }) => ({
      id: facilityId,
      name,
      country,
    })),
    certificates: present(certificates).map(({ data: { type, number, issuer, validFrom, validUntil } }) => ({
      ...{ type, number, issuer, validFrom, validUntil },
    })),
  };
}

const requestPart = ({ id, state, notes, feedback, tier, factoryName }: BatchRequest) => ({
  ...{ id, state, notes, feedback, tier, factoryName },
});

const batchPart = ({ poReference, quantity, unit }: Batch, state: FactoryRequest['batch']['state']) => ({
  ...{ poReference, quantity, unit, state },
});

const requestDeclined = (): Refusal =>
  new Refusal('request_declined', 'The factory has declined to work with the brand that asks.');

const unknownLink = (): Refusal => notFound('request', 'behind this link');
