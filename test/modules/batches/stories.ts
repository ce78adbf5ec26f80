import type { Score } from '../../../src/modules/batches/decider.js';
import type { BatchEvent, DppRequest } from '../../../src/modules/batches/events.js';

/** Events of one batch, as the tests tell its story. */
export const batchId = 'bat_1';
export const organizationId = 'org_1';

export const score = (perUnit: number | null): Score => ({
  pefcr: {
    climate_change_total: perUnit === null ? null : perUnit * 100,
    climate_change_per_unit: perUnit,
    breakdown: { raw_materials: perUnit, manufacturing: 0, distribution: 0, use: 0, end_of_life: 0 },
    data_quality: {
      ...{ dqr: 2, level: 'very_good', ter: 2, ger: 2, tir: 2, p: 2, primary_share_pct: 10, coverage_pct: 81 },
      ...{ flags: [], submitted: [], assumed: [] },
    },
    vs_average_pct: 0,
  },
  methodVersion: 'test-1',
  factorSetHash: 'f'.repeat(64),
});

export const tier1: DppRequest = {
  requestId: 'req_1',
  supplierId: 'sup_1',
  role: 'factory',
  factoryName: 'Knitters',
  tier: 1,
};
export const spinner: DppRequest = {
  requestId: 'req_2',
  supplierId: 'sup_2',
  role: 'sub_supplier',
  factoryName: 'Spinners',
  tier: 3,
};
export const passport = {
  dppId: 'dpp_1',
  gtin: '2000000000015',
  serial: '7K3MPQ9RSTUV',
  qrUrl: 'http://localhost/p/2000000000015/7K3MPQ9RSTUV',
  publishedAt: 9_000,
};

const batch = {
  ...{ batchId, organizationId, productId: 'prd_1', productName: 'Tee', productSku: 'T-1' },
  ...{ factoryId: 'sup_1', factoryName: 'Knitters', poReference: 'PO-1', quantity: 100, unit: 'piece' },
  preliminary: false,
};

export const created: BatchEvent = { type: 'BatchCreated', data: batch };

export const preliminary: BatchEvent = {
  type: 'BatchCreated',
  data: { ...batch, factoryId: null, factoryName: null, poReference: 'IMPORT', quantity: 1, preliminary: true },
};

export const requestSent = (
  callId: string,
  requests: readonly DppRequest[],
  reminded: readonly { requestId: string; supplierId: string }[] = [],
  notes: string | null = null,
): BatchEvent => ({
  type: 'DppRequestSent',
  data: { batchId, organizationId, callId, askedAt: 1_000, notes, requests, reminded },
});

export const submitted = (callId: string, request: DppRequest, data = { yarnNm: 40 }): BatchEvent => ({
  type: 'ProductionDataSubmitted',
  data: {
    ...{ batchId, callId, requestId: request.requestId, supplierId: request.supplierId, role: request.role },
    ...{ data, submittedAt: 2_000 },
  },
});

export const scored = (perUnit: number | null): BatchEvent => ({
  type: 'BatchScored',
  data: { batchId, ...score(perUnit) },
});

export const changesRequested = (callId: string, notes: string): BatchEvent => ({
  type: 'ChangesRequested',
  data: { batchId, requestId: 'req_1', supplierId: 'sup_1', callId, askedAt: 3_000, notes },
});

export const published: BatchEvent = { type: 'BatchPublished', data: { batchId, organizationId, ...passport } };

export const withdrawn: BatchEvent = { type: 'BatchWithdrawn', data: { batchId, organizationId, productId: 'prd_1' } };

export const emailed = (mail: 'request' | 'changes_requested' | 'reminder_1', round: number): BatchEvent => ({
  type: 'RequestEmailed',
  data: { batchId, requestId: 'req_1', mail, round, sentAt: 1_500 },
});

export const bounced = (mail: 'request' | 'reminder_1', round: number): BatchEvent => ({
  type: 'RequestEmailFailed',
  data: { batchId, requestId: 'req_1', mail, round, reason: 'the mail server answered 550' },
});

export const inReview = [created, requestSent('call-1', [tier1, spinner]), submitted('call-2', tier1), scored(3)];
