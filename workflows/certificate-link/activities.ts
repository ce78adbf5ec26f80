import type { EventStore } from '../../src/infrastructure/event-store/port.js';
import { tellOfExpiringCertificates } from '../../src/modules/factory-portal/index.js';
import type { CertificateLinkInput } from './contract.js';

export type CertificateLinkActivities = ReturnType<typeof createCertificateLinkActivities>;

export const createCertificateLinkActivities = (deps: { readonly eventStore: EventStore }) => ({
  /** `now` is the workflow's time of the step: the same when it is tried again, so the same bytes are appended. */
  tellOfExpiringCertificates: (input: CertificateLinkInput & { readonly now: number }): Promise<void> =>
    tellOfExpiringCertificates(deps, input),
});
