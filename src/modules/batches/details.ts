import { productNames } from '../../../projections/products/queries.js';
import { suppliersByIds } from '../../../projections/suppliers/queries.js';
import { notFound } from '../../core/errors.js';
import type { BatchDependencies, LoadedBatch } from './handlers.js';
import type { BatchDetail } from './schemas.js';
import type { Batch } from './state.js';

/** The full batch: what its stream says, with the names that its product and suppliers have now. */
export async function detailOf(
  { database }: Pick<BatchDependencies, 'database'>,
  { state: batch, createdAt }: LoadedBatch,
): Promise<BatchDetail> {
  const { organizationId, productId, factoryId } = batch;
  const supplierIds = [
    ...batch.requests.map(({ supplierId }) => supplierId),
    ...(factoryId === null ? [] : [factoryId]),
  ];
  const [products, suppliers] = await Promise.all([
    productNames(database, organizationId, [productId]),
    supplierIds.length === 0
      ? new Map<string, never>()
      : suppliersByIds(database, organizationId, [...new Set(supplierIds)]),
  ]);
  const product = products.get(productId);
  const { status } = batch;
  if (status === 'withdrawn') throw notFound('batch', batch.batchId);
  return {
    id: batch.batchId,
    productId,
    productName: product?.name ?? batch.productName,
    productSku: product === undefined ? batch.productSku : product.sku,
    factoryId,
    factoryName: factoryId === null ? null : (suppliers.get(factoryId)?.factoryName ?? batch.factoryName),
    poReference: batch.poReference,
    quantity: batch.quantity,
    unit: batch.unit,
    state: status,
    preliminary: batch.preliminary,
    createdAt: createdAt ?? 0,
    requests: batch.requests.map((request) => ({
      id: request.id,
      supplierId: request.supplierId,
      factoryName: suppliers.get(request.supplierId)?.factoryName ?? request.factoryName,
      tier: request.tier,
      contactEmail: suppliers.get(request.supplierId)?.contactEmail ?? null,
      state: request.state,
      notes: request.notes,
      sentAt: request.sentAt,
      openedAt: request.openedAt,
      submittedAt: request.submittedAt,
    })),
    ...submittedPart(batch),
    ...(batch.passport === null ? {} : { dpp: passportPart(batch.passport) }),
  };
}

const passportPart = ({ dppId, gtin, serial, qrUrl, publishedAt }: NonNullable<Batch['passport']>) => ({
  ...{ id: dppId, gtin, serial, qrUrl, publishedAt },
});

/** Score and data are shown once Tier 1 has answered (or a preliminary passport is out), whoever answered before. */
function submittedPart(batch: Batch): Pick<BatchDetail, 'pefcr' | 'dataJson'> {
  const pefcr = batch.score === null ? {} : { pefcr: mutable(batch.score.pefcr) };
  if (batch.preliminary) return batch.passport === null ? {} : pefcr;
  const data = batch.requests.find(({ role }) => role === 'factory')?.data ?? null;
  if (data === null) return {};
  const subSuppliers = batch.requests
    .filter(({ role, data: answer }) => role === 'sub_supplier' && answer !== null)
    .map(({ supplierId, data: answer }) => ({ supplierId, ...answer }));
  return { ...pefcr, dataJson: { ...data, subSuppliers } };
}

type Mutable<T> = T extends readonly (infer Item)[]
  ? Item[]
  : T extends object
    ? { -readonly [Key in keyof T]: Mutable<T[Key]> }
    : T;
/** The state is read-only, an answer's type is not; nobody writes to either. */
const mutable = <T>(value: T): Mutable<T> => value as Mutable<T>;
