import { commandContext } from '../../core/context.js';
import { deterministicUuid } from '../../core/ids.js';
import type { EventStore } from '../../infrastructure/event-store/port.js';
import { expiryOf } from './expiry.js';
import { certificatesOf } from './handlers.js';
import { findSupplier, noticeCertificateExpiry } from '../suppliers/index.js';

/**
 * Tells a brand that a factory has begun to share with of the certificates that are in their last 30 days. `eventId` is the event
 * that it began with; told again, nothing happens.
 */
export async function tellOfExpiringCertificates(
  deps: { readonly eventStore: EventStore },
  order: {
    readonly supplierId: string;
    readonly eventId: string;
    readonly correlationId: string;
    /** In milliseconds; the same when it is tried again, so the same bytes are appended. */
    readonly now: number;
  },
): Promise<void> {
  const { supplierId, eventId, correlationId, now } = order;
  const { factoryId, organizationId } = await findSupplier(deps, supplierId);
  for (const certificate of await certificatesOf(deps, factoryId)) {
    const { certificateId, validUntil } = certificate;
    if (validUntil === null || expiryOf(validUntil, now).kind !== 'expiring') continue;
    const context = commandContext({
      organizationId,
      actor: { type: 'system', id: null },
      correlationId,
      causationId: eventId,
      now,
      seed: deterministicUuid(eventId, certificateId),
    });
    await noticeCertificateExpiry(deps, context, { supplierId, certificate: { ...certificate, validUntil } });
  }
}
