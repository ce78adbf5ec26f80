import { activityInfo } from '@temporalio/activity';
import { organizationById } from '../../projections/organizations/queries.js';
import type { EventStore } from '../../src/infrastructure/event-store/port.js';
import { invitationToken } from '../../src/infrastructure/links.js';
import { MailRefused } from '../../src/infrastructure/mailer.js';
import { correspondentAt, findSupplier, invitationMailId } from '../../src/modules/suppliers/index.js';
import { mailLocale, renderSupplierInvitationMail, renderSupplierLinkedMail } from '../../src/pages/mails/index.js';
import { sendToThirdParty, type ThirdPartyMailDependencies } from '../third-party-mail.js';
import type { SupplierInvitationInput } from './contract.js';

export type SupplierInvitationActivities = ReturnType<typeof createSupplierInvitationActivities>;

export const createSupplierInvitationActivities = (
  deps: ThirdPartyMailDependencies & { readonly eventStore: EventStore; readonly baseUrl: string },
) => ({
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
    const told = {
      brandName: brand.name,
      factoryName: supplier.factoryName,
      notes: supplier.notes,
      link: `${deps.baseUrl}/join/${invitationToken(deps.linkKey, supplierId)}`,
    };
    const locale = mailLocale({ used: factory.usedLocale, country: supplier.country });
    const messageId = invitationMailId({ supplierId, callId });
    await sendToThirdParty(deps, supplier.organizationId, { to: factory.email, messageId, ...render(told, locale) });
    return 'mailed';
  },
});
