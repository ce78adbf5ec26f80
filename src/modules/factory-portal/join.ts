import { openRequestsOfSupplier } from '../../../projections/batches/queries.js';
import { organizationById } from '../../../projections/organizations/queries.js';
import { invitedSuppliersOfFactory } from '../../../projections/suppliers/queries.js';
import { assertNever } from '../../core/assert-never.js';
import type { CommandContext } from '../../core/context.js';
import { factoryLinkToken } from '../../infrastructure/links.js';
import type { JoinPageView } from '../../pages/views.js';
import { accountOfProvenAddress } from '../accounts/index.js';
import {
  answerInvitation,
  contactEmailOf,
  findSupplier,
  type Supplier,
  type SupplierDependencies,
  supplierOfLink,
} from '../suppliers/index.js';

/** Who holds a link that was mailed to an address, and which record it belongs to. */
export interface Invitation {
  readonly supplier: Supplier;
  readonly email: string;
  readonly brandName: string;
}

type Open = Extract<JoinPageView, { state: 'open' }>;

/** The invitation behind a link; null for a token that is not good. */
export async function findInvitation(deps: SupplierDependencies, token: string): Promise<Invitation | null> {
  const supplierId = await supplierOfLink(deps.database, token);
  if (supplierId === null) return null;
  const supplier = await findSupplier(deps, supplierId);
  const [email, brand] = await Promise.all([
    contactEmailOf(deps.database, supplier.factoryId),
    organizationById(deps.database, supplier.organizationId),
  ]);
  return email === null ? null : { supplier, email, brandName: brand?.name ?? '' };
}

/**
 * Makes the account of the factory and confirms every record that invited its address: the link was mailed there, so its
 * holder has proven it. The catalogue is shared with the brand whose link it is; the others go on asking.
 */
export async function join(
  deps: SupplierDependencies,
  context: CommandContext,
  { supplier, email }: Invitation,
  { displayName, password }: { readonly displayName: string; readonly password: string },
): Promise<Supplier> {
  const account = await accountOfProvenAddress(deps.database, context, { email, displayName, password });
  const actor = { type: 'user', id: account.id } as const;
  const others = await invitedSuppliersOfFactory(deps.database, supplier.factoryId);
  for (const { supplierId, organizationId } of others) {
    if (supplierId === supplier.supplierId) continue;
    await answerInvitation(deps, { ...context, actor, organizationId }, { type: 'ConfirmSupplier', supplierId });
  }
  return accept(deps, { ...context, actor }, supplier);
}

/** The factory takes up the invitation: the brand may see what it keeps. */
export const accept = (
  deps: SupplierDependencies,
  context: CommandContext,
  { supplierId }: Pick<Supplier, 'supplierId'>,
): Promise<Supplier> => answerInvitation(deps, context, { type: 'GrantSharing', supplierId, via: 'invitation' });

/** What the page shows; `form` holds what was typed and what is wrong with it, when the form was refused. */
export async function joinView(
  deps: SupplierDependencies,
  { supplier, email, brandName }: Invitation,
  form: Pick<Open, 'action' | 'typed' | 'errors'>,
): Promise<JoinPageView> {
  const { factoryName, notes, status, isSharingGranted } = supplier;
  switch (status) {
    case 'recorded':
    case 'invited':
      return { state: 'open', brandName, factoryName, email, notes, ...form };
    case 'declined':
      return { state: 'declined', brandName, factoryName };
    case 'confirmed': {
      const requests = await openRequests(deps, supplier);
      return { state: 'linked', brandName, factoryName, requests, isShared: isSharingGranted, action: form.action };
    }
    default:
      return assertNever(status);
  }
}

/** What the page shows to who has just signed up. */
export async function welcomeView(
  deps: SupplierDependencies,
  { supplier, email, brandName }: Invitation,
): Promise<JoinPageView> {
  const requests = await openRequests(deps, supplier);
  return { state: 'joined', brandName, factoryName: supplier.factoryName, email, requests };
}

/** Of the brand whose link it is: what others ask is seen with the account. */
async function openRequests({ database, linkKey }: SupplierDependencies, { supplierId }: Supplier) {
  const open = await openRequestsOfSupplier(database, supplierId);
  return open.map(({ requestId, ...request }) => ({
    ...request,
    href: `/f/${factoryLinkToken(linkKey, requestId)}`,
  }));
}
