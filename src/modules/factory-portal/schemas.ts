import { z } from 'zod';
import { catalogueProduct, certificate, facility, productType, subSupplier } from '../../http/catalogue-schemas.js';
import { day, email, id, line, listOf, mailedName, name, text, tier } from '../../http/schemas.js';
import { countryCode, materialType } from '../../http/vocabulary.js';

const catalogueMaterial = z
  .object({
    materialType,
    percentage: z.number().gt(0).max(100),
    originCountry: countryCode.nullish(),
  })
  .meta({ id: 'CatalogueMaterial', description: 'A share of what the factory makes' });

const materials = z.array(catalogueMaterial).max(50).refine(isWhole, 'the percentages of the materials must total 100');

/** Added at six decimals; 100 up to a hundredth. */
function isWhole(composition: readonly { readonly percentage: number }[]): boolean {
  const millionths = composition.reduce((sum, { percentage }) => sum + Math.round(percentage * 1e6), 0);
  return composition.length === 0 || Math.abs(millionths - 100e6) <= 1e4;
}

export const createProductBody = z
  .object({
    name: name(),
    productType: productType.nullish().describe('`other` if there is none'),
    materials: materials.nullish(),
  })
  .meta({
    id: 'CreateCatalogueProduct',
    examples: [
      {
        name: 'Single jersey 160 g',
        productType: 'fabric',
        materials: [{ materialType: 'cotton_organic', percentage: 100, originCountry: 'TR' }],
      },
    ],
  });
/** Any subset: a missing field stays as it is, `null` clears it. */
export const changeProductBody = createProductBody
  .extend({
    name: name().optional(),
    productType: productType.optional(),
  })
  .meta({
    id: 'ChangeCatalogueProduct',
    description: 'Any subset: a missing field stays as it is, `null` clears it',
    examples: [{ productType: 'yarn' }],
  });

export const createFacilityBody = z
  .object({
    name: name(),
    address: text(1_000).nullish(),
    country: countryCode.nullish(),
    activities: z.array(name()).max(50).nullish(),
  })
  .meta({
    id: 'CreateFacility',
    examples: [{ name: 'Dye house 2', address: 'Rua do Rio 12, Braga', country: 'PT', activities: ['dyeing'] }],
  });
export const changeFacilityBody = createFacilityBody
  .extend({ name: name().optional() })
  .meta({ id: 'ChangeFacility', examples: [{ activities: ['dyeing', 'finishing'] }] });

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
  })
  .meta({
    id: 'CreateCertificate',
    examples: [
      { type: 'GOTS', number: 'CU-851234', issuer: 'Control Union', validFrom: '2026-01-01', validUntil: '2027-12-31' },
    ],
  });
export const changeCertificateBody = certificateFields
  .extend({ type: name().optional(), number: name().optional() })
  .meta({ id: 'ChangeCertificate', examples: [{ validUntil: '2028-12-31' }] });

export const createSubSupplierBody = z
  .object({
    name: mailedName(),
    country: countryCode.nullish(),
    tier: tier.nullish().describe('2 if there is none'),
    contactEmail: email.nullish(),
  })
  .meta({
    id: 'CreateSubSupplier',
    examples: [{ name: 'Aegean Cotton', country: 'TR', tier: 3, contactEmail: 'aegean@factories.example' }],
  });
export const changeSubSupplierBody = createSubSupplierBody
  .extend({ name: mailedName().optional(), tier: tier.optional() })
  .meta({ id: 'ChangeSubSupplier', examples: [{ contactEmail: 'office@factories.example' }] });

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
