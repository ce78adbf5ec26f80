import { organizationOf, type CommandContext } from '../../core/context.js';
import { inOneAppend } from '../../core/decider.js';
import type { ImportMark } from '../../core/events.js';
import { appended } from '../../core/growing.js';
import { execute, load } from '../../infrastructure/command-handler.js';
import type { EventStore } from '../../infrastructure/event-store/port.js';
import { toGtin14 } from '../../reference-data/gtin.js';
import { DEFAULT_WEIGHT_KG } from '../../score/score-batch.js';
import {
  activeProduct,
  changesTo,
  productDecider,
  type ActiveProduct,
  type IssuedPassport,
  type ProductState,
} from './decider.js';
import { productStream, type Material, type ProductFields } from './events.js';
import type { ProductDependencies } from './handlers.js';
import { BLANK } from './input.js';
import { holdAgain, holdingKeys, type HeldKeys } from './keys.js';

/*
 * What an import needs of products: the fields that a row says, laid over what is there, and whether a row has done its work
 * already.
 */

export type { ActiveProduct, IssuedPassport };

/** What a row says; a blank cell is absent. */
export type RowFields = Partial<Omit<ProductFields, 'materials' | 'weightEstimated'>> & {
  readonly name: string;
  readonly materials?: readonly Omit<Material, 'supplierIds'>[];
};

/** The product that a row makes: without a weight it gets the default, flagged. */
export const productOfRow = ({ materials = [], ...said }: RowFields): ProductFields => ({
  ...BLANK,
  ...{ weightKg: DEFAULT_WEIGHT_KG, weightEstimated: said.weightKg === undefined },
  ...said,
  materials: materials.map((material) => ({ ...material, supplierIds: [] })),
});

type RowMaterial = NonNullable<RowFields['materials']>[number];

/**
 * What a row changes about a product. A GTIN that is the stored one but for its leading zeros is the same, and stays as it is
 * stored. The composition is replaced as a whole; a material that stays keeps its suppliers.
 */
export function changesOfRow(fields: ProductFields, { materials, ...said }: RowFields): Partial<ProductFields> {
  const wanted: { -readonly [Field in keyof ProductFields]?: ProductFields[Field] } = { ...said };
  if (said.gtin != null && fields.gtin !== null && toGtin14(said.gtin) === toGtin14(fields.gtin)) delete wanted.gtin;
  if (said.weightKg !== undefined) wanted.weightEstimated = false;
  if (materials !== undefined) {
    wanted.materials = withStoredOrigins(fields.materials, materials).map((material) => ({
      ...material,
      supplierIds: supplierIdsOf(fields.materials, material),
    }));
  }
  const known = fields.supplierName === undefined ? { ...fields, supplierName: null } : fields;
  const { supplierName, ...changes } = changesTo(known, wanted);
  // A supplier alone makes no difference.
  return Object.keys(changes).length === 0 || supplierName === undefined ? changes : { ...changes, supplierName };
}

/** Of the material from the same country; of the only one of its kind where the row names no country. */
function supplierIdsOf(stored: readonly Material[], { materialType, originCountry }: RowMaterial): readonly string[] {
  const ofType = stored.filter((known) => known.materialType === materialType);
  const same = ofType.find((known) => known.originCountry === originCountry);
  return (same ?? (originCountry === null && ofType.length === 1 ? ofType[0] : undefined))?.supplierIds ?? [];
}

/** The same materials in the same shares are the same composition: an origin that the row leaves blank stays as it is stored. */
function withStoredOrigins(stored: readonly Material[], said: readonly RowMaterial[]): readonly RowMaterial[] {
  const blend = (materials: readonly RowMaterial[]) => JSON.stringify(materials.map(shareOf).toSorted());
  if (blend(stored) !== blend(said)) return said;
  const isNamed = (known: Material) =>
    said.some((material) => material.originCountry === known.originCountry && shareOf(material) === shareOf(known));
  const left = stored.filter((known) => known.originCountry !== null && !isNamed(known));
  return said.map((material) => {
    const place =
      material.originCountry === null ? left.findIndex((known) => shareOf(known) === shareOf(material)) : -1;
    const [known] = place === -1 ? [] : left.splice(place, 1);
    return known === undefined ? material : { ...material, originCountry: known.originCountry };
  });
}

const shareOf = ({ materialType, percentage }: RowMaterial): string => `${percentage} ${materialType}`;

/** Stored origins that a row does not name: those that stay, and those that go with the composition that it replaces. */
export function unnamedOrigins(
  { materials: stored }: Pick<ProductFields, 'materials'>,
  { materials: said = [] }: Pick<RowFields, 'materials'>,
): { readonly kept: readonly RowMaterial[]; readonly removed: readonly RowMaterial[] } {
  const blank = new Set(said.flatMap(({ originCountry }, index) => (originCountry === null ? [index] : [])));
  const wanted = withStoredOrigins(stored, said).filter((_, index) => blank.has(index));
  const isBlank = (type: string) => wanted.some((it) => it.materialType === type && it.originCountry === null);
  return {
    kept: wanted.filter(({ originCountry }) => originCountry !== null),
    removed: stored.filter(({ materialType, originCountry }) => originCountry !== null && isBlank(materialType)),
  };
}

/** What a row of an import has done to a product. */
export type RowMark = Pick<ImportMark, 'importId' | 'row'> &
  (
    | { readonly did: 'create'; readonly fields: ProductFields }
    | { readonly did: 'update'; readonly changes: Partial<ProductFields>; readonly passports: number }
  );

/** A product with the rows that made it what it is. */
export interface MarkedProduct {
  readonly state: ProductState;
  readonly marks: readonly RowMark[];
  /** The import that its fields last came from; null when somebody has changed them since. */
  readonly importId: string | null;
}

const marked = {
  initialState: { state: productDecider.initialState, marks: [], importId: null } as MarkedProduct,
  evolve: (before: MarkedProduct, event: MarkedEvent): MarkedProduct => {
    const state = productDecider.evolve(before.state, event);
    const mark = event.metadata.import;
    switch (event.type) {
      case 'ProductCreated': {
        const { productId: _id, organizationId: _organization, ...fields } = event.data;
        return marking(before, state, mark, { did: 'create', fields });
      }
      case 'ProductUpdated': {
        const { changes, passportCount: passports } = event.data;
        return marking(before, state, mark, { did: 'update', changes, passports });
      }
      default:
        return { ...before, state };
    }
  },
};

type Did = RowMark extends infer Mark ? (Mark extends RowMark ? Omit<Mark, 'importId' | 'row'> : never) : never;

const marking = (
  { marks }: MarkedProduct,
  state: ProductState,
  mark: ImportMark | undefined,
  did: Did,
): MarkedProduct => ({
  state,
  marks: mark === undefined ? marks : appended(marks, { importId: mark.importId, row: mark.row, ...did }),
  importId: mark?.importId ?? null,
});

type MarkedEvent = Parameters<typeof productDecider.evolve>[1] & {
  readonly metadata: { readonly import?: ImportMark };
};

export const loadMarkedProduct = async (eventStore: EventStore, productId: string): Promise<MarkedProduct> =>
  (await load(eventStore, marked, productStream(productId))).state;

/**
 * Makes the product, and with it announces its passport if it gets one. `isNew` is false when there is one of this id already, made by an earlier try or, where `productId` was
 * reserved by somebody else's call that has not come to its end, by that call.
 */
export async function createProductOfRow(
  deps: ProductDependencies,
  context: CommandContext,
  {
    productId,
    fields,
    passport,
    held,
  }: {
    readonly productId: string;
    readonly fields: ProductFields;
    readonly passport: IssuedPassport | null;
    /** Keys that are reserved for it already. */
    readonly held: HeldKeys;
  },
): Promise<{ readonly state: ProductState; readonly isNew: boolean }> {
  const ref = { organizationId: organizationOf(context), productId };
  const created = await holdingKeys(deps, { ...ref, held }, async (claim) => {
    await claim(null, fields);
    return execute(deps.eventStore, context, {
      stream: productStream(productId),
      decider: inOneAppend(productDecider),
      command: (state) => [
        { type: 'CreateProduct' as const, ...ref, fields },
        // One that is there already gets its passport from what is known of it then.
        ...(passport === null || state.status !== 'none'
          ? []
          : [{ type: 'IssuePassport' as const, ...ref, ...passport }]),
      ],
      isNew: true,
    });
  });
  return { state: created.state, isNew: created.events.length > 0 };
}

/** Reserves the keys that a product has once more, for its owner of another call may have let go of them. */
export const holdKeysAgain = (
  deps: ProductDependencies,
  context: CommandContext,
  product: { readonly productId: string; readonly fields: ProductFields },
): Promise<void> => holdAgain(deps, { organizationId: organizationOf(context), ...product });

/** Changes the product as the row says, whatever it has become in between; `changes` are those that were still to be made. */
export async function updateProductOfRow(
  deps: ProductDependencies,
  context: CommandContext,
  { productId, said }: { readonly productId: string; readonly said: RowFields },
): Promise<{ readonly product: ActiveProduct; readonly changes: Partial<ProductFields> }> {
  const ref = { organizationId: organizationOf(context), productId };
  const updated = await holdingKeys(deps, ref, (claim) =>
    execute(deps.eventStore, context, {
      stream: productStream(productId),
      decider: productDecider,
      command: async (state) => {
        const { fields } = activeProduct(state, ref);
        const changes = changesOfRow(fields, said);
        await claim(fields, { ...fields, ...changes });
        return { type: 'UpdateProduct' as const, ...ref, changes };
      },
    }),
  );
  const [event] = updated.events;
  return {
    product: activeProduct(updated.state, ref),
    changes: event?.type === 'ProductUpdated' ? event.data.changes : {},
  };
}
