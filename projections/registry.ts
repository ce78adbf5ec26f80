import type { Recorded } from '../src/core/events.js';
import { batches, batchesProjection, requests, supplierBatches } from './batches/projection.js';
import { deliveries, deliveriesProjection, deliveryAttempts } from './deliveries/projection.js';
import { catalogueProducts, certificates, factories, factoriesProjection } from './factories/projection.js';
import { organizations, organizationsProjection } from './organizations/projection.js';
import { passports, passportsProjection } from './passports/projection.js';
import { products, productsProjection } from './products/projection.js';
import { proposals, proposalsProjection } from './proposals/projection.js';
import type { Change, Projection, Table } from './projection.js';
import { suppliers, suppliersProjection } from './suppliers/projection.js';
import { webhooks, webhooksProjection } from './webhooks/projection.js';

/** Every table that the projector writes, those that count others' rows before the rows that are counted. */
export const TABLES: readonly Table[] = [
  organizations,
  products,
  suppliers,
  factories,
  certificates,
  catalogueProducts,
  batches,
  requests,
  supplierBatches,
  proposals,
  passports,
  webhooks,
  deliveries,
  deliveryAttempts,
];

const PROJECTIONS: readonly Projection[] = [
  organizationsProjection,
  productsProjection,
  suppliersProjection,
  factoriesProjection,
  batchesProjection,
  proposalsProjection,
  passportsProjection,
  webhooksProjection,
  deliveriesProjection,
];

type Handler = (event: Recorded) => readonly Change[];

const HANDLERS: ReadonlyMap<string, readonly Handler[]> = PROJECTIONS.flatMap((projection) =>
  Object.entries(projection),
).reduce(
  (handlers, [type, handler]) => handlers.set(type, [...(handlers.get(type) ?? []), handler]),
  new Map<string, Handler[]>(),
);

/** What reacts to events of this type. */
export const handlersOf = (type: string): readonly Handler[] => HANDLERS.get(type) ?? NONE;

const NONE: readonly Handler[] = [];
