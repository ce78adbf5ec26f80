import type { EventStore } from './infrastructure/event-store/port.js';
import { purgeIdempotencyKeys } from './infrastructure/idempotency.js';
import type { Logger } from './infrastructure/logger.js';
import { createOutageLog } from './infrastructure/outage-log.js';
import type { Database } from './infrastructure/postgres/database.js';
import { announceLeftImports, purgeImportFiles, purgeReports, ROWS_KEPT_MS } from './modules/file-imports/index.js';
import { purgeCertificateFiles } from './modules/factory-portal/index.js';
import { purgeAccountTraces } from './modules/accounts/index.js';
import { purgeInvitations } from './modules/members/index.js';
import { purgeMailCounts } from './modules/organizations/index.js';

const EVERY_MS = 5 * 60 * 1000;
/** Small enough to hold no lock for long; what is left waits for the next round. */
const ROWS_AT_ONCE = 5_000;
/** Each with up to a hundred thousand rows. */
const FILES_AT_ONCE = 10;
/** Each asks for the stream of a factory. */
const CERTIFICATES_AT_ONCE = 50;

/**
 * Deletes what has run out: idempotency keys, sessions, counted sign-ins and mails, invitations, uploaded files, reports of imports, copies of removed
 * certificates. Goes on with imports that a process that died had just been asked for.
 */
export function startHousekeeping(
  { database, eventStore }: { readonly database: Database; readonly eventStore: EventStore },
  logger: Logger,
): { stop(): void } {
  const rounds = createOutageLog(logger, 'housekeeping failed; the next round tries again');
  const round = async () => {
    try {
      const keys = await purgeIdempotencyKeys(database, ROWS_AT_ONCE);
      const traces = await purgeAccountTraces(database, ROWS_AT_ONCE);
      const invitations = await purgeInvitations(database, ROWS_AT_ONCE);
      const mails = await purgeMailCounts(database, ROWS_AT_ONCE);
      const files = await purgeImportFiles(database, Date.now(), FILES_AT_ONCE);
      const reports = await purgeReports(database, Date.now() - ROWS_KEPT_MS, FILES_AT_ONCE);
      const copies = await purgeCertificateFiles({ database, eventStore }, CERTIFICATES_AT_ONCE);
      await announceLeftImports({ database, eventStore }, Date.now());
      if (keys + traces + invitations + mails + files + reports + copies > 0) {
        logger.info({ keys, traces, invitations, mails, files, reports, copies }, 'deleted what had run out');
      }
    } catch (error) {
      rounds.failed(error);
    }
  };
  const timer = setInterval(() => void round(), EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
