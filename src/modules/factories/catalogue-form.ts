import type { z } from 'zod';
import type { CommandContext } from '../../core/context.js';
import { notFound } from '../../core/errors.js';
import type { EventStore } from '../../infrastructure/event-store/port.js';
import type { Database } from '../../infrastructure/postgres/database.js';
import { CATALOGUE_KINDS, type CatalogueKind, type CatalogueSectionView } from '../../pages/supplier/views.js';
import {
  certificateEntries,
  facilityEntries,
  productEntries,
  subSupplierEntries,
  type EntryHandlers,
} from './catalogue.js';
import { attachFile, mediaTypeOf } from './files.js';
import type { Catalogue } from './handlers.js';
import { createCertificateBody, createFacilityBody, createProductBody, createSubSupplierBody } from './schemas.js';

interface FormDependencies {
  readonly eventStore: EventStore;
  readonly database: Database;
  readonly baseUrl: string;
}

/** What became of a form of the catalogue's pages. */
export interface FormOutcome {
  readonly kind: CatalogueKind;
  readonly done: 'added' | 'removed';
  readonly typed: Readonly<Record<string, string>>;
  /** Paths of the fields that were refused; nothing was done then. */
  readonly refused: readonly string[];
}

const REMOVERS: Readonly<Record<CatalogueKind, EntryHandlers<unknown, never, never>['remove']>> = {
  products: productEntries.remove,
  facilities: facilityEntries.remove,
  subSuppliers: subSupplierEntries.remove,
  certificates: certificateEntries.remove,
};

/** Adds or removes what the form says, by the same rules as the API. */
export async function takeEntry(
  deps: FormDependencies,
  context: CommandContext,
  form: {
    readonly factoryId: string;
    readonly kinds: readonly CatalogueKind[];
    readonly fields: Readonly<Record<string, string>>;
    readonly file: Buffer | null;
  },
): Promise<FormOutcome> {
  const { factoryId, fields, file } = form;
  const kind = CATALOGUE_KINDS.find((one) => one === fields['kind'] && form.kinds.includes(one));
  if (kind === undefined) throw notFound('kind of entry', fields['kind'] ?? '');
  if (fields['action'] === 'remove') {
    await REMOVERS[kind](deps, context, { factoryId, id: fields['id'] ?? '' });
    return { kind, done: 'removed', typed: {}, refused: [] };
  }
  const typed = typedIn(fields, kind);
  const refused = await add(deps, context, { factoryId, kind, typed, file });
  return { kind, done: 'added', typed, refused };
}

/** Answers the paths of the fields that were refused. */
async function add(
  deps: FormDependencies,
  context: CommandContext,
  order: {
    readonly factoryId: string;
    readonly kind: CatalogueKind;
    readonly typed: Readonly<Record<string, string>>;
    readonly file: Buffer | null;
  },
): Promise<readonly string[]> {
  const { factoryId, kind, typed, file } = order;
  const text = (path: string): string | undefined => typed[path] || undefined;
  switch (kind) {
    case 'products': {
      const rows = Array.from({ length: 50 }, (_, index) => `materials.${index}`).filter(
        (row) => typed[`${row}.materialType`] || typed[`${row}.percentage`],
      );
      const materials = rows.map((row) => ({
        materialType: typed[`${row}.materialType`] ?? '',
        percentage: Number((typed[`${row}.percentage`] ?? '').replace(',', '.') || NaN),
        originCountry: text(`${row}.originCountry`),
      }));
      const body = createProductBody.safeParse({ name: text('name'), productType: text('productType'), materials });
      if (!body.success) return refusedIn(body.error);
      await productEntries.create(deps, context, factoryId, body.data);
      return [];
    }
    case 'facilities': {
      const activities = (typed['activities'] ?? '').split(',').filter((one) => one.trim() !== '');
      const fields = { name: text('name'), address: text('address'), country: text('country'), activities };
      const body = createFacilityBody.safeParse(fields);
      if (!body.success) return refusedIn(body.error);
      await facilityEntries.create(deps, context, factoryId, body.data);
      return [];
    }
    case 'subSuppliers': {
      const tier = text('tier');
      const body = createSubSupplierBody.safeParse({
        ...{ name: text('name'), country: text('country'), contactEmail: text('contactEmail') },
        tier: tier === undefined ? undefined : Number(tier),
      });
      if (!body.success) return refusedIn(body.error);
      await subSupplierEntries.create(deps, context, factoryId, body.data);
      return [];
    }
    case 'certificates': {
      const body = createCertificateBody.safeParse({
        ...{ type: text('type'), number: text('number'), issuer: text('issuer') },
        ...{ validFrom: text('validFrom'), validUntil: text('validUntil') },
      });
      const refused = body.success ? [] : refusedIn(body.error);
      // Before anything is done: the certificate is not added without its copy.
      if (file !== null && (await mediaTypeOf(file)) === null) return [...refused, 'file'];
      if (!body.success) return refused;
      const { item } = await certificateEntries.create(deps, context, factoryId, body.data);
      if (file !== null) await attachFile(deps, context, { factoryId, certificateId: item.id, content: file });
      return [];
    }
  }
}

/** `activities.0` is a fault of the field `activities`; materials have a field for each part. */
const refusedIn = (error: z.ZodError): readonly string[] =>
  error.issues.map(({ path }) => (path[0] === 'activities' ? 'activities' : path.join('.')));

function typedIn(fields: Readonly<Record<string, string>>, kind: CatalogueKind): Record<string, string> {
  const own = Object.entries(fields).filter(([name]) => name.startsWith(`${kind}.`));
  return Object.fromEntries(
    own.map(([name, value]) => [name.slice(kind.length + 1), value.replaceAll('\r\n', '\n').trim()]),
  );
}

/** The sections of a page, with what was typed into the form that was refused. */
export function sectionsOf(
  catalogue: Catalogue,
  kinds: readonly CatalogueKind[],
  outcome: FormOutcome | null,
): readonly CatalogueSectionView[] {
  const entries: Readonly<Record<CatalogueKind, CatalogueSectionView['entries']>> = {
    products: catalogue.products.map(({ id, name, materials }) => ({ id, title: name, materials, details: [] })),
    facilities: catalogue.facilities.map(({ id, name, address, country, activities }) => ({
      ...{ id, title: name, country },
      details: [...(address === null ? [] : [address]), ...activities],
    })),
    subSuppliers: catalogue.subSuppliers.map(({ id, name, country, tier, contactEmail }) => ({
      ...{ id, title: name, country },
      tier,
      details: contactEmail === null ? [] : [contactEmail],
    })),
    certificates: catalogue.certificates.map(({ id, type, number, issuer, validUntil, fileUrl }) => ({
      ...{ id, title: `${type} ${number}`, validUntil, fileHref: fileUrl },
      details: issuer === null ? [] : [issuer],
    })),
  };
  return kinds.map((kind) => ({
    ...{ kind, entries: entries[kind] },
    typed: outcome?.kind === kind ? outcome.typed : {},
    refused: outcome?.kind === kind ? outcome.refused : [],
  }));
}
