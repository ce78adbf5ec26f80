import { activityInfo } from '@temporalio/activity';
import { organizationById } from '../../projections/organizations/queries.js';
import { commandContext } from '../../src/core/context.js';
import { deterministicUuid } from '../../src/core/ids.js';
import type { EventStore } from '../../src/infrastructure/event-store/port.js';
import { invitationToken } from '../../src/infrastructure/links.js';
import { MailRefused, type Mailer } from '../../src/infrastructure/mailer.js';
import { type BatchEvent, batchStream } from '../../src/modules/batches/index.js';
import { stateCertificates, tellOfExpiringCertificates } from '../../src/modules/factory-portal/index.js';
import { carryOutProposal } from '../../src/modules/proposals/index.js';
import {
  correspondentAt,
  findSupplier,
  invitationMailId,
  type SupplierDependencies,
} from '../../src/modules/suppliers/index.js';
import { loadDelivery, type SendingDependencies, standingOf } from '../../src/modules/webhooks/index.js';
import {
  mailLocale,
  renderSupplierInvitationMail,
  renderSupplierLinkedMail,
  renderWebhookTroubleMail,
} from '../../src/pages/mails/index.js';
import { withHeartbeat } from '../heartbeat.js';
import { ownerAddress } from '../owner-address.js';
import { sendToThirdParty, type ThirdPartyMailDependencies } from '../third-party-mail.js';
import type {
  CertificateIntakeInput,
  CertificateLinkInput,
  ProposalAcceptanceInput,
  SupplierInvitationInput,
  WebhookTroubleInput,
} from './contract.js';

export type OneStepActivities = ReturnType<typeof createOneStepActivities>;

type Dependencies = SupplierDependencies &
  SendingDependencies &
  ThirdPartyMailDependencies & { readonly mailer: Mailer; readonly baseUrl: string };

/** `now` is the workflow's time of the step. */
type At<Input> = Input & { readonly now: number };

export const createOneStepActivities = (deps: Dependencies) => ({
  takeInCertificates: (input: At<CertificateIntakeInput>): Promise<void> =>
    withHeartbeat(async () => {
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

  tellOfExpiringCertificates: (input: At<CertificateLinkInput>): Promise<void> =>
    tellOfExpiringCertificates(deps, input),

  async carryOutAcceptance(input: At<ProposalAcceptanceInput>): Promise<void> {
    const { proposalId, organizationId, eventId, correlationId, now } = input;
    const context = commandContext({
      organizationId,
      actor: { type: 'system', id: null },
      correlationId,
      causationId: eventId,
      now,
      seed: deterministicUuid(eventId, 'acceptance'),
    });
    await carryOutProposal(deps, context, { proposalId });
  },

  /** Address and names are looked up now: the workflow knows ids alone. */
  async mailInvitation({ supplierId, callId }: SupplierInvitationInput): Promise<'mailed' | 'not_needed'> {
    const supplier = await findSupplier(deps, supplierId);
    if (supplier.status === 'declined') return 'not_needed';
    const [factory, brand] = await Promise.all([
      // The moment stays when the mail is tried again, and so does its language.
      correspondentAt(deps.database, supplier.factoryId, activityInfo().scheduledTimestampMs),
      organizationById(deps.database, supplier.organizationId),
    ]);
    if (factory === null) throw new MailRefused('the supplier has no address any more');
    // The projector is behind: the next try finds the name.
    if (brand === null) throw new Error(`organization ${supplier.organizationId} is not in the read model yet`);
    const render = supplier.status === 'confirmed' ? renderSupplierLinkedMail : renderSupplierInvitationMail;
    const content = {
      brandName: brand.name,
      factoryName: supplier.factoryName,
      notes: supplier.notes,
      link: `${deps.baseUrl}/join/${invitationToken(deps.linkKey, supplierId)}`,
    };
    const locale = mailLocale({ used: factory.usedLocale, country: supplier.country });
    const messageId = invitationMailId({ supplierId, callId });
    await sendToThirdParty(deps, supplier.organizationId, { to: factory.email, messageId, ...render(content, locale) });
    return 'mailed';
  },

  /** The mail's id holds organization and day: a second one of the same day is never sent. */
  async mailWebhookTrouble({ organizationId, day, webhookId, deliveryId }: WebhookTroubleInput): Promise<void> {
    const [to, brand, { url }, delivery] = await Promise.all([
      ownerAddress(deps.database, organizationId),
      organizationById(deps.database, organizationId),
      standingOf(deps.eventStore, webhookId),
      deliveryId === null ? null : loadDelivery(deps, deliveryId),
    ]);
    const content = renderWebhookTroubleMail({
      brandName: brand?.name ?? '',
      webhookId,
      host: url === '' ? null : new URL(url).host,
      failed: delivery === null ? null : { event: delivery.event, error: delivery.attempts.at(-1)?.error ?? '' },
    });
    await deps.mailer.send({ to, messageId: `${organizationId}.webhook-trouble.${day}`, ...content });
  },
});

async function submissionAt(eventStore: EventStore, { batchId, revision }: CertificateIntakeInput) {
  for await (const recorded of eventStore.readStream(batchStream(batchId), { fromRevision: revision, limit: 1 })) {
    const event = recorded as unknown as BatchEvent;
    if (event.type === 'ProductionDataSubmitted') return event.data;
  }
  throw new Error(`there is no submission at revision ${revision} of ${batchStream(batchId)}`);
}
