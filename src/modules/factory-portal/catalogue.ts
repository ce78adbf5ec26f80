import type { Page, Paged } from '../../../projections/page.js';
import type { CommandContext } from '../../core/context.js';
import { invalid, notFound } from '../../core/errors.js';
import type { Database } from '../../infrastructure/postgres/database.js';
import { listed, noRoomIn } from './decider.js';
import { isSameCertificate } from './events.js';
import {
  catalogueIn,
  factoryState,
  removeCertificate,
  say,
  stateCertificates,
  type Catalogue,
  type CatalogueDependencies,
  type CatalogueItem,
} from './handlers.js';
import type {
  ChangeCertificateBody,
  ChangeFacilityBody,
  ChangeProductBody,
  ChangeSubSupplierBody,
  CreateCertificateBody,
  CreateFacilityBody,
  CreateProductBody,
  CreateSubSupplierBody,
} from './schemas.js';
import { certificatesIn, type FactoryState } from './state.js';
import { addressesOf, keepAddress } from './store.js';

type Dependencies = CatalogueDependencies & { readonly database: Database };

/** What a factory does with one kind of entry. */
export interface EntryHandlers<Item, Create, Change> {
  readonly list: (deps: Dependencies, factoryId: string, page: Page) => Promise<Paged<Item>>;
  readonly create: (
    deps: Dependencies,
    context: CommandContext,
    factoryId: string,
    body: Create,
  ) => Promise<{ readonly item: Item; readonly isNew: boolean }>;
  readonly change: (
    deps: Dependencies,
    context: CommandContext,
    ref: { readonly factoryId: string; readonly id: string },
    body: Change,
  ) => Promise<Item>;
  readonly remove: (
    deps: Dependencies,
    context: CommandContext,
    ref: { readonly factoryId: string; readonly id: string },
  ) => Promise<void>;
}

type Materials = CreateProductBody['materials'];

const composition = (materials: Materials) =>
  (materials ?? []).map(({ materialType, percentage, originCountry = null }) => ({
    ...{ materialType, percentage, originCountry },
  }));

export const productEntries: EntryHandlers<CatalogueItem['product'], CreateProductBody, ChangeProductBody> = {
  list: (deps, factoryId, page) => listOf(deps, factoryId, page, 'products'),
  async create(deps, context, factoryId, body) {
    const productId = context.newId('cpr');
    const { name, productType, materials } = body;
    const product = {
      factoryId,
      productId,
      name,
      productType: productType ?? 'other',
      materials: composition(materials),
    };
    const state = await say(deps, context, factoryId, { type: 'SaveProduct', product });
    return { item: await itemIn(deps, factoryId, state, 'products', productId), isNew: true };
  },
  async change(deps, context, { factoryId, id }, body) {
    const state = await say(deps, context, factoryId, ({ products }) => {
      const { name, productType, materials } = body;
      const product = {
        ...listed(products, 'product', id),
        ...(name !== undefined && { name }),
        ...(productType !== undefined && { productType }),
        ...(materials !== undefined && { materials: composition(materials) }),
      };
      return { type: 'SaveProduct', product };
    });
    return itemIn(deps, factoryId, state, 'products', id);
  },
  async remove(deps, context, { factoryId, id }) {
    await say(deps, context, factoryId, { type: 'RemoveProduct', productId: id });
  },
};

export const facilityEntries: EntryHandlers<CatalogueItem['facility'], CreateFacilityBody, ChangeFacilityBody> = {
  list: (deps, factoryId, page) => listOf(deps, factoryId, page, 'facilities'),
  async create(deps, context, factoryId, body) {
    const facilityId = context.newId('fcl');
    const { name, country = null, activities, address } = body;
    const facility = { factoryId, facilityId, name, country, activities: activities ?? [] };
    const state = await say(deps, context, factoryId, { type: 'SaveFacility', facility });
    await keepAddress(deps.database, { factoryId, entryId: facilityId, address: valueOrNull(address) });
    return { item: await itemIn(deps, factoryId, state, 'facilities', facilityId), isNew: true };
  },
  async change(deps, context, { factoryId, id }, body) {
    const state = await say(deps, context, factoryId, ({ facilities }) => {
      const { name, country, activities } = body;
      const facility = {
        ...listed(facilities, 'facility', id),
        ...(name !== undefined && { name }),
        ...(country !== undefined && { country }),
        ...(activities !== undefined && { activities: activities ?? [] }),
      };
      return { type: 'SaveFacility', facility };
    });
    const { address } = body;
    if (address !== undefined) {
      await keepAddress(deps.database, { factoryId, entryId: id, address: valueOrNull(address) });
    }
    return itemIn(deps, factoryId, state, 'facilities', id);
  },
  async remove(deps, context, { factoryId, id }) {
    // First: whoever is killed in between leaves an entry to be removed again, never an address without one.
    await keepAddress(deps.database, { factoryId, entryId: id, address: null });
    await say(deps, context, factoryId, { type: 'RemoveFacility', facilityId: id });
  },
};

export const certificateEntries: EntryHandlers<
  CatalogueItem['certificate'],
  CreateCertificateBody,
  ChangeCertificateBody
> = {
  list: (deps, factoryId, page) => listOf(deps, factoryId, page, 'certificates'),
  /** Named again it is the same one, with what is said of it now. */
  async create(deps, context, factoryId, body) {
    const { type, number, issuer, validFrom = null, validUntil = null } = body;
    const certificate = { type, number, issuer: valueOrNull(issuer), validFrom, validUntil };
    const before = certificatesIn(await factoryState(deps, factoryId));
    const statement = { factoryId, certificates: [certificate], statedAt: context.now };
    const state = await stateCertificates(deps, context, statement);
    const isIt = (one: { readonly type: string; readonly number: string }) => isSameCertificate(one, certificate);
    const recorded = certificatesIn(state).find(isIt);
    if (recorded === undefined) throw noRoomIn(state.certificates);
    const item = await itemIn(deps, factoryId, state, 'certificates', recorded.certificateId);
    return { item, isNew: !before.some(isIt) };
  },
  async change(deps, context, { factoryId, id }, body) {
    const { type, number, issuer, validFrom, validUntil } = body;
    const changes = {
      ...(type !== undefined && { type }),
      ...(number !== undefined && { number }),
      ...(issuer !== undefined && { issuer: valueOrNull(issuer) }),
      ...(validFrom !== undefined && { validFrom }),
      ...(validUntil !== undefined && { validUntil }),
    };
    const command = { type: 'ChangeCertificate', certificateId: id, changes, statedAt: context.now } as const;
    const state = await say(deps, context, factoryId, command);
    return itemIn(deps, factoryId, state, 'certificates', id);
  },
  remove: (deps, context, { factoryId, id }) => removeCertificate(deps, context, { factoryId, certificateId: id }),
};

export const subSupplierEntries: EntryHandlers<
  CatalogueItem['subSupplier'],
  CreateSubSupplierBody,
  ChangeSubSupplierBody
> = {
  list: (deps, factoryId, page) => listOf(deps, factoryId, page, 'subSuppliers'),
  async create(deps, context, factoryId, body) {
    const subSupplierId = context.newId('sub');
    const { name, country = null, tier, contactEmail = null } = body;
    const subSupplier = { factoryId, subSupplierId, name, country, tier: tier ?? 2 };
    const state = await say(deps, context, factoryId, { type: 'SaveSubSupplier', subSupplier });
    await keepAddress(deps.database, { factoryId, entryId: subSupplierId, address: contactEmail });
    return { item: await itemIn(deps, factoryId, state, 'subSuppliers', subSupplierId), isNew: true };
  },
  async change(deps, context, { factoryId, id }, body) {
    const state = await say(deps, context, factoryId, ({ subSuppliers }) => {
      const { name, country, tier } = body;
      const subSupplier = {
        ...listed(subSuppliers, 'sub-supplier', id),
        ...(name !== undefined && { name }),
        ...(country !== undefined && { country }),
        ...(tier !== undefined && { tier }),
      };
      return { type: 'SaveSubSupplier', subSupplier };
    });
    const { contactEmail } = body;
    if (contactEmail !== undefined) {
      await keepAddress(deps.database, { factoryId, entryId: id, address: contactEmail });
    }
    return itemIn(deps, factoryId, state, 'subSuppliers', id);
  },
  async remove(deps, context, { factoryId, id }) {
    await keepAddress(deps.database, { factoryId, entryId: id, address: null });
    await say(deps, context, factoryId, { type: 'RemoveSubSupplier', subSupplierId: id });
  },
};

type Items<Kind extends keyof Catalogue> = Catalogue[Kind][number];

export async function itemIn<Kind extends keyof Catalogue>(
  deps: Dependencies,
  factoryId: string,
  state: FactoryState,
  kind: Kind,
  id: string,
): Promise<Items<Kind>> {
  const items: readonly Items<Kind>[] = catalogueIn(state, await addressesOf(deps.database, factoryId), deps.baseUrl)[
    kind
  ];
  const item = items.find((one) => one.id === id);
  if (item === undefined) throw notFound('entry', id);
  return item;
}

/** A page of the factory's own list, newest first, as it stands now. */
async function listOf<Kind extends keyof Catalogue>(
  deps: Dependencies,
  factoryId: string,
  page: Page,
  kind: Kind,
): Promise<Paged<Items<Kind>>> {
  const [state, addresses] = await Promise.all([factoryState(deps, factoryId), addressesOf(deps.database, factoryId)]);
  const items: readonly Items<Kind>[] = catalogueIn(state, addresses, deps.baseUrl)[kind];
  // Removed ones too: a page may begin after an entry that is gone by now.
  const ids = [...state[kind].keys()].reverse();
  const after = new Set(ids.slice(page.cursor === null ? 0 : ids.indexOf(lastOf(page.cursor, ids)) + 1));
  const rest = items.filter(({ id }) => after.has(id));
  const data = rest.slice(0, page.limit);
  const last = data.at(-1);
  if (rest.length <= page.limit || last === undefined) return { data };
  return { data, nextCursor: Buffer.from(last.id).toString('base64url') };
}

function lastOf(cursor: string, ids: readonly string[]): string {
  const id = Buffer.from(cursor, 'base64url').toString();
  if (!ids.includes(id)) throw invalid('cursor', '"cursor" is not one that this list has answered.');
  return id;
}

const valueOrNull = (text: string | null | undefined): string | null =>
  text === null || text === undefined || text.trim() === '' ? null : text;
