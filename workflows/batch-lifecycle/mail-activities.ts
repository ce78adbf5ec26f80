import { activityInfo } from '@temporalio/activity';
import { organizationById } from '../../projections/organizations/queries.js';
import { factoryLinkToken } from '../../src/infrastructure/links.js';
import { MailRefused } from '../../src/infrastructure/mailer.js';
import {
  type Batch,
  type BatchDependencies,
  loadAnyBatch,
  requestMailId,
  type RequestMailKey,
} from '../../src/modules/batches/index.js';
import { anyProduct } from '../../src/modules/products/index.js';
import { correspondentAt, supplierOfBrand } from '../../src/modules/suppliers/index.js';
import { mailLocale, renderFactoryRequestMail, renderNoAnswerMail } from '../../src/pages/mails/index.js';
import { withHeartbeat } from '../heartbeat.js';
import { ownerAddress } from '../owner-address.js';
import { sendToThirdParty, type ThirdPartyMailDependencies } from '../third-party-mail.js';
import type { BatchLifecycleInput } from './contract.js';
import { REMINDERS } from './reminders.js';

export type BatchMailActivities = ReturnType<typeof createBatchMailActivities>;

type Delivered = { readonly outcome: 'sent'; readonly sentAt: number } | { readonly outcome: 'not_needed' };

export const createBatchMailActivities = (
  deps: BatchDependencies & ThirdPartyMailDependencies & { readonly baseUrl: string; readonly clock: () => number },
) => ({
  /** One mail to one factory. Everything about it is looked up now: the workflow knows ids alone. */
  async mailRequest(mail: BatchLifecycleInput & RequestMailKey): Promise<Delivered> {
    const { state: batch } = await loadAnyBatch(deps, mail.batchId);
    const request = batch.requests.find(({ id }) => id === mail.requestId);
    if (request === undefined || !isNeeded(batch, request, mail)) return { outcome: 'not_needed' };
    const [{ to, locale }, product, brand] = await Promise.all([
      correspondentOf(deps, batch.organizationId, request.supplierId),
      anyProduct(deps, batch.productId),
      organizationById(deps.database, batch.organizationId),
    ]);
    const told = {
      kind: mail.mail,
      brandName: brand?.name ?? '',
      factoryName: request.factoryName,
      role: request.role,
      product: { name: product?.name ?? batch.productName, sku: product?.sku ?? null },
      batch: { poReference: batch.poReference, quantity: batch.quantity, unit: batch.unit },
      notes: request.notes,
      feedback: request.feedback,
      link: `${deps.baseUrl}/f/${factoryLinkToken(deps.linkKey, request.id)}`,
    } as const;
    const content = renderFactoryRequestMail(told, locale);
    const written = { to, messageId: requestMailId(mail), ...content };
    // Changes are asked of who has answered this very request, once for each answer.
    if (mail.mail === 'changes_requested') await withHeartbeat(() => deps.mailer.send(written));
    else await withHeartbeat(() => sendToThirdParty(deps, batch.organizationId, written));
    return { outcome: 'sent', sentAt: deps.clock() };
  },

  /** Tells the brand's owner who keeps the batch waiting. */
  async mailBrand({ batchId, organizationId, round }: BatchLifecycleInput & { round: number }): Promise<Delivered> {
    const { state: batch } = await loadAnyBatch(deps, batchId);
    if (batch.status !== 'sent' || batch.rounds !== round) return { outcome: 'not_needed' };
    const [to, brand] = await Promise.all([
      ownerAddress(deps.database, organizationId),
      organizationById(deps.database, organizationId),
    ]);
    const content = renderNoAnswerMail({
      brandName: brand?.name ?? '',
      productName: batch.productName,
      poReference: batch.poReference,
      factories: batch.requests.filter(({ answered }) => !answered).map(({ factoryName }) => factoryName),
      remindedAfterDays: REMINDERS.map(({ afterDays }) => afterDays),
    });
    await withHeartbeat(() => deps.mailer.send({ to, messageId: `${batchId}.no-answer.${round}`, ...content }));
    return { outcome: 'sent', sentAt: deps.clock() };
  },
});

/** A batch that is over asks nobody, and who has answered needs no reminder. */
function isNeeded(batch: Batch, request: Batch['requests'][number], { mail, round }: RequestMailKey): boolean {
  if (batch.status === 'withdrawn' || batch.status === 'published') return false;
  if (mail === 'request' || mail === 'brand_reminder') return !request.answered;
  return !request.answered && round === batch.rounds;
}

async function correspondentOf(deps: BatchDependencies, organizationId: string, supplierId: string) {
  const supplier = await supplierOfBrand(deps, { organizationId, supplierId });
  if (supplier === null || supplier.status === 'declined') throw new MailRefused('the supplier has declined');
  // The moment stays when the mail is tried again, and so does the language.
  const factory = await correspondentAt(deps.database, supplier.factoryId, activityInfo().scheduledTimestampMs);
  if (factory === null) throw new MailRefused('the supplier has no address any more');
  return { to: factory.email, locale: mailLocale({ used: factory.usedLocale, country: supplier.country }) };
}
