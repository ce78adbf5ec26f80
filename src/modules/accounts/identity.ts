import type { CommandContext } from '../../core/context.js';
import { holdsWebAddress } from '../../core/web-address.js';
import type { Config } from '../../infrastructure/config.js';
import {
  createIdentityProvider,
  type Identity,
  type IdentityProvider,
} from '../../infrastructure/identity-provider/identity-provider.js';
import type { Logger } from '../../infrastructure/logger.js';
import { inTransaction } from '../../infrastructure/postgres/database.js';
import { openSession, type SignedIn, type Signer } from './handlers.js';
import { accountById, accountOfIdentity, insertAccount, linkIdentity, proveByOtherMeans } from './store.js';

/** The provider of the settings; null if they name none. */
export function identityProviderOf({
  config,
  clock,
  logger,
}: {
  readonly config: Config;
  readonly clock: () => number;
  readonly logger: Logger;
}): IdentityProvider | null {
  const { IDP_ISSUER: issuer, IDP_CLIENT_ID: clientId } = config;
  if (issuer === undefined || clientId === undefined) return null;
  return createIdentityProvider({
    ...{ issuer, clientId, clock, logger },
    clientSecret: config.IDP_CLIENT_SECRET ?? null,
    redirectUris: config.IDP_REDIRECT_URIS,
    encryptionKey: config.ENCRYPTION_KEY,
  });
}

/**
 * Signs in whom the provider has named: the account that the identity is linked with, else the one that has the address, else
 * a new one. An address that nobody had proven is proven now.
 */
export async function signInByIdentity(
  signer: Signer,
  context: Pick<CommandContext, 'newId'>,
  identity: Identity,
): Promise<SignedIn> {
  return inTransaction(signer.database, async (connection) => {
    const linked = await accountOfIdentity(connection, identity);
    if (linked !== null) return openSession({ ...signer, database: connection }, linked);
    const { email, name } = identity;
    const { account } = await insertAccount(connection, {
      ...{ id: context.newId('usr'), email, passwordHash: null, emailProven: true },
      displayName: displayNameOf(name) ?? displayNameOf(email.split('@')[0] ?? '') ?? email,
    });
    await proveByOtherMeans(connection, account.id);
    await linkIdentity(connection, identity, account.id);
    const now = (await accountById(connection, account.id)) ?? account;
    return openSession({ ...signer, database: connection }, now);
  });
}

/** What a provider calls somebody, as a name here may look: one line, not endless, no address of the web. */
function displayNameOf(text: string | null): string | null {
  const line = (text ?? '')
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  return line === '' || holdsWebAddress(line) ? null : [...line].slice(0, 100).join('');
}
