import type { EventLog } from '../infrastructure/event-store/port.js';
import type { Recorded } from '../core/events.js';
import type { Database } from '../infrastructure/postgres/database.js';
import { INVITATION_TRIED_FOR_MS } from '../../workflows/one-step/contract.js';
import { invitationMailId, type SupplierInvitation } from '../modules/suppliers/index.js';

/** What the log holds, counted in one pass. */
interface LogFigures {
  readonly events: number;
  readonly organizations: number;
  readonly webhooks: ReadonlySet<string>;
  readonly openDeliveries: number;
  readonly endedDeliveries: number;
  /** Message-IDs of invitations that are still young enough to be mailed. */
  readonly invitations: readonly string[];
}

async function readFigures(eventStore: EventLog, now: number): Promise<LogFigures> {
  const webhooks = new Set<string>();
  const open = new Set<string>();
  const invitations: string[] = [];
  let [events, organizations, deliveries] = [0, 0, 0];
  const take = ({ type, data, metadata }: Recorded): void => {
    const { webhookId = '', deliveryId = '' } = data as { webhookId?: string; deliveryId?: string };
    switch (type) {
      case 'OrganizationCreated':
        organizations += 1;
        return;
      case 'WebhookCreated':
        webhooks.add(webhookId);
        return;
      case 'WebhookDeleted':
        webhooks.delete(webhookId);
        return;
      case 'DeliveryCreated':
        deliveries += 1;
        if (!(data as { held: boolean }).held) open.add(deliveryId);
        return;
      case 'RedeliveryAsked':
        open.add(deliveryId);
        return;
      case 'DeliverySucceeded':
      case 'DeliveryFailed':
      case 'DeliveryCancelled':
        open.delete(deliveryId);
        return;
      case 'SupplierInvited':
      case 'SupplierInvitedAgain':
        if (now - metadata.recordedAt < INVITATION_TRIED_FOR_MS) {
          invitations.push(invitationMailId(data as SupplierInvitation));
        }
        return;
      default:
        // The figures are of no other type.
        return;
    }
  };
  for await (const event of eventStore.readAll({ after: null })) {
    events += 1;
    take(event);
  }
  const openDeliveries = open.size;
  return { events, organizations, webhooks, openDeliveries, endedDeliveries: deliveries - openDeliveries, invitations };
}

/** What an adoption will redo and what it will not, line by line. */
export async function adoptionFigures(
  { database, eventStore }: { readonly database: Database; readonly eventStore: EventLog },
  now: number,
): Promise<readonly string[]> {
  const log = await readFigures(eventStore, now);
  const { rows } = await database.query<
    Record<'accounts' | 'members' | 'factories' | 'keys' | 'sent' | 'secrets', number>
  >(
    `select (select count(*) from service.accounts) as accounts,
            (select count(distinct organization_id) from service.memberships) as members,
            (select count(*) from service.factories) as factories,
            (select count(*) from service.text_keys) as keys,
            (select count(*) from service.sent_mails where message_id = any($1)) as sent,
            (select count(*) from service.webhook_secrets where webhook_id = any($2)) as secrets`,
    [log.invitations, [...log.webhooks]],
  );
  const here = rows[0] ?? { accounts: 0, members: 0, factories: 0, keys: 0, sent: 0, secrets: 0 };
  return [
    'Made again from the event store:',
    `  read models    from all ${log.events} events`,
    '  workflows      where the log says that something is left to do and the workflow server has none; those of batches at the next call',
    `  deliveries     the ${log.openDeliveries} open ones are sent; the other ${log.endedDeliveries} are not sent again`,
    `  mails          ${log.invitations.length - here.sent} invitations of the last 7 days that this Postgres has not sent, with the first one's Message-ID; nothing older`,
    'Not in the event store: as this Postgres has it, or gone:',
    `  accounts       ${here.accounts}, members of ${here.members} of the log's ${log.organizations} organizations`,
    `  secrets        of ${here.secrets} of the log's ${log.webhooks.size} webhooks; what is for the others waits for their secrets`,
    `  private texts  ${here.keys} keys; a text whose key is not here reads as [erased]`,
    `  addresses      of ${here.factories} factories; also uploaded files, copies of certificates, drafts of forms`,
    '  kept answers   forgotten: a call that is sent again under its Idempotency-Key is done again',
  ];
}
