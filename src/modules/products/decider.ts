import { assertNever } from '../../core/assert-never.js';
import type { Decider } from '../../core/decider.js';
import { invalid, notFound, Refusal } from '../../core/errors.js';
import { appended } from '../../core/growing.js';
import type { Material, ProductEvent, ProductFields } from './events.js';

export type ProductCommand =
  | {
      readonly type: 'CreateProduct';
      readonly productId: string;
      readonly organizationId: string;
      readonly fields: ProductFields;
    }
  | {
      readonly type: 'UpdateProduct';
      readonly productId: string;
      readonly organizationId: string;
      /** What the caller sent; fields that are so already change nothing. */
      readonly changes: Partial<ProductFields>;
    }
  | {
      readonly type: 'IssuePassport';
      readonly productId: string;
      readonly organizationId: string;
      readonly batchId: string;
      readonly dppId: string;
    }
  /** Nothing happens to a product, or a material, that is gone. */
  | {
      readonly type: 'AddSupplierOfMaterial';
      readonly productId: string;
      readonly organizationId: string;
      readonly materialType: string;
      readonly supplierId: string;
    }
  | { readonly type: 'DeleteProduct'; readonly productId: string; readonly organizationId: string };

export type ProductState =
  | { readonly status: 'none' }
  | {
      readonly status: 'active';
      readonly productId: string;
      readonly organizationId: string;
      readonly fields: ProductFields;
      readonly passports: readonly IssuedPassport[];
    }
  | { readonly status: 'deleted'; readonly productId: string; readonly organizationId: string };

export type ActiveProduct = Extract<ProductState, { status: 'active' }>;

export type IssuedPassport = { readonly batchId: string; readonly dppId: string };

export const productDecider: Decider<ProductState, ProductCommand, ProductEvent> = {
  initialState: { status: 'none' },
  decide,
  evolve,
};

function decide(command: ProductCommand, state: ProductState): readonly ProductEvent[] {
  switch (command.type) {
    case 'CreateProduct': {
      if (state.status !== 'none') return [];
      const { productId, organizationId, fields } = command;
      refuseUnlessWhole(fields.materials);
      return [{ type: 'ProductCreated', data: { productId, organizationId, ...fields } }];
    }
    case 'UpdateProduct': {
      const product = activeProduct(state, command);
      const changes = changesTo(product.fields, command.changes);
      if (changes.materials !== undefined) {
        refuseUnlessWhole(changes.materials);
        if (changes.materials.length === 0 && product.passports.length > 0) {
          throw new Refusal(
            'composition_required',
            'The product has published passports, which show its composition.',
            {
              errors: [
                { path: 'materials', code: 'composition_required', message: 'The composition cannot be cleared.' },
              ],
            },
          );
        }
      }
      if (Object.keys(changes).length === 0) return [];
      const { productId, passports } = product;
      return [{ type: 'ProductUpdated', data: { productId, changes, passportCount: passports.length } }];
    }
    case 'AddSupplierOfMaterial': {
      if (state.status !== 'active' || state.organizationId !== command.organizationId) return [];
      const { productId, fields, passports } = state;
      const materials = withSupplier(fields.materials, command);
      return isSame(fields.materials, materials)
        ? []
        : [{ type: 'ProductUpdated', data: { productId, changes: { materials }, passportCount: passports.length } }];
    }
    case 'IssuePassport': {
      const { batchId, dppId } = command;
      if (state.status === 'deleted')
        throw new Refusal('product_deleted', 'The product of this batch has been deleted.');
      const { productId, fields, passports } = activeProduct(state, command);
      if (passports.some((issued) => issued.batchId === batchId)) return [];
      refuseWithoutComposition(fields);
      return [{ type: 'ProductPassportIssued', data: { productId, batchId, dppId } }];
    }
    case 'DeleteProduct': {
      if (state.status === 'deleted' && state.organizationId === command.organizationId) return [];
      const { productId, organizationId, passports } = activeProduct(state, command);
      if (passports.length > 0) {
        throw new Refusal(
          'product_has_published_dpps',
          `The product has published passports (${passports.length}) and cannot be deleted.`,
        );
      }
      return [{ type: 'ProductDeleted', data: { productId, organizationId } }];
    }
    default:
      return assertNever(command);
  }
}

function evolve(state: ProductState, event: ProductEvent): ProductState {
  switch (event.type) {
    case 'ProductCreated': {
      const { productId, organizationId, ...fields } = event.data;
      return { status: 'active', productId, organizationId, fields, passports: [] };
    }
    case 'ProductUpdated':
      return state.status === 'active' ? { ...state, fields: { ...state.fields, ...event.data.changes } } : state;
    case 'ProductPassportIssued': {
      const { batchId, dppId } = event.data;
      return state.status === 'active' ? { ...state, passports: appended(state.passports, { batchId, dppId }) } : state;
    }
    case 'ProductDeleted':
      return { status: 'deleted', ...event.data };
    default:
      return state;
  }
}

/**
 * The product, if it is there for this organization: a deleted one and another organization's answer alike. `path` names
 * the field that the id came in.
 */
export function activeProduct(
  state: ProductState,
  { productId, organizationId }: { readonly productId: string; readonly organizationId: string },
  path?: string,
): ActiveProduct {
  if (state.status !== 'active' || state.organizationId !== organizationId) throw notFound('product', productId, path);
  return state;
}

export const MAX_SUPPLIERS_OF_MATERIAL = 50;

type NamedSupplier = { readonly materialType: string; readonly supplierId: string };

/** A material that stands there twice, from two countries, comes from the supplier in both places. */
const withSupplier = (
  materials: readonly Material[],
  { materialType, supplierId }: NamedSupplier,
): readonly Material[] =>
  materials.map((material) =>
    material.materialType === materialType && takesSupplier(material, supplierId)
      ? { ...material, supplierIds: [...new Set([...material.supplierIds, supplierId])] }
      : material,
  );

const takesSupplier = ({ supplierIds }: Material, supplierId: string): boolean =>
  supplierIds.includes(supplierId) || supplierIds.length < MAX_SUPPLIERS_OF_MATERIAL;

/** Whether one more supplier can be named for a material of the product. */
export function placeForSupplier(
  { materials }: ProductFields,
  { materialType, supplierId }: NamedSupplier,
): 'free' | 'full' | 'no_material' {
  const named = materials.filter((material) => material.materialType === materialType);
  if (named.length === 0) return 'no_material';
  return named.every((material) => takesSupplier(material, supplierId)) ? 'free' : 'full';
}

export function refuseWithoutComposition({ materials }: ProductFields): void {
  if (materials.length > 0) return;
  throw new Refusal(
    'no_composition',
    'A passport shows what the product is made of, and the product has no materials.',
  );
}

/** Percentages are added at 6 decimals: binary sums such as 33.4 + 33.3 + 33.3 are not exact. */
const MICRO = 1_000_000;
const TOLERANCE = 0.01 * MICRO;

/** What the percentages add up to. */
export const compositionTotal = (materials: readonly Pick<Material, 'percentage'>[]): number =>
  materials.reduce((sum, { percentage }) => sum + Math.round(percentage * MICRO), 0) / MICRO;

/** A composition is absent or totals 100 (within 0.01, inclusive). */
export const isWhole = (materials: readonly Pick<Material, 'percentage'>[]): boolean =>
  materials.length === 0 || Math.abs(Math.round(compositionTotal(materials) * MICRO) - 100 * MICRO) <= TOLERANCE;

function refuseUnlessWhole(materials: readonly Material[]): void {
  if (!isWhole(materials)) throw invalid('materials', compositionMessage(materials));
}

export const compositionMessage = (materials: readonly Pick<Material, 'percentage'>[]): string =>
  `The percentages of the materials total ${compositionTotal(materials)}, not 100.`;

/** Those of the wanted fields that differ from what is. */
export function changesTo(fields: ProductFields, wanted: Partial<ProductFields>): Partial<ProductFields> {
  const changes: Record<string, unknown> & Partial<ProductFields> = {};
  for (const [field, value] of Object.entries(wanted)) {
    if (!isSame(fields[field as keyof ProductFields], value)) changes[field] = value;
  }
  // A sub-category belongs to one category: it does not outlive a move to another.
  const orphaned = changes.categoryId !== undefined && wanted.subcategory === undefined && fields.subcategory !== null;
  return orphaned ? { ...changes, subcategory: null } : changes;
}

/** Fields are scalars or materials. */
const isSame = (a: unknown, b: unknown): boolean =>
  a === b ||
  (Array.isArray(a) &&
    Array.isArray(b) &&
    isSameList(a as readonly Material[], b as readonly Material[], isSameMaterial));

const isSameMaterial = (a: Material, b: Material): boolean =>
  a.materialType === b.materialType &&
  a.percentage === b.percentage &&
  a.originCountry === b.originCountry &&
  isSameList(a.supplierIds, b.supplierIds, (one, other) => one === other);

const isSameList = <Item>(a: readonly Item[], b: readonly Item[], same: (one: Item, other: Item) => boolean): boolean =>
  a.length === b.length && a.every((one, index) => same(one, b[index] as Item));
