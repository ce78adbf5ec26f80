import type { PassportEvent, PassportVersion } from '../../src/modules/passports/events.js';
import { insert, patch, projection, table } from '../projection.js';

export const passports = table({
  name: 'passports',
  key: ['id'],
  columns: {
    id: 'text',
    organization_id: 'text',
    batch_id: 'text',
    product_id: 'text',
    gtin: 'text',
    gtin14: 'text',
    serial: 'text',
    qr_url: 'text',
    published_at: 'bigint',
    updated_at: 'bigint',
    version: 'integer',
    co2_per_unit: 'double precision',
    preliminary: 'boolean',
  },
  counted: { table: 'products', column: 'passport_count', by: 'product_id' },
});

const co2PerUnit = ({ content }: PassportVersion): number | null => content.pefcr?.climate_change_per_unit ?? null;

export const passportsProjection = projection<PassportEvent>({
  PassportPublished: ({ data }) => [
    insert(passports, {
      id: data.dppId,
      organization_id: data.organizationId,
      batch_id: data.batchId,
      product_id: data.productId,
      gtin: data.gtin,
      gtin14: data.gtin.padStart(14, '0'),
      serial: data.serial,
      qr_url: data.qrUrl,
      published_at: data.publishedAt,
      updated_at: data.publishedAt,
      version: data.version,
      co2_per_unit: co2PerUnit(data),
      preliminary: data.preliminary,
    }),
  ],
  PassportRepublished: ({ data }) => [
    patch(
      passports,
      { id: data.dppId },
      { version: data.version, updated_at: data.publishedAt, co2_per_unit: co2PerUnit(data) },
    ),
  ],
});
