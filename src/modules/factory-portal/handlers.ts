import type { CommandContext } from '../../core/context.js';
import type { CertificateData } from '../../core/production-data.js';
import { execute, load } from '../../infrastructure/command-handler.js';
import type { EventStore } from '../../infrastructure/event-store/port.js';
import type { Database, Queryable } from '../../infrastructure/postgres/database.js';
import { factoryDecider, type FactoryCommand } from './decider.js';
import { factoryStream, type CertificateFile, type FactoryCertificate } from './events.js';
import { certificatesIn, present, type FactoryState } from './state.js';
import { addressesOf, dropFileOf } from './store.js';

interface FactoryDependencies {
  readonly eventStore: EventStore;
}

/** Runs one command on what the factory has said. */
export async function say(
  { eventStore }: FactoryDependencies,
  context: CommandContext,
  factoryId: string,
  command: FactoryCommand | ((state: FactoryState) => FactoryCommand),
): Promise<FactoryState> {
  const { state } = await execute(eventStore, context, {
    stream: factoryStream(factoryId),
    decider: factoryDecider,
    command,
  });
  return state;
}

/** Takes down what a factory said of its certificates; said again, nothing changes. */
export async function stateCertificates(
  deps: FactoryDependencies,
  context: CommandContext,
  statement: {
    readonly factoryId: string;
    readonly certificates: readonly CertificateData[];
    /** In milliseconds. */
    readonly statedAt: number;
  },
): Promise<FactoryState> {
  return say(deps, context, statement.factoryId, { type: 'StateCertificates', ...statement });
}

export async function removeCertificate(
  deps: FactoryDependencies & { readonly database: Database },
  context: CommandContext,
  { factoryId, certificateId }: { readonly factoryId: string; readonly certificateId: string },
): Promise<void> {
  await say(deps, context, factoryId, { type: 'RemoveCertificate', factoryId, certificateId, removedAt: context.now });
  await dropFileOf(deps.database, { certificateId });
}

export async function factoryState({ eventStore }: FactoryDependencies, factoryId: string): Promise<FactoryState> {
  return (await load(eventStore, factoryDecider, factoryStream(factoryId))).state;
}

export async function certificatesOf(
  deps: FactoryDependencies,
  factoryId: string,
): Promise<readonly FactoryCertificate[]> {
  return certificatesIn(await factoryState(deps, factoryId));
}

/** What a factory says of itself, as it and the brands that work with it see it: newest first. */
export interface Catalogue {
  readonly products: readonly CatalogueItem['product'][];
  readonly facilities: readonly CatalogueItem['facility'][];
  readonly certificates: readonly CatalogueItem['certificate'][];
  readonly subSuppliers: readonly CatalogueItem['subSupplier'][];
}

export interface CatalogueItem {
  readonly product: ReturnType<typeof productItem>;
  readonly facility: ReturnType<typeof facilityItem>;
  readonly certificate: ReturnType<typeof certificateItem>;
  readonly subSupplier: ReturnType<typeof subSupplierItem>;
}

export interface CatalogueDependencies extends FactoryDependencies {
  readonly database: Queryable;
  /** Where files are fetched from. */
  readonly baseUrl: string;
}

export async function catalogueOf(deps: CatalogueDependencies, factoryId: string): Promise<Catalogue> {
  const [state, addresses] = await Promise.all([factoryState(deps, factoryId), addressesOf(deps.database, factoryId)]);
  return catalogueIn(state, addresses, deps.baseUrl);
}

export const catalogueIn = (
  state: FactoryState,
  addresses: ReadonlyMap<string, string>,
  baseUrl: string,
): Catalogue => ({
  products: present(state.products)
    .map(({ data }) => productItem(data))
    .reverse(),
  facilities: present(state.facilities)
    .map(({ data }) => facilityItem(data, addresses.get(data.facilityId) ?? null))
    .reverse(),
  certificates: certificatesIn(state)
    .map((certificate) => certificateItem(certificate, state.files.get(certificate.certificateId), baseUrl))
    .reverse(),
  subSuppliers: present(state.subSuppliers)
    .map(({ data }) => subSupplierItem(data, addresses.get(data.subSupplierId) ?? null))
    .reverse(),
});

type Said<Name extends 'products' | 'facilities' | 'subSuppliers'> =
  FactoryState[Name] extends ReadonlyMap<string, { readonly data: infer Data }> ? Data : never;

const productItem = ({ productId, name, productType, materials }: Said<'products'>) => ({
  ...{ id: productId, name, productType },
  materials: materials.map((material) => ({ ...material })),
});

const facilityItem = ({ facilityId, name, country, activities }: Said<'facilities'>, address: string | null) => ({
  ...{ id: facilityId, name, address, country },
  activities: [...activities],
});

const certificateItem = (certificate: FactoryCertificate, file: CertificateFile | undefined, baseUrl: string) => {
  const { certificateId: id, type, number, issuer, validFrom, validUntil } = certificate;
  const fileUrl = file === undefined ? null : `${baseUrl}/supplier/certificates/${id}/file`;
  return { id, type, number, issuer, validFrom, validUntil, fileUrl };
};

const subSupplierItem = (
  { subSupplierId: id, name, country, tier }: Said<'subSuppliers'>,
  contactEmail: string | null,
) => ({
  ...{ id, name, country, tier, contactEmail },
});
