import { suppliersSharedWith } from '../../projections/suppliers/queries.js';
import { assertNever } from '../../src/core/assert-never.js';
import { commandContext, type CommandContext } from '../../src/core/context.js';
import { deterministicUuid } from '../../src/core/ids.js';
import type { EventStore } from '../../src/infrastructure/event-store/port.js';
import type { Database } from '../../src/infrastructure/postgres/database.js';
import { certificatesOf, expiryOf } from '../../src/modules/factory-portal/index.js';
import { noticeCertificateExpiry } from '../../src/modules/suppliers/index.js';
import { certificateExpiryId, type CertificateExpiryInput } from './contract.js';

export type CertificateExpiryActivities = ReturnType<typeof createCertificateExpiryActivities>;

const DAY_MS = 86_400_000;

interface Look {
  /** In milliseconds; null when nothing is left to wait for. */
  readonly lookAgainAt: number | null;
}

export const createCertificateExpiryActivities = (deps: {
  readonly eventStore: EventStore;
  readonly database: Database;
}) => ({
  /** `now` is the workflow's time of the step: the same when it is tried again, so the same bytes are appended. */
  async lookAtCertificate(input: CertificateExpiryInput & { readonly now: number }): Promise<Look> {
    const { factoryId, certificateId, now } = input;
    const certificate = (await certificatesOf(deps, factoryId)).find((one) => one.certificateId === certificateId);
    if (certificate === undefined || certificate.validUntil === null) return { lookAgainAt: null };
    const { validUntil } = certificate;
    const expiry = expiryOf(validUntil, now);
    switch (expiry.kind) {
      case 'expired':
        return { lookAgainAt: null };
      case 'later':
        return { lookAgainAt: expiry.noticeAt };
      case 'expiring':
        for (const { supplierId, organizationId } of await suppliersSharedWith(deps.database, factoryId)) {
          const notice = { supplierId, certificate: { ...certificate, validUntil } };
          await noticeCertificateExpiry(deps, contextOf(input, organizationId), notice);
        }
        // Who is let in later is told then. Who was let in at this very moment, and is not in the read model yet, the next day.
        return { lookAgainAt: Math.min(now + DAY_MS, expiry.expiresAt) };
      default:
        return assertNever(expiry);
    }
  },
});

const contextOf = (
  { certificateId, now }: CertificateExpiryInput & { readonly now: number },
  organizationId: string,
): CommandContext =>
  commandContext({
    organizationId,
    actor: { type: 'system', id: null },
    correlationId: certificateExpiryId(certificateId),
    now,
    seed: deterministicUuid(certificateId, organizationId),
  });
