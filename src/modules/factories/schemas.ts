import { z } from 'zod';
import { catalogueProduct, certificate, facility, PRODUCT_TYPES, subSupplier } from '../../http/catalogue-schemas.js';
import { countryCode, day, email, id, line, listOf, name, text } from '../../http/schemas.js';
import { findMaterial } from '../../reference-data/materials.js';

const material = z.object({
  materialType: line(100)
    .refine((type) => findMaterial(type) !== null, 'must be a known material id, such as `cotton_organic`')
    .describe('Canonical material id'),
  percentage: z.number().gt(0).max(100),
  originCountry: countryCode.nullish(),
});

const materials = z.array(material).max(50).refine(isWhole, 'the percentages of the materials must total 100');

/** Added at six decimals; 100 up to a hundredth. */
function isWhole(composition: readonly { readonly percentage: number }[]): boolean {
  const millionths = composition.reduce((sum, { percentage }) => sum + Math.round(percentage * 1e6), 0);
  return composition.length === 0 || Math.abs(millionths - 100e6) <= 1e4;
}

const productType = z.enum(PRODUCT_TYPES);

export const createProductBody = z.object({
  name: name(),
  productType: productType.nullish().describe('`other` if there is none'),
  materials: materials.nullish(),
});
/** Any subset: a missing field stays as it is, `null` clears it. */
export const changeProductBody = createProductBody.extend({
  name: name().optional(),
  productType: productType.optional(),
});

export const createFacilityBody = z.object({
  name: name(),
  address: text(1_000).nullish(),
  country: countryCode.nullish(),
  activities: z.array(name()).max(50).nullish(),
});
export const changeFacilityBody = createFacilityBody.extend({ name: name().optional() });

const certificateFields = z.object({
  issuer: line(200).trim().nullish(),
  validFrom: day.nullish(),
  validUntil: day.nullish().describe('The last day, in UTC, on which it is valid'),
});
export const createCertificateBody = certificateFields
  .extend({ type: name(), number: name() })
  .refine(({ validFrom, validUntil }) => validFrom == null || validUntil == null || validFrom <= validUntil, {
    path: ['validUntil'],
    message: 'must not be before validFrom',
  });
export const changeCertificateBody = certificateFields.extend({ type: name().optional(), number: name().optional() });

const tier = z.int().min(1).max(9);

export const createSubSupplierBody = z.object({
  name: name(),
  country: countryCode.nullish(),
  tier: tier.nullish().describe('2 if there is none'),
  contactEmail: email.nullish(),
});
export const changeSubSupplierBody = createSubSupplierBody.extend({ name: name().optional(), tier: tier.optional() });

export const productParams = z.object({ id: id('cpr') });
export const facilityParams = z.object({ id: id('fcl') });
export const certificateParams = z.object({ id: id('cer') });
export const subSupplierParams = z.object({ id: id('sub') });

export const productList = listOf(catalogueProduct);
export const facilityList = listOf(facility);
export const certificateList = listOf(certificate);
export const subSupplierList = listOf(subSupplier);

export type CreateProductBody = z.output<typeof createProductBody>;
export type ChangeProductBody = z.output<typeof changeProductBody>;
export type CreateFacilityBody = z.output<typeof createFacilityBody>;
export type ChangeFacilityBody = z.output<typeof changeFacilityBody>;
export type CreateCertificateBody = z.output<typeof createCertificateBody>;
export type ChangeCertificateBody = z.output<typeof changeCertificateBody>;
export type CreateSubSupplierBody = z.output<typeof createSubSupplierBody>;
export type ChangeSubSupplierBody = z.output<typeof changeSubSupplierBody>;
