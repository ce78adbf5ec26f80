import { z } from 'zod';
import { id, line, listOf, quantity, timestamp } from '../../http/schemas.js';

export const passportList = listOf(
  z
    .object({
      id: z.string(),
      gtin: z.string(),
      serial: z.string(),
      qrUrl: z.string(),
      publishedAt: timestamp,
      updatedAt: timestamp,
      version: z.int().min(1),
      preliminary: z.boolean(),
      co2PerUnit: z.number().nullable(),
      batchId: z.string(),
      poReference: z.string().nullable(),
      quantity,
      unit: z.string(),
      productId: z.string(),
      productName: z.string(),
      productSku: z.string().nullable(),
      factoryName: z.string().nullable(),
    })
    .meta({ id: 'Passport', description: 'A published passport' }),
);

export const productIdParams = z.object({ productId: id('prd') });
export const passportParams = z.object({ dppId: id('dpp') });

const MIN_QR_PX = 64;
const MAX_QR_PX = 1024;

export const qrQuery = z.object({
  format: z.enum(['svg', 'png', 'pdf']).default('svg'),
  size: z.coerce
    .number()
    .int()
    .min(MIN_QR_PX)
    .max(MAX_QR_PX)
    .optional()
    .describe('Width in pixels, for svg and png; a pdf is a label of 60 x 40 mm'),
});

export const addressParams = z.object({
  gtin: line(20).meta({ examples: ['04012345000016'] }),
  serial: line(40).meta({ examples: ['2f6a0c1d2e4f'] }),
});

export const pageQuery = z.object({
  v: line(20).optional().describe('Number of the version'),
  at: z.iso
    .datetime({ offset: true, local: true })
    .or(z.iso.date())
    .optional()
    .describe('The version that was shown at this moment (ISO 8601; UTC unless it says otherwise)'),
  lang: line(20).optional().describe('`en`, `de`, `fr`, `it` or `es`; else `Accept-Language` decides'),
});

export type PageQuery = z.output<typeof pageQuery>;

/** Not JSON: an image, a label or a page. */
export const rawAnswer = (description: string) => z.any().describe(description);
