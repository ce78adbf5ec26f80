import type { DomainEvent } from '../../core/events.js';
import { textsOf } from '../../core/private-texts.js';
import type { ProductionData } from '../../core/production-data.js';
import type { RequestMail, RequestRole } from '../../core/vocabulary.js';
import { streamName } from '../../core/streams.js';

/** Stream `batch-<id>`: the life of one production batch, from draft to published passport. */
export type BatchEvent =
  | DomainEvent<'BatchCreated', BatchCreated>
  /**
   * The brand asked for data. `requests` are the factories asked for the first time by this call; `reminded` are
   * those that had been asked before and have not answered. Their mails follow.
   */
  | DomainEvent<
      'DppRequestSent',
      {
        batchId: string;
        organizationId: string;
        /** The call that asked: the same call sent again is recognised by it. */
        callId: string;
        askedAt: number;
        notes: string | null;
        requests: readonly DppRequest[];
        reminded: readonly { readonly requestId: string; readonly supplierId: string }[];
      }
    >
  /** The mail server took the mail. */
  | DomainEvent<'RequestEmailed', RequestMailKey & { batchId: string; sentAt: number }>
  /** The mail server refused the mail for good. */
  | DomainEvent<'RequestEmailFailed', RequestMailKey & { batchId: string; reason: string }>
  /** The factory looked at its request for the first time. */
  | DomainEvent<'RequestOpened', { batchId: string; requestId: string; openedAt: number }>
  | DomainEvent<'ProductionDataSubmitted', ProductionDataSubmitted>
  /** What the score is with everything submitted so far; `pefcr` as the interface shows it. */
  | DomainEvent<'BatchScored', { batchId: string; pefcr: Pefcr; methodVersion: string; factorSetHash: string }>
  | DomainEvent<
      'ChangesRequested',
      { batchId: string; requestId: string; supplierId: string; callId: string; askedAt: number; notes: string }
    >
  | DomainEvent<'BatchPublished', { batchId: string; organizationId: string } & PublishedPassport>
  /** The product was deleted: the batch leaves every list and its links answer 410. */
  | DomainEvent<'BatchWithdrawn', { batchId: string; organizationId: string; productId: string }>;

/** Names as they were at the time of the fact: subscribers are told what the brand saw. */
export type BatchCreated = {
  readonly batchId: string;
  readonly organizationId: string;
  readonly productId: string;
  readonly productName: string;
  readonly productSku: string | null;
  /** The supplier record of the factory; null for a preliminary passport. */
  readonly factoryId: string | null;
  readonly factoryName: string | null;
  readonly poReference: string | null;
  readonly quantity: number;
  readonly unit: string;
  /** Made by an import or from the product, to carry a passport without a factory's data. */
  readonly preliminary: boolean;
};

export type DppRequest = {
  readonly requestId: string;
  readonly supplierId: string;
  readonly role: RequestRole;
  readonly factoryName: string;
  readonly tier: number;
};

/** Names one mail: `round` is the number of the send-request call for a `brand_reminder`, else how often changes had been asked for. */
export type RequestMailKey = {
  readonly requestId: string;
  readonly mail: RequestMail;
  readonly round: number;
};

/** The Message-ID of a mail. */
export const requestMailId = ({ requestId, mail, round }: RequestMailKey): string => `${requestId}.${mail}.${round}`;

export type ProductionDataSubmitted = {
  readonly batchId: string;
  readonly callId: string;
  readonly requestId: string;
  readonly supplierId: string;
  readonly role: RequestRole;
  readonly data: ProductionData;
  readonly submittedAt: number;
};

export type PublishedPassport = {
  readonly dppId: string;
  readonly gtin: string;
  readonly serial: string;
  readonly qrUrl: string;
  readonly publishedAt: number;
};

export type Pefcr = {
  readonly climate_change_total: number | null;
  readonly climate_change_per_unit: number | null;
  readonly breakdown: {
    readonly raw_materials: number | null;
    readonly manufacturing: number | null;
    readonly distribution: number | null;
    readonly use: number | null;
    readonly end_of_life: number | null;
  };
  readonly data_quality: {
    readonly dqr: number | null;
    readonly level: string | null;
    readonly ter: number | null;
    readonly ger: number | null;
    readonly tir: number | null;
    readonly p: number | null;
    readonly primary_share_pct: number | null;
    readonly coverage_pct: number | null;
    readonly flags: readonly string[];
    readonly submitted: readonly string[];
    readonly assumed: readonly string[];
  };
  readonly vs_average_pct: number | null;
};

/** What is written to a factory, or by it, goes with the organization and with the factory's contact. */
export const BATCH_TEXTS = textsOf<BatchEvent>()
  .private({
    DppRequestSent: {
      notes: ({ requests, reminded }, organizationId) => [
        organizationId,
        ...[...requests, ...reminded].map(({ supplierId }) => supplierId),
      ],
    },
    RequestEmailFailed: { reason: (_data, organizationId) => [organizationId] },
    ChangesRequested: { notes: ({ supplierId }, organizationId) => [organizationId, supplierId] },
    ProductionDataSubmitted: { 'data.notes': ({ supplierId }, organizationId) => [organizationId, supplierId] },
  })
  .open(
    'productName',
    'productSku',
    'factoryName',
    'poReference',
    'unit',
    'productionDate',
    'spinning',
    'fabric',
    'dyeing',
    'making',
    'type',
    'number',
    'issuer',
    'validFrom',
    'validUntil',
    'level',
    'flags',
    'submitted',
    'assumed',
    'methodVersion',
    'factorSetHash',
    'gtin',
    'serial',
    'qrUrl',
  );

export const batchStream = (batchId: string): string => streamName('batch', batchId);
