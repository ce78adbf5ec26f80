import { organizationOf, type CommandContext } from '../../core/context.js';
import { notFound, Refusal } from '../../core/errors.js';
import { inOneAppend } from '../../core/decider.js';
import { deterministicUuid } from '../../core/ids.js';
import type { ProductionData } from '../../core/production-data.js';
import { execute, load, type Executed, type Loaded } from '../../infrastructure/command-handler.js';
import type { EventStore } from '../../infrastructure/event-store/port.js';
import type { Database, Queryable } from '../../infrastructure/postgres/database.js';
import {
  batchDecider,
  refuseUnlessAllowed,
  refuseUnlessAnswerable,
  type BatchCommand,
  type MailOutcome,
  type Score,
} from './decider.js';
import { batchStream, type BatchCreated, type BatchEvent, type DppRequest, type PublishedPassport } from './events.js';
import { countMailsNow } from '../organizations/index.js';
import { findProduct, type ProductFields } from '../products/index.js';
import { type Supplier, supplierOfBrand } from '../suppliers/index.js';
import { storeLinks } from './links.js';
import { methodOf, preliminaryScore, scoreOf } from './scoring.js';
import { mailsAskedFor } from './request-mails.js';
import type { Batch, BatchRequest, BatchState } from './state.js';

export interface BatchDependencies {
  readonly eventStore: EventStore;
  readonly database: Queryable;
  /** The key from which the tokens of mailed links are derived. */
  readonly linkKey: Buffer;
}

export type LoadedBatch = Loaded<BatchState> & { readonly state: Batch };

export interface NewBatch {
  readonly productId: string;
  readonly factoryId: string;
  readonly poReference: string | null;
  readonly quantity: number;
  readonly unit: string;
}

/** A batch of the organization; withdrawn ones and those of others answer alike. */
export async function loadBatch(
  { eventStore }: Pick<BatchDependencies, 'eventStore'>,
  organizationId: string,
  batchId: string,
): Promise<LoadedBatch> {
  const loaded = await loadAnyBatch({ eventStore }, batchId);
  if (loaded.state.organizationId !== organizationId || loaded.state.status === 'withdrawn') {
    throw notFound('batch', batchId);
  }
  return loaded;
}

/** Whoever's it is, withdrawn or not. */
export async function loadAnyBatch(deps: Pick<BatchDependencies, 'eventStore'>, batchId: string): Promise<LoadedBatch> {
  return found(batchId, await load(deps.eventStore, batchDecider, batchStream(batchId)));
}

/** The same; null when there is none. */
export async function findAnyBatch(
  { eventStore }: Pick<BatchDependencies, 'eventStore'>,
  batchId: string,
): Promise<LoadedBatch | null> {
  const loaded = await load(eventStore, batchDecider, batchStream(batchId));
  return loaded.state.status === 'none' ? null : found(batchId, loaded);
}

export async function createBatch(
  deps: Pick<BatchDependencies, 'eventStore'>,
  context: CommandContext,
  order: NewBatch,
): Promise<LoadedBatch> {
  const organizationId = organizationOf(context);
  const [{ fields: product }, factory] = await Promise.all([
    findProduct(deps, { organizationId, productId: order.productId }, 'productId'),
    supplierOfBrand(deps, { organizationId, supplierId: order.factoryId }),
  ]);
  if (factory === null) throw notFound('supplier', order.factoryId, 'factoryId');
  if (factory.tier !== 1) {
    const message = `"factoryId" must be a supplier of tier 1; "${order.factoryId}" is of tier ${factory.tier}.`;
    throw new Refusal('factory_not_tier_1', message, {
      errors: [{ path: 'factoryId', code: 'factory_not_tier_1', message }],
    });
  }
  if (factory.status === 'declined') throw declined(order.factoryId);
  const batchId = context.newId('bat');
  const batch = {
    ...order,
    ...{ batchId, organizationId, productName: product.name, productSku: product.sku },
    ...{ factoryName: factory.factoryName, preliminary: false },
  };
  return run(deps, context, { batchId, isNew: true }, { type: 'CreateBatch', batch });
}

/**
 * A batch that carries a passport without a factory's data: made and scored in one append. Publish it with
 * `recordPublished`. The same `batchId` again changes nothing.
 */
export async function createPreliminaryBatch(
  deps: Pick<BatchDependencies, 'eventStore'>,
  context: CommandContext,
  of: { readonly batchId: string; readonly productId: string; readonly product: ProductFields },
): Promise<LoadedBatch> {
  const { batch, score } = preliminaryBatch(context, of);
  return run(deps, context, { batchId: batch.batchId, isNew: true }, { type: 'CreatePreliminaryBatch', batch, score });
}

export interface PreliminaryBatch {
  readonly batch: BatchCreated;
  readonly score: Score;
}

/** Such a batch before it is made, of a product as it is. */
export function preliminaryBatch(
  context: CommandContext,
  { batchId, productId, product }: { batchId: string; productId: string; product: ProductFields },
): PreliminaryBatch {
  const batch = {
    ...{ batchId, organizationId: organizationOf(context), productId },
    ...{ productName: product.name, productSku: product.sku, factoryId: null, factoryName: null },
    ...{ poReference: 'IMPORT', quantity: 1, unit: 'piece', preliminary: true },
  };
  return { batch, score: preliminaryScore(product, batch.quantity, context.now) };
}

/** Makes it with its passport, which is out already: all in one append. */
export async function createPublishedBatch(
  { eventStore }: Pick<BatchDependencies, 'eventStore'>,
  context: CommandContext,
  { batch, score }: PreliminaryBatch,
  { dppId, gtin, serial, qrUrl, publishedAt }: PublishedPassport,
): Promise<void> {
  await execute(eventStore, context, {
    stream: batchStream(batch.batchId),
    decider: inOneAppend(batchDecider),
    command: [
      { type: 'CreatePreliminaryBatch', batch, score },
      { type: 'PublishBatch', passport: { dppId, gtin, serial, qrUrl, publishedAt } },
    ],
    isNew: true,
  });
}

/**
 * Asks the factory and the suppliers that the product's materials name; those asked before and silent are reminded. The mails are
 * counted, and the rows behind the links there, before anybody can be told of them. Of more mails than may go out today some
 * wait in the batch's workflow: the call is refused only when all of them would.
 */
export function sendRequest(
  deps: BatchDependencies & { readonly database: Database },
  context: CommandContext,
  { batchId, callId, notes }: { batchId: string; callId: string; notes: string | null },
): Promise<LoadedBatch> {
  return run(deps, context, { batchId }, async (batch) => {
    const concerned = await concernedSuppliers(deps, batch);
    const suppliers = concerned.map((supplier) => requestTo(batch, supplier));
    const command = { type: 'SendRequest', callId, askedAt: context.now, notes, suppliers } as const;
    const mails = await mailsAskedFor(deps, { batch, command, concerned });
    await countMailsNow(deps, { organizationId: batch.organizationId, mails });
    const asked = new Set(batch.requests.map(({ supplierId }) => supplierId));
    await storeLinks(
      deps,
      batchId,
      suppliers.filter(({ supplierId }) => !asked.has(supplierId)),
    );
    return command;
  });
}

export const recordMails = (
  deps: Pick<BatchDependencies, 'eventStore'>,
  context: CommandContext,
  { batchId, outcomes }: { batchId: string; outcomes: readonly MailOutcome[] },
): Promise<LoadedBatch> => run(deps, context, { batchId }, { type: 'RecordMails', outcomes });

export const openRequest = (
  deps: Pick<BatchDependencies, 'eventStore'>,
  context: CommandContext,
  { batchId, requestId }: { batchId: string; requestId: string },
): Promise<LoadedBatch> => run(deps, context, { batchId }, { type: 'OpenRequest', requestId, openedAt: context.now });

/** The request with its batch; throws unless its answer can still be given or changed. */
export async function answerableRequest(
  deps: Pick<BatchDependencies, 'eventStore'>,
  { batchId, requestId }: { readonly batchId: string; readonly requestId: string },
): Promise<{ readonly batch: Batch; readonly request: BatchRequest }> {
  const { state: batch } = await loadAnyBatch(deps, batchId);
  refuseUnlessAnswerable(batch, requestId);
  const request = batch.requests.find(({ id }) => id === requestId);
  if (request === undefined) throw notFound('request', requestId);
  return { batch, request };
}

/** Takes an answer and scores the batch with it, both in one append. */
export function submitData(
  deps: Pick<BatchDependencies, 'eventStore'>,
  context: CommandContext,
  order: { batchId: string; requestId: string; callId: string; data: ProductionData },
): Promise<LoadedBatch> {
  const { batchId, requestId, callId, data } = order;
  const submittedAt = context.now;
  return run(deps, context, { batchId }, async (batch) => {
    const { fields } = await findProduct(deps, batch);
    const score = scoreOf(batch, fields, context.now, { arriving: { requestId, data, submittedAt } });
    return { type: 'SubmitData', callId, requestId, data, submittedAt, score };
  });
}

export const requestChanges = (
  deps: Pick<BatchDependencies, 'eventStore'>,
  context: CommandContext,
  { batchId, callId, notes }: { batchId: string; callId: string; notes: string },
): Promise<LoadedBatch> =>
  run(deps, context, { batchId }, { type: 'RequestChanges', callId, askedAt: context.now, notes });

/**
 * Scores a batch that was just read, with the product as it now is; an unchanged score changes nothing. The method is today's,
 * or the one that made its score before.
 */
export const rescoreBatch = (
  deps: Pick<BatchDependencies, 'eventStore'>,
  context: CommandContext,
  known: LoadedBatch,
  product: ProductFields,
  method: 'current' | 'kept',
): Promise<LoadedBatch> =>
  run(deps, context, { batchId: known.state.batchId, known }, (batch, { createdAt }) => ({
    type: 'ScoreBatch',
    // A preliminary score keeps the day on which it was first made.
    score: scoreOf(batch, product, createdAt ?? context.now, method === 'kept' ? { method: methodOf(batch) } : {}),
  }));

/** Throws unless the batch may be published. */
export const refuseUnlessPublishable = (batch: Batch): void => refuseUnlessAllowed(batch, 'publish');

/** The passport of a batch that was just read is out. */
export const recordPublished = (
  deps: Pick<BatchDependencies, 'eventStore'>,
  context: CommandContext,
  known: LoadedBatch,
  { dppId, gtin, serial, qrUrl, publishedAt }: PublishedPassport,
): Promise<LoadedBatch> =>
  run(
    deps,
    context,
    { batchId: known.state.batchId, known },
    { type: 'PublishBatch', passport: { dppId, gtin, serial, qrUrl, publishedAt } },
  );

/** Its product is deleted: the batch leaves the lists and its links answer 410. */
export const withdrawBatch = (
  deps: Pick<BatchDependencies, 'eventStore'>,
  context: CommandContext,
  batchId: string,
): Promise<LoadedBatch> => run(deps, context, { batchId }, { type: 'WithdrawBatch' });

async function run(
  { eventStore }: Pick<BatchDependencies, 'eventStore'>,
  context: CommandContext,
  { batchId, ...expected }: { readonly batchId: string; readonly isNew?: true; readonly known?: LoadedBatch },
  command: BatchCommand | ((batch: Batch, loaded: Loaded<BatchState>) => BatchCommand | Promise<BatchCommand>),
): Promise<LoadedBatch> {
  const executed: Executed<BatchState, BatchEvent> = await execute(eventStore, context, {
    stream: batchStream(batchId),
    decider: batchDecider,
    command:
      typeof command === 'function' ? (state, loaded) => command(found(batchId, { state }).state, loaded) : command,
    ...expected,
  });
  return found(batchId, executed);
}

function found<L extends { readonly state: BatchState }>(batchId: string, loaded: L): L & { readonly state: Batch } {
  const { state } = loaded;
  if (state.status === 'none') throw notFound('batch', batchId);
  return { ...loaded, state };
}

/** The factory and the distinct suppliers of the product's materials, without those who have declined. */
async function concernedSuppliers(deps: BatchDependencies, batch: Batch): Promise<Supplier[]> {
  const { organizationId, factoryId } = batch;
  if (factoryId === null) return [];
  const { fields } = await findProduct(deps, batch);
  const named = fields.materials.flatMap(({ supplierIds }) => supplierIds);
  const ids = [factoryId, ...new Set(named.filter((id) => id !== factoryId))];
  const suppliers = await Promise.all(ids.map((supplierId) => supplierOfBrand(deps, { organizationId, supplierId })));
  if (batch.status === 'draft' && suppliers[0]?.status === 'declined') throw declined(factoryId);
  return suppliers.filter((supplier) => supplier !== null).filter(({ status }) => status !== 'declined');
}

const requestTo = ({ batchId, factoryId }: Batch, { supplierId, factoryName, tier }: Supplier): DppRequest => ({
  ...{ requestId: requestIdOf(batchId, supplierId), supplierId, factoryName, tier },
  role: supplierId === factoryId ? 'factory' : 'sub_supplier',
});

/** One request for each supplier of a batch: however often the call is repeated, its link stays the same. */
const requestIdOf = (batchId: string, supplierId: string): string =>
  `req_${deterministicUuid(batchId, `request/${supplierId}`)}`;

/** The links of all whom the batch has asked, which a Postgres older than that does not know. */
export async function restoreLinks(
  deps: Pick<BatchDependencies, 'eventStore' | 'database' | 'linkKey'>,
  batchId: string,
): Promise<void> {
  const { state } = await loadAnyBatch(deps, batchId);
  await storeLinks(
    deps,
    batchId,
    state.requests.map(({ id: requestId }) => ({ requestId })),
  );
}

const declined = (supplierId: string): Refusal =>
  new Refusal('supplier_declined', `The supplier "${supplierId}" has declined to work with you.`);
