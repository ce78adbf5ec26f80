import { commandContext } from '../../src/core/context.js';
import { deterministicUuid } from '../../src/core/ids.js';
import type { EventStore } from '../../src/infrastructure/event-store/port.js';
import { type BatchEvent, batchStream } from '../../src/modules/batches/index.js';
import { stateCertificates, tellOfExpiringCertificates } from '../../src/modules/factory-portal/index.js';
import { findSupplier } from '../../src/modules/suppliers/index.js';
import { alive } from '../alive.js';
import type { CertificateIntakeInput } from './contract.js';

export type CertificateIntakeActivities = ReturnType<typeof createCertificateIntakeActivities>;

export const createCertificateIntakeActivities = (deps: { readonly eventStore: EventStore }) => ({
  /** `now` is the workflow's time of the step: the same when it is tried again, so the same bytes are appended. */
  takeInCertificates: (input: CertificateIntakeInput & { readonly now: number }): Promise<void> =>
    alive(async () => {
      const { supplierId, data, submittedAt } = await submissionAt(deps.eventStore, input);
      const { factoryId } = await findSupplier(deps, supplierId);
      const context = commandContext({
        // What a factory says of itself belongs to no brand.
        organizationId: null,
        actor: { type: 'system', id: null },
        correlationId: input.correlationId,
        causationId: input.eventId,
        now: input.now,
        seed: deterministicUuid(input.eventId, 'certificates'),
      });
      await stateCertificates(deps, context, {
        ...{ factoryId, certificates: data.certificates ?? [], statedAt: submittedAt },
      });
      // The read model may not know yet that the factory shares with this brand.
      await tellOfExpiringCertificates(deps, { supplierId, ...input });
    }),
});

async function submissionAt(eventStore: EventStore, { batchId, revision }: CertificateIntakeInput) {
  for await (const recorded of eventStore.readStream(batchStream(batchId), { fromRevision: revision, limit: 1 })) {
    const event = recorded as unknown as BatchEvent;
    if (event.type === 'ProductionDataSubmitted') return event.data;
  }
  throw new Error(`there is no submission at revision ${revision} of ${batchStream(batchId)}`);
}
