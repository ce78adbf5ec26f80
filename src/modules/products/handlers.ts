import { organizationOf, type CommandContext } from '../../core/context.js';
import { notFound } from '../../core/errors.js';
import { execute, load, type Loaded } from '../../infrastructure/command-handler.js';
import type { EventStore } from '../../infrastructure/event-store/port.js';
import type { Queryable } from '../../infrastructure/postgres/database.js';
import { suppliersByIds } from '../../../projections/suppliers/queries.js';
import {
  activeProduct,
  placeForSupplier,
  productDecider,
  type ActiveProduct,
  type IssuedPassport,
  type ProductCommand,
  type ProductState,
} from './decider.js';
import { productStream, type Material, type ProductEvent, type ProductFields } from './events.js';
import { holdingKeys, releaseKeysOf } from './keys.js';
import type { ProductDetail } from './schemas.js';

export interface ProductDependencies {
  readonly eventStore: EventStore;
  readonly database: Queryable;
}

/** What else a call does that has changed or deleted a product: it is about what is made of products, and handed in. */
export interface ProductFollowUp {
  readonly changed: (context: CommandContext, product: ActiveProduct) => Promise<void>;
  readonly deleted: (context: CommandContext, productId: string) => Promise<void>;
}

interface ProductRef {
  readonly organizationId: string;
  readonly productId: string;
}

type Suppliers = Awaited<ReturnType<typeof suppliersByIds>>;

export async function createProduct(
  deps: ProductDependencies,
  context: CommandContext,
  fields: ProductFields,
): Promise<ProductDetail> {
  const ref = { organizationId: organizationOf(context), productId: context.newId('prd') };
  const suppliers = await knownSuppliers(deps, ref, fields.materials);
  const created = await holdingKeys(deps, ref, async (claim) => {
    await claim(null, fields);
    return execute(deps.eventStore, context, {
      stream: productStream(ref.productId),
      decider: productDecider,
      command: { type: 'CreateProduct', ...ref, fields },
      isNew: true,
    });
  });
  return detailOf(ref, created, suppliers);
}

export async function readProduct(deps: ProductDependencies, ref: ProductRef): Promise<ProductDetail> {
  const loaded = await load(deps.eventStore, productDecider, productStream(ref.productId));
  const { fields } = activeProduct(loaded.state, ref);
  return detailOf(ref, loaded, await suppliersOf(deps, ref, fields.materials));
}

/** True of a product that was deleted; one that is not there was never made. */
export async function isDeleted(
  { eventStore }: Pick<ProductDependencies, 'eventStore'>,
  productId: string,
): Promise<boolean> {
  const { state } = await load(eventStore, productDecider, productStream(productId));
  return state.status === 'deleted';
}

/** Answers the product as it now is, and whether anything about it has changed. */
export async function updateProduct(
  deps: ProductDependencies,
  context: CommandContext,
  productId: string,
  changes: Partial<ProductFields>,
): Promise<{ readonly detail: ProductDetail; readonly product: ActiveProduct; readonly changed: boolean }> {
  const ref = { organizationId: organizationOf(context), productId };
  const updated = await holdingKeys(deps, ref, (claim) =>
    execute(deps.eventStore, context, {
      stream: productStream(productId),
      decider: productDecider,
      command: async (state): Promise<ProductCommand> => {
        const { fields } = activeProduct(state, ref);
        await knownSuppliers(deps, ref, changes.materials ?? []);
        await claim(fields, { ...fields, ...changes });
        return { type: 'UpdateProduct', ...ref, changes };
      },
    }),
  );
  const product = activeProduct(updated.state, ref);
  const suppliers = await suppliersOf(deps, ref, product.fields.materials);
  return { detail: detailOf(ref, updated, suppliers), product, changed: updated.events.length > 0 };
}

/** Deleting what is deleted is no error: a client that lost the answer asks again. */
export async function deleteProduct(
  deps: ProductDependencies,
  context: CommandContext,
  productId: string,
): Promise<void> {
  const ref = { organizationId: organizationOf(context), productId };
  await holdingKeys(deps, ref, (claim) =>
    execute(deps.eventStore, context, {
      stream: productStream(productId),
      decider: productDecider,
      command: async (state): Promise<ProductCommand> => {
        if (state.status === 'active') await claim(state.fields, null);
        return { type: 'DeleteProduct', ...ref };
      },
    }),
  );
  await releaseKeysOf(deps, ref);
}

interface SupplierOfMaterial extends ProductRef {
  readonly materialType: string;
  readonly supplierId: string;
}

/** The material comes from the supplier too; where product or material are gone, nothing happens. */
export async function addSupplierOfMaterial(
  { eventStore }: Pick<ProductDependencies, 'eventStore'>,
  context: CommandContext,
  order: SupplierOfMaterial,
): Promise<void> {
  await execute(eventStore, context, {
    stream: productStream(order.productId),
    decider: productDecider,
    command: { type: 'AddSupplierOfMaterial', ...order },
  });
}

/** Whether that would do something. */
export async function mayAddSupplierOfMaterial(
  { eventStore }: Pick<ProductDependencies, 'eventStore'>,
  order: SupplierOfMaterial,
): Promise<'free' | 'full' | 'gone'> {
  const { state } = await load(eventStore, productDecider, productStream(order.productId));
  if (state.status !== 'active' || state.organizationId !== order.organizationId) return 'gone';
  const place = placeForSupplier(state.fields, order);
  return place === 'no_material' ? 'gone' : place;
}

/**
 * Says on the product's stream that a batch gets its passport: from here on the product can neither be deleted nor lose
 * its composition. Answers the product that the passport shows; one that is `known` is not read again.
 */
export async function issuePassport(
  deps: Pick<ProductDependencies, 'eventStore'>,
  context: CommandContext,
  issued: { readonly productId: string; readonly batchId: string; readonly dppId: string },
  known?: LoadedProduct,
): Promise<ActiveProduct> {
  const ref = { organizationId: organizationOf(context), productId: issued.productId };
  const { state } = await execute(deps.eventStore, context, {
    stream: productStream(issued.productId),
    decider: productDecider,
    command: { type: 'IssuePassport', ...ref, ...issued },
    ...(known !== undefined && { known }),
  });
  return activeProduct(state, ref);
}

/** The product itself, for other modules; `path` names the field that its id came in. */
export const findProduct = async (
  deps: Pick<ProductDependencies, 'eventStore'>,
  ref: ProductRef,
  path?: string,
): Promise<ActiveProduct> => (await loadProduct(deps, ref, path)).state;

export type LoadedProduct = Loaded<ProductState> & { readonly state: ActiveProduct };

/** The same with where its stream stands. */
export async function loadProduct(
  { eventStore }: Pick<ProductDependencies, 'eventStore'>,
  ref: ProductRef,
  path?: string,
): Promise<LoadedProduct> {
  const loaded = await load(eventStore, productDecider, productStream(ref.productId));
  return { ...loaded, state: activeProduct(loaded.state, ref, path) };
}

/** What a product is or was: of a deleted one too. */
export interface AnyProduct extends ProductFields {
  readonly organizationId: string;
  readonly isDeleted: boolean;
}

const anyState = {
  initialState: null as AnyProduct | null,
  evolve: (product: AnyProduct | null, event: ProductEvent): AnyProduct | null => {
    if (event.type === 'ProductCreated') return { ...event.data, isDeleted: false };
    if (product === null) return null;
    if (event.type === 'ProductUpdated') return { ...product, ...event.data.changes };
    return event.type === 'ProductDeleted' ? { ...product, isDeleted: true } : product;
  },
};

/** Null when there never was one. */
export const anyProduct = async (
  { eventStore }: Pick<ProductDependencies, 'eventStore'>,
  productId: string,
): Promise<AnyProduct | null> => (await load(eventStore, anyState, productStream(productId))).state;

/** The passports of the product's batches; none of a deleted product, which never had any. */
export async function passportsOf(
  { eventStore }: Pick<ProductDependencies, 'eventStore'>,
  { productId }: Pick<ProductRef, 'productId'>,
): Promise<readonly IssuedPassport[]> {
  const { state } = await load(eventStore, productDecider, productStream(productId));
  return state.status === 'active' ? state.passports : [];
}

const supplierIdsOf = (materials: readonly Material[]): readonly string[] => [
  ...new Set(materials.flatMap(({ supplierIds }) => supplierIds)),
];

async function suppliersOf(
  { database }: ProductDependencies,
  { organizationId }: ProductRef,
  materials: readonly Material[],
): Promise<Suppliers> {
  const ids = supplierIdsOf(materials);
  return ids.length === 0 ? new Map() : suppliersByIds(database, organizationId, ids);
}

/** The same, refusing ids that name no supplier of the organization. */
async function knownSuppliers(
  deps: ProductDependencies,
  ref: ProductRef,
  materials: readonly Material[],
): Promise<Suppliers> {
  const suppliers = await suppliersOf(deps, ref, materials);
  for (const [index, { supplierIds }] of materials.entries()) {
    const unknown = supplierIds.findIndex((id) => !suppliers.has(id));
    if (unknown !== -1) {
      throw notFound('supplier', supplierIds[unknown] ?? '', `materials.${index}.supplierIds.${unknown}`);
    }
  }
  return suppliers;
}

function detailOf(ref: ProductRef, { state, updatedAt }: Loaded<ProductState>, suppliers: Suppliers): ProductDetail {
  const { materials, ...fields } = activeProduct(state, ref).fields;
  return {
    id: ref.productId,
    ...fields,
    supplierName: fields.supplierName ?? null,
    materials: materials.map(({ supplierIds, ...material }) => ({
      ...material,
      suppliers: supplierIds.flatMap((id) => {
        const supplier = suppliers.get(id);
        return supplier === undefined
          ? []
          : [{ id, factoryName: supplier.factoryName, tier: supplier.tier, state: supplier.state }];
      }),
    })),
    updatedAt: updatedAt ?? 0,
  };
}
