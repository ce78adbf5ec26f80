import { commandContext } from '../../src/core/context.js';
import { deterministicUuid } from '../../src/core/ids.js';
import type { EventStore } from '../../src/infrastructure/event-store/port.js';
import { expiryOf } from '../../src/modules/factories/expiry.js';
import { certificatesOf } from '../../src/modules/factories/handlers.js';
import { findSupplier, noticeCertificateExpiry } from '../../src/modules/suppliers/handlers.js';
import type { CertificateLinkInput } from './contract.js';

export type CertificateLinkActivities = ReturnType<typeof createCertificateLinkActivities>;

export const createCertificateLinkActivities = (deps: { readonly eventStore: EventStore }) => ({
  /** `now` is the workflow's time of the step: the same when it is tried again, so the same bytes are appended. */
  async tellOfExpiringCertificates(input: CertificateLinkInput & { readonly now: number }): Promise<void> {
    const { supplierId, eventId, correlationId, now } = input;
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
  },
});
