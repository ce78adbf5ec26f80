import { z } from 'zod';
import { FABRIC_PROCESSES, FUELS, type CertificateData, type ProductionData } from '../../core/production-data.js';
import { proposal } from '../../http/proposal-schemas.js';
import { countryCode, day, freeText, id, line, listOf, name, pageQuery, timestamp } from '../../http/schemas.js';

const quantity = z.int().min(1).max(1_000_000_000);
const states = z.enum(['draft', 'sent', 'submitted', 'published']);

export const batchParams = z.object({ id: id('bat') });

export const batchQuery = pageQuery.extend({ productId: id('prd').optional(), state: states.optional() });

export const createBatchBody = z.object({
  productId: id('prd'),
  factoryId: id('sup').describe('A supplier of tier 1'),
  poReference: line(200).trim().nullish(),
  quantity,
  unit: name(50).nullish().describe('`piece` if there is none'),
});

/** The call may come without a body. */
export const sendRequestBody = z.object({ notes: freeText.nullish() }).nullish();

export const requestChangesBody = z.object({
  notes: freeText.refine((notes) => notes.trim() !== '', 'must say what to change'),
});

const certificate = z.object({
  type: name(),
  number: name(),
  issuer: line(200).trim().nullish(),
  validFrom: day.nullish(),
  validUntil: day.nullish(),
});

/** An amount of energy, up to far more than any dye house uses. */
const energy = z.number().min(0).max(1e9);

const figures = z.object({
  productWeightKg: z.number().gt(0).max(1_000).nullish(),
  quantityProduced: quantity.nullish(),
  productionDate: day.nullish(),
  facilityId: line(200).trim().nullish(),
  countries: z
    .object({
      spinning: countryCode.nullish(),
      fabric: countryCode.nullish(),
      dyeing: countryCode.nullish(),
      making: countryCode.nullish(),
    })
    .nullish(),
  fabricProcess: z.enum(FABRIC_PROCESSES).nullish(),
  yarnNm: z.number().min(1).max(500).nullish(),
  cuttingLossPct: z.number().min(0).lt(100).nullish(),
  makingElectricityKwh: energy.nullish().describe('For the whole batch'),
  dyeing: z
    .object({
      electricityKwhPerKg: energy.nullish(),
      heatMjPerKg: energy.nullish(),
      fuel: z.enum(FUELS).nullish(),
    })
    .nullish(),
  airSharePct: z.number().min(0).max(100).nullish(),
  certificates: z.array(certificate).max(50).nullish(),
  notes: freeText.nullish(),
});

/** What may be kept while somebody is still typing: the same rules, and nothing that must be there. */
export const draftBody = figures.meta({ id: 'ProductionDataDraft' });

export const productionDataBody = figures
  .refine(holdsAFigure, 'must hold at least one figure besides the notes')
  .meta({ id: 'ProductionData' });

/** The data as it is kept: a figure without a value is not there, a certificate says of each of its details that it is not known. */
export const productionData = ({ certificates, ...rest }: z.output<typeof figures>): ProductionData => ({
  ...(withoutBlanks(rest) ?? {}),
  ...(certificates == null || certificates.length === 0 ? {} : { certificates: certificates.map(certificateData) }),
});

const certificateData = ({
  issuer,
  validFrom,
  validUntil,
  ...named
}: z.output<typeof certificate>): CertificateData => ({
  ...named,
  issuer: issuer === undefined || issuer === '' ? null : issuer,
  validFrom: validFrom ?? null,
  validUntil: validUntil ?? null,
});

function holdsAFigure({ notes: _notes, ...rest }: z.output<typeof figures>): boolean {
  return withoutBlanks(rest) !== undefined;
}

function withoutBlanks(value: unknown): unknown {
  if (value === null || value === undefined || value === '') return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(withoutBlanks);
  if (typeof value !== 'object') return value;
  const members = Object.entries(value)
    .map(([key, member]) => [key, withoutBlanks(member)] as const)
    .filter(([, member]) => member !== undefined);
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

const requestState = z.enum(['pending', 'emailed', 'opened', 'submitted', 'changes_requested', 'failed']);

const perUnit = z.number().nullable();

export const pefcr = z
  .object({
    climate_change_total: z.number().nullable(),
    climate_change_per_unit: perUnit,
    breakdown: z.object({
      raw_materials: perUnit,
      manufacturing: perUnit,
      distribution: perUnit,
      use: perUnit,
      end_of_life: perUnit,
    }),
    data_quality: z.object({
      dqr: z.number().nullable(),
      level: z.string().nullable(),
      ter: z.number().nullable(),
      ger: z.number().nullable(),
      tir: z.number().nullable(),
      p: z.number().nullable(),
      primary_share_pct: z.number().nullable(),
      coverage_pct: z.number().nullable(),
      flags: z.array(z.string()),
      submitted: z.array(z.string()),
      assumed: z.array(z.string()),
    }),
    vs_average_pct: z.number().nullable(),
  })
  .describe('A screening estimate, in kg CO2e');

/** Data as stored: they were checked when they came in. */
const storedData = z.record(z.string(), z.unknown());

const listed = {
  id: z.string(),
  productName: z.string(),
  productSku: z.string().nullable(),
  factoryName: z.string().nullable(),
  poReference: z.string().nullable(),
  quantity: z.int(),
  unit: z.string(),
  state: states,
  preliminary: z.boolean(),
  createdAt: timestamp,
};

export const batchList = listOf(z.object(listed).meta({ id: 'BatchListItem' }));

export const batchDetail = z
  .object({
    ...listed,
    productId: z.string(),
    factoryId: z.string().nullable(),
    requests: z.array(
      z.object({
        id: z.string(),
        supplierId: z.string(),
        factoryName: z.string(),
        tier: z.int(),
        contactEmail: z.string().nullable(),
        state: requestState,
        notes: z.string().nullable(),
        sentAt: timestamp.nullable(),
        openedAt: timestamp.nullable(),
        submittedAt: timestamp.nullable(),
      }),
    ),
    pefcr: pefcr.optional(),
    dpp: z
      .object({ id: z.string(), gtin: z.string(), serial: z.string(), qrUrl: z.string(), publishedAt: timestamp })
      .optional(),
    dataJson: storedData.optional(),
  })
  .meta({ id: 'Batch' });

export type BatchDetail = z.output<typeof batchDetail>;

export const publishedBatch = z.object({ qrUrl: z.string(), dppId: z.string() });

export const tokenParams = z.object({ token: line(200).min(1) });

export const factoryRequest = z
  .object({
    id: z.string(),
    state: requestState,
    notes: z.string().nullable(),
    feedback: z.string().nullable(),
    tier: z.int(),
    factoryName: z.string(),
    brand: z.object({ name: z.string() }),
    product: z.object({
      name: z.string(),
      sku: z.string().nullable(),
      materials: z.array(
        z.object({ materialType: z.string(), percentage: z.number(), originCountry: z.string().nullable() }),
      ),
    }),
    batch: z.object({ poReference: z.string().nullable(), quantity: z.int(), unit: z.string(), state: states }),
    draft: storedData.nullable(),
    submitted: storedData.nullable(),
    proposals: z.array(proposal).describe('Suppliers that the factory has named behind materials'),
    known: z.object({
      facilities: z.array(z.object({ id: z.string(), name: z.string(), country: z.string().nullable() })),
      certificates: z.array(
        z.object({
          type: z.string(),
          number: z.string().nullable(),
          issuer: z.string().nullable(),
          validFrom: z.string().nullable(),
          validUntil: z.string().nullable(),
        }),
      ),
    }),
  })
  .meta({ id: 'FactoryRequest' });

export type FactoryRequest = z.output<typeof factoryRequest>;

export const supplierRequestParams = z.object({ id: id('req') });

export const supplierRequestList = listOf(
  z
    .object({
      id: z.string(),
      state: requestState,
      role: z.enum(['factory', 'sub_supplier']),
      tier: z.int(),
      brand: z.object({ name: z.string() }),
      product: z.object({ name: z.string(), sku: z.string().nullable() }),
      batch: z.object({ poReference: z.string().nullable(), quantity: z.int(), unit: z.string(), state: states }),
      createdAt: timestamp,
    })
    .meta({ id: 'SupplierRequestListItem' }),
);
