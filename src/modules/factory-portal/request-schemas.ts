import { z } from 'zod';
import { FABRIC_PROCESSES, FUELS, type CertificateData, type ProductionData } from '../../core/production-data.js';
import { proposal } from '../../http/proposal-schemas.js';
import { day, freeText, id, line, listOf, name, quantity, tier, timestamp } from '../../http/schemas.js';
import { batchState, countryCode, materialType, requestState, supplierRole } from '../../http/vocabulary.js';

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

/** Data as stored: they were checked when they came in. */
const storedData = z.record(z.string(), z.unknown());

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
