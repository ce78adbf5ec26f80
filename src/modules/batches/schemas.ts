import { z } from 'zod';
import { FABRIC_PROCESSES, FUELS, type CertificateData, type ProductionData } from '../../core/production-data.js';
import { SCORE_FLAGS } from '../../score/flags.js';
import { proposal } from '../../http/proposal-schemas.js';
import {
  day,
  freeText,
  id,
  line,
  listOf,
  mailedName,
  name,
  pageQuery,
  quantity,
  tier,
  timestamp,
} from '../../http/schemas.js';
import { batchState, countryCode, materialType, requestState, supplierRole } from '../../http/vocabulary.js';

export const batchParams = z.object({ id: id('bat') });

export const batchQuery = pageQuery.extend({ productId: id('prd').optional(), state: batchState.optional() });

export const createBatchBody = z
  .object({
    productId: id('prd'),
    factoryId: id('sup').describe('A supplier of tier 1'),
    poReference: line(200).trim().nullish(),
    quantity,
    unit: mailedName(50).nullish().describe('`piece` if there is none'),
  })
  .meta({
    id: 'CreateBatch',
    examples: [
      {
        productId: 'prd_019abf5e-8c3a-7d41-9b52-3f6a0c1d2e4f',
        factoryId: 'sup_019abf5e-8c3a-7d41-9b52-3f6a0c1d2e4f',
        poReference: 'PO-2026-118',
        quantity: 500,
        unit: 'piece',
      },
    ],
  });

/** The call may come without a body. */
export const sendRequestBody = z
  .object({ notes: freeText.nullish() })
  .meta({ id: 'SendRequest', examples: [{ notes: 'Please answer by Friday.' }] })
  .nullish();

export const requestChangesBody = z
  .object({
    notes: freeText.refine((notes) => notes.trim() !== '', 'must say what to change'),
  })
  .meta({ id: 'RequestChanges', examples: [{ notes: 'Please check the cutting loss: 60 % seems too much.' }] });

const certificate = z.object({
  type: name(),
  number: name(),
  issuer: line(200).trim().nullish(),
  validFrom: day.nullish(),
  validUntil: day.nullish(),
});

/** An amount of energy, up to far more than any dye house uses. */
const energy = z.number().min(0).max(1e9);

const fabricProcess = z.enum(FABRIC_PROCESSES).meta({ id: 'FabricProcess', description: 'How the fabric is made' });
const fuel = z.enum(FUELS).meta({ id: 'Fuel', description: 'What heats the dye house' });

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
  fabricProcess: fabricProcess.nullish(),
  yarnNm: z.number().min(1).max(500).nullish(),
  cuttingLossPct: z.number().min(0).lt(100).nullish(),
  makingElectricityKwh: energy.nullish().describe('For the whole batch'),
  dyeing: z
    .object({
      electricityKwhPerKg: energy.nullish(),
      heatMjPerKg: energy.nullish(),
      fuel: fuel.nullish(),
    })
    .nullish(),
  airSharePct: z.number().min(0).max(100).nullish(),
  certificates: z.array(certificate).max(50).nullish(),
  notes: freeText.nullish(),
});

/** What may be kept while somebody is still typing: the same rules, and nothing that must be there. */
export const draftBody = figures.meta({
  id: 'ProductionDataDraft',
  description: 'What may be kept while somebody is still typing',
  examples: [{ productWeightKg: 0.18 }],
});

export const productionDataBody = figures.refine(holdsAFigure, 'must hold at least one figure besides the notes').meta({
  id: 'ProductionData',
  description: 'What a factory submits: at least one figure besides the notes',
  examples: [
    {
      productWeightKg: 0.18,
      quantityProduced: 500,
      productionDate: '2026-03-02',
      countries: { spinning: 'TR', fabric: 'PT', dyeing: 'PT', making: 'PT' },
      fabricProcess: 'knitting_circular',
      yarnNm: 40,
      cuttingLossPct: 12,
      makingElectricityKwh: 175,
      dyeing: { electricityKwhPerKg: 1.1, heatMjPerKg: 28, fuel: 'natural_gas' },
      airSharePct: 0,
      certificates: [{ type: 'GOTS', number: 'CU-851234' }],
    },
  ],
});

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

/** Those of a score that is stored: not checked again. */
const scoreFlag = z.string().meta({
  id: 'ScoreFlag',
  enum: Object.keys(SCORE_FLAGS),
  description: Object.entries(SCORE_FLAGS)
    .map(([flag, why]) => `\`${flag}\`: ${why}`)
    .join('\n\n'),
});

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
      flags: z.array(scoreFlag),
      submitted: z.array(z.string()),
      assumed: z.array(z.string()),
    }),
    vs_average_pct: z.number().nullable(),
  })
  .meta({ id: 'Pefcr', description: 'A screening estimate, in kg CO2e' });

/** Data as stored: they were checked when they came in. */
const storedData = z.record(z.string(), z.unknown());

const listed = {
  id: z.string(),
  productName: z.string(),
  productSku: z.string().nullable(),
  factoryName: z.string().nullable(),
  poReference: z.string().nullable(),
  quantity,
  unit: z.string(),
  state: batchState,
  preliminary: z.boolean(),
  createdAt: timestamp,
};

export const batchList = listOf(z.object(listed).meta({ id: 'BatchListItem', description: 'A batch' }));

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
        tier,
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
  .meta({ id: 'Batch', description: 'A batch with its requests, data, score and passport' });

export type BatchDetail = z.output<typeof batchDetail>;

export const publishedBatch = z
  .object({ qrUrl: z.string(), dppId: z.string() })
  .meta({ description: 'The passport, which anybody can read now' });

export const tokenParams = z.object({
  token: line(200)
    .min(1)
    .meta({ description: 'Of the mailed link', examples: ['Yk9uZ2VyIHRoYW4gYW55Ym9keSBndWVzc2Vz'] }),
});

export const factoryRequest = z
  .object({
    id: z.string(),
    state: requestState,
    notes: z.string().nullable(),
    feedback: z.string().nullable(),
    tier,
    factoryName: z.string(),
    brand: z.object({ name: z.string() }),
    product: z.object({
      name: z.string(),
      sku: z.string().nullable(),
      materials: z.array(z.object({ materialType, percentage: z.number(), originCountry: countryCode.nullable() })),
    }),
    batch: z.object({ poReference: z.string().nullable(), quantity, unit: z.string(), state: batchState }),
    draft: storedData.nullable(),
    submitted: storedData.nullable(),
    proposals: z.array(proposal).describe('Suppliers that the factory has named behind materials'),
    known: z.object({
      facilities: z.array(z.object({ id: z.string(), name: z.string(), country: countryCode.nullable() })),
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
  .meta({ id: 'FactoryRequest', description: 'What a brand asks of a factory, and what it has answered' });

export type FactoryRequest = z.output<typeof factoryRequest>;

export const supplierRequestParams = z.object({ id: id('req') });

export const supplierRequestList = listOf(
  z
    .object({
      id: z.string(),
      state: requestState,
      role: supplierRole,
      tier,
      brand: z.object({ name: z.string() }),
      product: z.object({ name: z.string(), sku: z.string().nullable() }),
      batch: z.object({ poReference: z.string().nullable(), quantity, unit: z.string(), state: batchState }),
      createdAt: timestamp,
    })
    .meta({ id: 'SupplierRequestListItem', description: 'What a brand asks of the factory' }),
);
