import { categoryName } from '../names/categories.js';
import { materialName } from '../names/materials.js';
import type { CertificateView, ConsumerPageView, MaterialView } from '../views.js';
import { certificateState, type CertificateState } from './certificate-state.js';
import { httpLink } from './part.js';
import { CONSUMER_TEXTS } from '../texts/index.js';

type Json = string | number | boolean | readonly Json[] | { readonly [key: string]: Json };

/** The facts of the consumer page in the words of schema.org, in English; answered as `application/ld+json`. */
export function consumerJsonLd(view: ConsumerPageView): { readonly [key: string]: Json } {
  const { content, version } = view;
  const madeIn = content.countryOfManufacture ?? content.countries.making ?? content.factoryCountry;
  const shop = httpLink(content.ecommerceUrl);
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    '@id': view.qrUrl,
    name: content.productName,
    brand: { '@type': 'Brand', name: content.brandName },
    gtin: view.gtin,
    identifier: [property('dppId', view.dppId), property('serial', view.serial)],
    ...given('sku', content.sku),
    category: categoryName(content.subcategory ?? content.categoryId, 'en'),
    ...given('url', shop),
    ...(madeIn === null ? {} : { countryOfOrigin: country(madeIn) }),
    ...given('productionDate', content.productionDate),
    ...(content.weightKg === null
      ? {}
      : { weight: { '@type': 'QuantitativeValue', value: content.weightKg, unitCode: 'KGM' } }),
    material: content.materials.map(material),
    hasCertification: content.certificates.map((certificate) => certification(certificate, view.asOfDay)),
    additionalProperty: [
      property('gtinGenerated', view.gtinGenerated),
      property('preliminary', view.preliminary),
      property('weightEstimated', content.weightEstimated),
      ...Object.entries(content.countries).flatMap(([step, code]) => optional(`countries.${step}`, code)),
      ...optional('careInstructions', content.careInstructions),
      ...optional('expectedLifespan', content.expectedLifespan),
      ...optional('recyclable', content.recyclable),
      ...optional('recyclingInstructions', content.recyclingInstructions),
      ...footprint(view),
    ],
    subjectOf: view.versions.map((one) => ({
      '@type': 'DigitalDocument',
      url: `${view.qrUrl}?v=${one.version}`,
      version: one.version,
      datePublished: new Date(one.publishedAt).toISOString(),
      identifier: property('sha256', one.contentHash),
    })),
    mainEntityOfPage: {
      '@type': 'WebPage',
      url: `${view.qrUrl}?v=${version.version}`,
      version: version.version,
      datePublished: new Date(version.publishedAt).toISOString(),
      identifier: property('sha256', version.contentHash),
    },
  };
}

function footprint({ content }: ConsumerPageView): Json[] {
  const score = content.pefcr;
  if (score === null) return [];
  const kilograms = (propertyID: string, value: number | null): Json[] =>
    value === null ? [] : [{ ...property(propertyID, value), unitText: 'kg CO2e per unit' }];
  return [
    ...kilograms('climate_change_per_unit', score.climate_change_per_unit),
    ...Object.entries(score.breakdown ?? {}).flatMap(([stage, kg]) => kilograms(`breakdown.${stage}`, kg)),
    ...optional('vs_average_pct', score.vs_average_pct),
    ...optional('data_quality.level', score.data_quality.level),
    ...optional('data_quality.dqr', score.data_quality.dqr),
    ...optional('data_quality.primary_share_pct', score.data_quality.primary_share_pct),
    property('data_quality.flags', score.data_quality.flags.join(' ')),
    property('footprintDisclaimer', Object.values(CONSUMER_TEXTS.en.meansList).join(' ')),
    ...optional('methodVersion', content.methodVersion),
    ...optional('factorSetHash', content.factorSetHash),
  ];
}

const material = ({ materialType, percentage, originCountry }: MaterialView): Json => ({
  '@type': 'Product',
  name: materialName(materialType, 'en'),
  identifier: materialType,
  ...(originCountry === null ? {} : { countryOfOrigin: country(originCountry) }),
  additionalProperty: { ...property('percentage', percentage), unitCode: 'P1' },
});

const certification = (certificate: CertificateView, day: string): Json => ({
  '@type': 'Certification',
  name: certificate.type,
  ...given('certificationIdentification', certificate.number),
  ...(certificate.issuer === null ? {} : { issuedBy: { '@type': 'Organization', name: certificate.issuer } }),
  ...given('validFrom', certificate.validFrom),
  ...given('expires', certificate.validUntil),
  ...given('certificationStatus', status(certificateState(certificate, day))),
});

/** The words of schema.org; nothing is said of a certificate whose dates are not known. */
function status(state: CertificateState | null): string | null {
  if (state === null) return null;
  return state === 'valid' || state === 'expires_soon' ? 'CertificationActive' : 'CertificationInactive';
}

const country = (code: string): Json => ({ '@type': 'Country', identifier: code });

const property = (propertyID: string, value: string | number | boolean): { readonly [key: string]: Json } => ({
  '@type': 'PropertyValue',
  propertyID,
  value,
});

const optional = (propertyID: string, value: string | number | boolean | null): Json[] =>
  value === null ? [] : [property(propertyID, value)];

const given = (name: string, value: string | null): { readonly [key: string]: Json } =>
  value === null ? {} : { [name]: value };
