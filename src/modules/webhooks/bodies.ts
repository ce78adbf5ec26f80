import type { BatchCreated, DppRequest } from '../batches/index.js';
import type { PassportContent, PassportIdentity } from '../passports/index.js';
import type { DeliverableName } from './events.js';

/** What each event tells its receivers. */
export interface WebhookData {
  readonly 'batch.created': BatchData;
  readonly 'batch.submitted': BatchData & { readonly climateChangePerUnit: number | null };
  readonly 'dpp.published': {
    readonly dppId: string;
    readonly batchId: string;
    readonly productName: string;
    readonly qrUrl: string;
  };
  readonly 'request.sent': {
    readonly requestId: string;
    readonly batchId: string;
    readonly supplierId: string;
    readonly factoryName: string;
    readonly tier: number;
  };
  readonly 'certificate.expiring': {
    readonly certificateId: string;
    readonly supplierId: string;
    readonly factoryName: string;
    readonly type: string;
    readonly number: string;
    /** `YYYY-MM-DD` */
    readonly validUntil: string;
  };
  readonly 'webhook.test': { readonly webhookId: string };
}

interface BatchData {
  readonly batchId: string;
  readonly productId: string;
  readonly productName: string;
  readonly productSku: string | null;
  readonly factoryId: string | null;
  readonly factoryName: string | null;
  readonly poReference: string | null;
  readonly quantity: number;
  readonly unit: string;
  readonly state: 'draft' | 'submitted' | 'published';
}

/** The text that is sent; its UTF-8 bytes are what is signed. */
export const webhookBody = <Name extends DeliverableName>(
  event: Name,
  timestampMs: number,
  data: WebhookData[Name],
): string => JSON.stringify({ event, timestamp: new Date(timestampMs).toISOString(), data });

/** A preliminary batch is made to carry a passport: it is published from the start. */
export const batchCreatedData = (batch: BatchCreated): WebhookData['batch.created'] =>
  batchData(batch, batch.preliminary ? 'published' : 'draft');

export const batchSubmittedData = (
  batch: BatchCreated,
  climateChangePerUnit: number | null,
): WebhookData['batch.submitted'] => ({ ...batchData(batch, 'submitted'), climateChangePerUnit });

export const dppPublishedData = (
  { dppId, batchId, qrUrl }: Pick<PassportIdentity, 'dppId' | 'batchId' | 'qrUrl'>,
  { productName }: Pick<PassportContent, 'productName'>,
): WebhookData['dpp.published'] => ({ dppId, batchId, productName, qrUrl });

export const requestSentData = (
  batchId: string,
  { requestId, supplierId, factoryName, tier }: DppRequest,
): WebhookData['request.sent'] => ({ requestId, batchId, supplierId, factoryName, tier });

export const certificateExpiringData = ({
  certificateId,
  supplierId,
  factoryName,
  type,
  number,
  validUntil,
}: WebhookData['certificate.expiring']): WebhookData['certificate.expiring'] => ({
  certificateId,
  supplierId,
  factoryName,
  type,
  number,
  validUntil,
});

const batchData = (batch: BatchCreated, state: BatchData['state']): BatchData => ({
  batchId: batch.batchId,
  productId: batch.productId,
  productName: batch.productName,
  productSku: batch.productSku,
  factoryId: batch.factoryId,
  factoryName: batch.factoryName,
  poReference: batch.poReference,
  quantity: batch.quantity,
  unit: batch.unit,
  state,
});
