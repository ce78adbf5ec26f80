import { z } from 'zod';
import { SCORE_FLAGS } from '../../score/flags.js';
import { freeText, id, line, listOf, mailedName, pageQuery, quantity, tier, timestamp } from '../../http/schemas.js';
import { batchState, requestState } from '../../http/vocabulary.js';

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
