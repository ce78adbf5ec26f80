import type { DomainEvent } from '../../core/events.js';
import { deterministicUuid } from '../../core/ids.js';

/**
 * Stream `factory-<id>`: what a factory says of itself. It is the same for every brand that works with it, so these events
 * belong to no organization.
 */
export type FactoryEvent =
  | DomainEvent<'CertificateRecorded', FactoryCertificate>
  /** The certificate as it is now. */
  | DomainEvent<'CertificateChanged', FactoryCertificate>
  | DomainEvent<'CertificateRemoved', { factoryId: string; certificateId: string; removedAt: number }>;

export type FactoryCertificate = {
  readonly certificateId: string;
  readonly factoryId: string;
  readonly type: string;
  readonly number: string;
  readonly issuer: string | null;
  /** `YYYY-MM-DD` */
  readonly validFrom: string | null;
  /** `YYYY-MM-DD`: the last day, in UTC, on which it is valid. */
  readonly validUntil: string | null;
  /** When the factory said so: what it said before is not taken after it. */
  readonly statedAt: number;
};

export const factoryStream = (factoryId: string): string => `factory-${factoryId}`;

/** Factory, type and number make a certificate; how they are spelled does not. */
export const certificateIdOf = (factoryId: string, named: { readonly type: string; readonly number: string }): string =>
  `cer_${deterministicUuid(factoryId, JSON.stringify([spelled(named.type), spelled(named.number)]))}`;

const spelled = (text: string): string => text.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
