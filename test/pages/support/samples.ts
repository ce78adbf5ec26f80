import type {
  ConsumerPageView,
  FactoryFormView,
  FactoryRequestView,
  PassportContentView,
} from '../../../src/pages/views.js';

const HASHES = [
  '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
];

export const samplePassport = (
  content: Partial<PassportContentView> = {},
  view: Partial<ConsumerPageView> = {},
): ConsumerPageView => ({
  dppId: 'dpp_01936f1e-5b1c-7cc4-9e3b-2f6f1c8a4d10',
  gtin: '04012345678901',
  gtinGenerated: false,
  serial: '7K3MPQ9RSTUV',
  qrUrl: 'https://passport.example.com/p/04012345678901/7K3MPQ9RSTUV',
  preliminary: false,
  version: { version: 2, publishedAt: Date.UTC(2026, 10, 3, 9), contentHash: HASHES[0]! },
  versions: [
    { version: 1, publishedAt: Date.UTC(2026, 8, 14, 9), contentHash: HASHES[1]! },
    { version: 2, publishedAt: Date.UTC(2026, 10, 3, 9), contentHash: HASHES[0]! },
  ],
  asOfDay: '2026-11-21',
  path: '/p/04012345678901/7K3MPQ9RSTUV',
  content: {
    brandName: 'Nordhaven',
    productName: 'Everyday Tee, relaxed fit',
    sku: 'NH-TEE-014',
    categoryId: 'textile_apparel',
    subcategory: 'tshirts',
    weightKg: 0.18,
    weightEstimated: false,
    countryOfManufacture: 'PT',
    factoryCountry: 'PT',
    materials: [
      { materialType: 'cotton_organic', percentage: 95, originCountry: 'TR' },
      { materialType: 'elastane', percentage: 5, originCountry: 'CN' },
    ],
    careInstructions: 'Machine wash at 30 °C with similar colours.\nDo not tumble dry. Iron on medium heat.',
    expectedLifespan: '5 years',
    recyclable: true,
    recyclingInstructions: 'Bring it to a textile collection point or send it back to us.',
    ecommerceUrl: 'https://nordhaven.example/tee',
    certificates: [
      {
        type: 'GOTS',
        number: 'CU 1030457',
        issuer: 'Control Union',
        validFrom: '2026-02-01',
        validUntil: '2027-01-31',
      },
      {
        type: 'OEKO-TEX Standard 100',
        number: '22.HPT.41120',
        issuer: 'Hohenstein',
        validFrom: '2025-12-12',
        validUntil: '2026-12-11',
      },
      { type: 'ISO 14001', number: 'PT-9931', issuer: 'APCER', validFrom: '2023-06-01', validUntil: '2026-05-31' },
    ],
    quantity: 500,
    unit: 'piece',
    productionDate: '2026-09-01',
    countries: { spinning: 'TR', fabric: 'PT', dyeing: 'PT', making: null },
    pefcr: {
      climate_change_per_unit: 3.395,
      breakdown: { raw_materials: 0.678, manufacturing: 1.463, distribution: 0.027, use: 1.017, end_of_life: 0.21 },
      vs_average_pct: -23.7,
      data_quality: {
        dqr: 2.7,
        level: 'good',
        primary_share_pct: 16.85,
        flags: ['screening_estimate', 'uncertain_material', 'sub_supplier_data'],
      },
    },
    methodVersion: '2026-11',
    factorSetHash: 'd2a84f4b8b650937ec8f73cd8be2c74add5a911ba64df27458ed8229da804a26',
    ...content,
  },
  ...view,
});

export const sampleRequest = (request: Partial<FactoryRequestView> = {}): FactoryRequestView => ({
  id: 'req_01936f1e-5b1c-7cc4-9e3b-2f6f1c8a4d11',
  state: 'opened',
  notes: 'Please send the figures by the end of the month.',
  feedback: null,
  tier: 1,
  factoryName: 'Malhas do Ave',
  brand: { name: 'Nordhaven' },
  product: {
    name: 'Everyday Tee, relaxed fit',
    sku: 'NH-TEE-014',
    materials: [
      { materialType: 'cotton_organic', percentage: 95, originCountry: 'TR' },
      { materialType: 'elastane', percentage: 5, originCountry: 'CN' },
    ],
  },
  batch: { poReference: 'PO-2026-0117', quantity: 500, unit: 'piece', state: 'sent' },
  proposals: [],
  draft: null,
  submitted: null,
  known: {
    facilities: [{ id: 'fcl_1', name: 'Guimarães plant', country: 'PT' }],
    certificates: [],
  },
  ...request,
});

export const sampleForm = (
  form: Partial<FactoryFormView> = {},
  request: Partial<FactoryRequestView> = {},
): FactoryFormView => ({
  request: sampleRequest(request),
  action: '/f/3q2-7wAAdGhpcyBpcyBhIHRva2VuIG9mIDMyIGJ5dGVz',
  editable: true,
  canPropose: true,
  typed: null,
  errors: [],
  notice: null,
  ...form,
});

/** A text that would do harm if any page took it for markup. */
export const MARKUP = `"><img src=x onerror=x><script>alert('&')</script>\u202e`;
