import type { z } from 'zod';
import type { CommandContext } from '../../core/context.js';
import { notFound, Refusal } from '../../core/errors.js';
import type { Upload } from '../../http/file-upload.js';
import type { EventStore } from '../../infrastructure/event-store/port.js';
import type { Database } from '../../infrastructure/postgres/database.js';
import {
  CATALOGUE_KINDS,
  MAX_MATERIALS,
  type CatalogueKind,
  type CatalogueSectionView,
  type EntryView,
} from '../../pages/supplier/views.js';
import {
  certificateEntries,
  facilityEntries,
  productEntries,
  subSupplierEntries,
  type EntryHandlers,
} from './catalogue.js';
import { attachFile, mediaTypeOf, quotaOf } from './files.js';
import type { Catalogue } from './handlers.js';
import { createCertificateBody, createFacilityBody, createProductBody, createSubSupplierBody } from './schemas.js';
import type { FactoryStanding } from '../suppliers/index.js';
import { refuseBeyondQuota } from './store.js';

interface FormDependencies {
  readonly eventStore: EventStore;
  readonly database: Database;
  readonly baseUrl: string;
}

/** What became of a form of the catalogue's pages. */
export interface FormOutcome {
  readonly kind: CatalogueKind;
  /** The entry whose form it was; null for the form that adds one. */
  readonly id: string | null;
  readonly done: 'saved' | 'removed';
  readonly typed: Readonly<Record<string, string>>;
  /** Paths of the fields that were refused, and `taken`, `full` or `quota`; nothing was done then. */
  readonly refused: readonly string[];
}

const REMOVERS: Readonly<Record<CatalogueKind, EntryHandlers<unknown, never, never>['remove']>> = {
  products: productEntries.remove,
  facilities: facilityEntries.remove,
  subSuppliers: subSupplierEntries.remove,
  certificates: certificateEntries.remove,
};

/** Adds, changes or removes what the form says, by the same rules as the API. */
export async function takeEntry(
  deps: FormDependencies,
  context: CommandContext,
  form: Upload & FactoryStanding & { readonly kinds: readonly CatalogueKind[] },
): Promise<FormOutcome> {
  const { factoryId, fields } = form;
  const kind = CATALOGUE_KINDS.find((one) => one === fields['kind'] && form.kinds.includes(one));
  if (kind === undefined) throw notFound('kind of entry', fields['kind'] ?? '');
  const id = fields['id'] ?? null;
  if (fields['action'] === 'remove') {
    await REMOVERS[kind](deps, context, { factoryId, id: id ?? '' });
    return { kind, id: null, done: 'removed', typed: {}, refused: [] };
  }
  const typed = typedIn(fields, kind);
  const refused = await save(deps, context, { ...form, kind, id, typed }).catch(refusedFields);
  return { kind, id, done: 'saved', typed, refused };
}

/** A rule that needs the rest of the catalogue is told at the form, too. */
function refusedFields(error: unknown): readonly string[] {
  if (error instanceof Refusal && error.code === 'certificate_exists') return ['number', 'taken'];
  if (error instanceof Refusal && error.code === 'catalogue_full') return ['full'];
  if (error instanceof Refusal && error.code === 'catalogue_used_up') return ['used_up'];
  if (error instanceof Refusal && error.code === 'file_quota') return ['quota'];
  throw error;
}

/** Answers the paths of the fields that were refused. */
async function save(
  deps: FormDependencies,
  context: CommandContext,
  order: Pick<Upload, 'file' | 'isTooLarge'> &
    FactoryStanding & {
      readonly kind: CatalogueKind;
      readonly id: string | null;
      readonly typed: Readonly<Record<string, string>>;
    },
): Promise<readonly string[]> {
  const { factoryId, kind, id, typed } = order;
  // A form without a file sends an empty one.
  const file = order.file?.sizeBytes === 0 ? null : order.file;
  const text = (path: string): string | null => typed[path] || null;
  const put = async <Item, Create, Change>(
    entries: EntryHandlers<Item, Create, Change>,
    body: Create & Change,
  ): Promise<Item> =>
    id === null
      ? (await entries.create(deps, context, factoryId, body)).item
      : entries.change(deps, context, { factoryId, id }, body);
  switch (kind) {
    case 'products': {
      const rows = Array.from({ length: MAX_MATERIALS }, (_, index) => `materials.${index}`).filter(
        (row) => typed[`${row}.materialType`] || typed[`${row}.percentage`],
      );
      const materials = rows.map((row) => ({
        materialType: typed[`${row}.materialType`] ?? '',
        percentage: Number((typed[`${row}.percentage`] ?? '').replace(',', '.') || NaN),
        originCountry: text(`${row}.originCountry`),
      }));
      const fields = { name: typed['name'], productType: typed['productType'] || 'other', materials };
      const body = createProductBody.safeParse(fields);
      if (!body.success) return refusedIn(body.error, rows);
      await put(productEntries, { ...body.data, productType: body.data.productType ?? 'other' });
      return [];
    }
    case 'facilities': {
      const activities = (typed['activities'] ?? '').split('\n').filter((one) => one.trim() !== '');
      const fields = { name: typed['name'], address: text('address'), country: text('country'), activities };
      const body = createFacilityBody.safeParse(fields);
      if (!body.success) return refusedIn(body.error);
      await put(facilityEntries, body.data);
      return [];
    }
    case 'subSuppliers': {
      const body = createSubSupplierBody.safeParse({
        ...{ name: typed['name'], country: text('country'), contactEmail: text('contactEmail') },
        tier: Number(typed['tier'] || 2),
      });
      if (!body.success) return refusedIn(body.error);
      await put(subSupplierEntries, { ...body.data, tier: body.data.tier ?? 2 });
      return [];
    }
    case 'certificates': {
      const quotaBytes = quotaOf(order);
      const body = createCertificateBody.safeParse({
        ...{ type: typed['type'], number: typed['number'], issuer: text('issuer') },
        ...{ validFrom: text('validFrom'), validUntil: text('validUntil') },
      });
      const refused = body.success ? [] : refusedIn(body.error);
      // Before anything is done: the certificate is not saved without its copy.
      if (order.isTooLarge || (file !== null && (await mediaTypeOf(file.path)) === null)) return [...refused, 'file'];
      if (!body.success) return refused;
      if (file !== null) {
        const { sha256, sizeBytes: bytes } = file;
        await refuseBeyondQuota(deps.database, { factoryId, certificateId: id, sha256, bytes, quotaBytes });
      }
      const { id: certificateId } = await put(certificateEntries, body.data);
      if (file !== null) await attachFile(deps, context, { factoryId, certificateId, received: file, quotaBytes });
      return [];
    }
  }
}

/** `activities.0` is a fault of the field `activities`; materials have a field for each part, in the row in which it stands. */
const refusedIn = (error: z.ZodError, rows: readonly string[] = []): readonly string[] =>
  error.issues.map(({ path: [head, index, ...rest] }) => {
    if (head === 'activities') return 'activities';
    const row = head === 'materials' && typeof index === 'number' ? rows[index] : undefined;
    return row === undefined ? String(head) : [row, ...rest].join('.');
  });

function typedIn(fields: Readonly<Record<string, string>>, kind: CatalogueKind): Record<string, string> {
  const own = Object.entries(fields).filter(([name]) => name.startsWith(`${kind}.`));
  return Object.fromEntries(
    own.map(([name, value]) => [name.slice(kind.length + 1), value.replaceAll('\r\n', '\n').trim()]),
  );
}

/** The sections of a page; what was typed into the form that was refused, or the entry that is to be changed. */
export function sectionsOf(
  catalogue: Catalogue,
  kinds: readonly CatalogueKind[],
  open: { readonly outcome: FormOutcome | null; readonly editing: string | null },
): readonly CatalogueSectionView[] {
  const entries = {
    products: catalogue.products.map(({ id, name, productType, materials }) => ({
      ...{ id, title: name, productType, materials, details: [] },
      fields: { name, productType, ...Object.fromEntries(materials.flatMap(materialFields)) },
    })),
    facilities: catalogue.facilities.map(({ id, name, address, country, activities }) => ({
      ...{ id, title: name, country },
      details: [...(address === null ? [] : [address]), ...activities],
      fields: { name, address, country, activities: activities.join('\n') },
    })),
    subSuppliers: catalogue.subSuppliers.map(({ id, name, country, tier, contactEmail }) => ({
      ...{ id, title: name, country, tier },
      details: contactEmail === null ? [] : [contactEmail],
      fields: { name, country, tier: String(tier), contactEmail },
    })),
    certificates: catalogue.certificates.map(({ id, type, number, issuer, validFrom, validUntil, fileUrl }) => ({
      ...{ id, title: `${type} ${number}`, validUntil, fileHref: fileUrl },
      details: issuer === null ? [] : [issuer],
      fields: { type, number, issuer, validFrom, validUntil },
    })),
  } satisfies Record<CatalogueKind, readonly (EntryView & { readonly fields: Fields })[]>;
  return kinds.map((kind) => {
    const listed: readonly (EntryView & { readonly fields: Fields })[] = entries[kind];
    const outcome = open.outcome?.kind === kind ? open.outcome : null;
    const edited = listed.find(({ id }) => id === (outcome === null ? open.editing : outcome.id));
    return {
      ...{ kind, entries: listed, editing: edited?.id ?? null },
      typed: outcome?.typed ?? withoutNulls(edited?.fields ?? {}),
      refused: outcome?.refused ?? [],
    };
  });
}

/** What an entry's form shows, by the names of its fields. */
type Fields = Readonly<Record<string, string | null>>;

const materialFields = (
  material: Catalogue['products'][number]['materials'][number],
  index: number,
): (readonly [string, string | null])[] => [
  [`materials.${index}.materialType`, material.materialType],
  [`materials.${index}.percentage`, String(material.percentage)],
  [`materials.${index}.originCountry`, material.originCountry],
];

const withoutNulls = (fields: Fields): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? '']));
