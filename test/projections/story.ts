import type { DomainEvent } from '../../src/core/events.js';
import type { BatchEvent } from '../../src/modules/batches/events.js';
import type { OrganizationEvent } from '../../src/modules/organizations/events.js';
import type { PassportContent, PassportEvent } from '../../src/modules/passports/events.js';
import type { ProductEvent, ProductFields } from '../../src/modules/products/events.js';
import { proposalIdOf, type ProposalEvent } from '../../src/modules/proposals/events.js';
import type { SupplierEvent } from '../../src/modules/suppliers/events.js';
import type { DeliveryEvent, WebhookEvent } from '../../src/modules/webhooks/events.js';

export type AnyEvent =
  | OrganizationEvent
  | ProductEvent
  | SupplierEvent
  | BatchEvent
  | ProposalEvent
  | PassportEvent
  | WebhookEvent
  | DeliveryEvent;

export const productFields = (name: string): ProductFields => ({
  name,
  sku: `SKU-${name}`,
  gtin: null,
  externalId: null,
  categoryId: 'textile_apparel',
  subcategory: 'tshirts',
  weightKg: 0.18,
  weightEstimated: false,
  countryOfManufacture: 'PT',
  ecommerceUrl: 'https://shop.example/"quoted"/\\',
  careInstructions: 'Wash at 30.\nDo not bleach.',
  expectedLifespan: '5 years',
  recyclable: true,
  recyclingInstructions: null,
  materials: [
    { materialType: 'cotton_organic', percentage: 95, originCountry: 'TR', supplierIds: ['sup_2'] },
    { materialType: 'elastane', percentage: 5, originCountry: null, supplierIds: [] },
  ],
});

export const organizationCreated = (organizationId: string, name = organizationId): AnyEvent => ({
  type: 'OrganizationCreated',
  data: { organizationId, name, ownerId: 'usr_1' },
});

export const productCreated = (productId: string, organizationId = 'org_1'): AnyEvent => ({
  type: 'ProductCreated',
  data: { productId, organizationId, ...productFields(productId) },
});

export const supplierInvited = (
  supplierId: string,
  more: { organizationId?: string; factoryId?: string; tier?: number } = {},
): AnyEvent => ({
  type: 'SupplierInvited',
  data: {
    supplierId,
    organizationId: more.organizationId ?? 'org_1',
    factoryId: more.factoryId ?? `fac_of_${supplierId}`,
    factoryName: `Factory ${supplierId}`,
    country: 'PT',
    tier: more.tier ?? 1,
    notes: null,
    callId: `call_of_${supplierId}`,
  },
});

export const batchCreated = (
  batchId: string,
  more: { organizationId?: string; productId?: string; factoryId?: string | null } = {},
): AnyEvent => ({
  type: 'BatchCreated',
  data: {
    batchId,
    organizationId: more.organizationId ?? 'org_1',
    productId: more.productId ?? 'prd_1',
    productName: 'as it was then',
    productSku: null,
    factoryId: more.factoryId === undefined ? 'sup_1' : more.factoryId,
    factoryName: null,
    poReference: 'PO-1',
    quantity: 1_000,
    unit: 'piece',
    preliminary: false,
  },
});

export const requestSent = (batchId: string, organizationId = 'org_1'): AnyEvent => ({
  type: 'DppRequestSent',
  data: {
    batchId,
    organizationId,
    callId: 'call',
    askedAt: 1,
    notes: null,
    requests: [
      { requestId: `req_1_${batchId}`, supplierId: 'sup_1', role: 'factory', factoryName: 'Factory 1', tier: 1 },
      { requestId: `req_2_${batchId}`, supplierId: 'sup_2', role: 'sub_supplier', factoryName: 'Factory 2', tier: 2 },
    ],
    reminded: [],
  },
});

const proposed = (place: number, materialType: string): AnyEvent => ({
  type: 'SubSupplierProposed',
  data: {
    ...{ proposalId: proposalIdOf('req_1_bat_1', place), requestId: 'req_1_bat_1', organizationId: 'org_1' },
    ...{ batchId: 'bat_1', productId: 'prd_1', productName: 'as it was then', proposedBy: 'sup_1', materialType },
    ...{ name: 'Spinners', factoryId: 'fac_of_sup_2', country: 'PT', tier: 2, proposedAt: 70 + place },
  },
});
const decision = (place: number) => ({
  ...{ proposalId: proposalIdOf('req_1_bat_1', place), organizationId: 'org_1', callId: 'c', decidedAt: 80 + place },
});

export const passportPublished = (
  dppId: string,
  more: { organizationId?: string; productId?: string; batchId?: string; publishedAt?: number } = {},
): AnyEvent => ({
  type: 'PassportPublished',
  data: {
    dppId,
    organizationId: more.organizationId ?? 'org_1',
    batchId: more.batchId ?? 'bat_1',
    productId: more.productId ?? 'prd_1',
    gtin: '4006381333931',
    gtinGenerated: false,
    serial: `S-${dppId}`,
    qrUrl: `https://dpp.example/p/4006381333931/S-${dppId}`,
    preliminary: false,
    version: 1,
    contentHash: '0'.repeat(64),
    publishedAt: more.publishedAt ?? 5_000,
    content: content(1.25),
  },
});

const content = (co2PerUnit: number): PassportContent => ({
  brandName: 'Brand',
  productName: 'Product',
  sku: null,
  categoryId: 'textile_apparel',
  subcategory: null,
  weightKg: 0.18,
  weightEstimated: false,
  countryOfManufacture: null,
  factoryCountry: 'PT',
  materials: [],
  careInstructions: null,
  expectedLifespan: null,
  recyclable: null,
  recyclingInstructions: null,
  ecommerceUrl: null,
  certificates: [],
  quantity: 1_000,
  unit: 'piece',
  productionDate: null,
  countries: { spinning: null, fabric: null, dyeing: null, making: null },
  pefcr: {
    climate_change_total: co2PerUnit * 1_000,
    climate_change_per_unit: co2PerUnit,
    breakdown: { raw_materials: 1, manufacturing: null, distribution: null, use: null, end_of_life: null },
    data_quality: {
      dqr: null,
      level: null,
      ter: null,
      ger: null,
      tir: null,
      p: null,
      primary_share_pct: null,
      coverage_pct: null,
      flags: [],
      submitted: [],
      assumed: [],
    },
    vs_average_pct: null,
  },
  methodVersion: '1',
  factorSetHash: '0'.repeat(64),
});

/** Every event that a read model knows, in an order that can happen, with types among them that none knows. */
export const STORY: readonly (AnyEvent | DomainEvent)[] = [
  organizationCreated('org_1', 'Brand'),
  { type: 'OrganizationPlanChanged', data: { organizationId: 'org_1', plan: 'pro' } },
  supplierInvited('sup_1'),
  supplierInvited('sup_2', { tier: 2 }),
  supplierInvited('sup_3'),
  { type: 'SupplierConfirmed', data: { supplierId: 'sup_1', organizationId: 'org_1', via: 'sign_up' } },
  { type: 'SupplierDeclined', data: { supplierId: 'sup_3', organizationId: 'org_1' } },
  productCreated('prd_1'),
  productCreated('prd_2'),
  { type: 'SomethingNew', data: { of: 'a later version' } },
  batchCreated('bat_1'),
  batchCreated('bat_2', { productId: 'prd_2' }),
  batchCreated('bat_3', { factoryId: null }),
  requestSent('bat_1'),
  requestSent('bat_2'),
  {
    type: 'RequestEmailed',
    data: { batchId: 'bat_1', requestId: 'req_1_bat_1', mail: 'request', round: 0, sentAt: 1 },
  },
  {
    type: 'RequestEmailFailed',
    data: { batchId: 'bat_1', requestId: 'req_2_bat_1', mail: 'request', round: 0, reason: 'refused' },
  },
  { type: 'RequestOpened', data: { batchId: 'bat_1', requestId: 'req_1_bat_1', openedAt: 77 } },
  proposed(1, 'cotton_organic'),
  proposed(2, 'elastane'),
  proposed(3, 'cotton_organic'),
  submitted('bat_1'),
  { type: 'ProposalAccepted', data: { ...decision(1), supplierId: 'sup_2' } },
  { type: 'ProposalDeclined', data: decision(2) },
  {
    type: 'ChangesRequested',
    data: { batchId: 'bat_1', requestId: 'req_1_bat_1', supplierId: 'sup_1', callId: 'c', askedAt: 2, notes: 'again' },
  },
  {
    type: 'SupplierInvitedAgain',
    data: {
      supplierId: 'sup_3',
      organizationId: 'org_1',
      factoryId: 'fac_of_sup_3',
      factoryName: 'New name',
      country: null,
      tier: 3,
      notes: 'please',
    },
  },
  submitted('bat_1'),
  {
    type: 'ProductUpdated',
    data: { productId: 'prd_1', changes: { name: 'New', gtin: '1', materials: [] }, passportCount: 0 },
  },
  { type: 'ProductUpdated', data: { productId: 'prd_1', changes: { sku: null, weightKg: null }, passportCount: 0 } },
  {
    type: 'BatchPublished',
    data: {
      batchId: 'bat_1',
      organizationId: 'org_1',
      dppId: 'dpp_1',
      gtin: '4006381333931',
      serial: 'S-dpp_1',
      qrUrl: '',
      publishedAt: 5_000,
    },
  },
  passportPublished('dpp_1'),
  {
    type: 'PassportRepublished',
    data: {
      dppId: 'dpp_1',
      organizationId: 'org_1',
      version: 2,
      content: content(2.5),
      contentHash: '1'.repeat(64),
      publishedAt: 6_000,
    },
  },
  { type: 'ProductDeleted', data: { productId: 'prd_2', organizationId: 'org_1' } },
  { type: 'BatchWithdrawn', data: { batchId: 'bat_2', organizationId: 'org_1', productId: 'prd_2' } },
  webhookCreated('whk_1'),
  webhookCreated('whk_2'),
  webhookCreated('whk_3'),
  deliveryCreated('dlv_1', 'whk_1', 100),
  deliveryCreated('dlv_2', 'whk_1', 200),
  deliveryCreated('dlv_3', 'whk_1', 300),
  deliveryAttempted('dlv_1', 'whk_1', 1, 60_130),
  deliveryAttempted('dlv_2', 'whk_1', 1, 60_230),
  deliveryAttempted('dlv_1', 'whk_1', 2, null),
  { type: 'DeliveryFailed', data: { deliveryId: 'dlv_1', webhookId: 'whk_1', at: 60_160 } },
  { type: 'DeliverySucceeded', data: { deliveryId: 'dlv_3', webhookId: 'whk_1', at: 330 } },
  { type: 'WebhookSecretRotated', data: { webhookId: 'whk_1', rotatedAt: 400 } },
  {
    type: 'WebhookChanged',
    data: {
      webhookId: 'whk_1',
      changes: { url: 'https://hooks.example/new', events: ['request.sent'], active: false },
    },
  },
  { type: 'DeliveryCancelled', data: { deliveryId: 'dlv_2', webhookId: 'whk_1', at: 500, reason: 'paused' } },
  deliveryCreated('dlv_4', 'whk_1', 600, true),
  {
    type: 'RedeliveryAsked',
    data: { deliveryId: 'dlv_3', webhookId: 'whk_1', redeliveryId: 'again', askedAt: 700 },
  },
  { type: 'WebhookPaused', data: { webhookId: 'whk_2', reason: 'gone' } },
  deliveryCreated('dlv_5', 'whk_3', 800),
  { type: 'WebhookDeleted', data: { webhookId: 'whk_3', organizationId: 'org_1' } },
] satisfies readonly (AnyEvent | DomainEvent)[];

function submitted(batchId: string): AnyEvent {
  return {
    type: 'ProductionDataSubmitted',
    data: {
      batchId,
      callId: 'call',
      requestId: `req_1_${batchId}`,
      supplierId: 'sup_1',
      role: 'factory',
      data: { productWeightKg: 0.2 },
      submittedAt: 90,
    },
  };
}

function webhookCreated(webhookId: string): AnyEvent {
  const events = ['batch.created', 'dpp.published'] as const;
  return {
    type: 'WebhookCreated',
    data: { webhookId, organizationId: 'org_1', url: 'https://hooks.example/a', events },
  };
}

function deliveryCreated(deliveryId: string, webhookId: string, createdAt: number, held = false): AnyEvent {
  return {
    type: 'DeliveryCreated',
    data: {
      ...{ deliveryId, webhookId, organizationId: 'org_1', event: 'dpp.published', sourceEventId: deliveryId },
      ...{ body: '{}', createdAt, held },
    },
  };
}

function deliveryAttempted(
  deliveryId: string,
  webhookId: string,
  attempt: number,
  nextAttemptAt: number | null,
): AnyEvent {
  return {
    type: 'DeliveryAttempted',
    data: {
      ...{ deliveryId, webhookId, attempt, kind: 'scheduled', at: attempt * 1_000, durationMs: 30 },
      ...{ status: 500, error: 'answered 500', answer: 'oops "\\\n', nextAttemptAt },
    },
  };
}
