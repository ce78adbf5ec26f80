import { ApplicationFailure } from '@temporalio/common';
import { Refusal } from '../src/core/errors.js';
import type { Mail, Mailer } from '../src/infrastructure/mailer.js';
import type { Database } from '../src/infrastructure/postgres/database.js';
import { countMailsNow } from '../src/modules/organizations/index.js';

export interface ThirdPartyMailDependencies {
  readonly database: Database;
  readonly linkKey: Buffer;
  readonly mailer: Mailer;
}

/**
 * Sends a mail to somebody outside. One that was not counted when it was asked for, or falls due by itself, is counted now; over the
 * limit it waits until there is room.
 */
export async function sendToThirdParty(
  deps: ThirdPartyMailDependencies,
  organizationId: string,
  mail: Mail,
): Promise<void> {
  try {
    await countMailsNow(deps, { organizationId, mails: [mail] });
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'mail_limit') throw error;
    const { message, code: type, extra } = error;
    throw ApplicationFailure.create({ message, type, nextRetryDelay: `${Number(extra['retryAfterS'])} seconds` });
  }
  await deps.mailer.send(mail);
}
