import { createTransport } from 'nodemailer';
import type { Logger } from './logger.js';
import { outageCause } from './outage-cause.js';
import { createOutageLog } from './outage-log.js';
import { inTransaction, type Database } from './postgres/database.js';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Names this mail for good, without angle brackets or host: a mail that goes out again carries the same one. */
  readonly messageId: string;
}

export interface Mailer {
  /**
   * Sends a mail once. Throws `MailRefused` when the server refuses it for good, any other error when it may work later. None of
   * them holds an address: they go into logs and histories of workflows.
   */
  send(mail: Mail): Promise<'sent' | 'already_sent'>;
  close(): void;
}

/** Refused for good: this recipient or this mail. The message says why and names no address. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

/** Not taken this time: the server is away, or says that it may take it later. */
class MailNotTaken extends Error {
  override readonly name = 'MailNotTaken';
}

/** Connections kept open to the mail server. */
const CONNECTIONS = 4;
/** A server that takes longer than this for one step is taken for gone. */
const STEP_LIMIT_MS = 15_000;
const LIMITS = {
  ...{ connectionTimeout: STEP_LIMIT_MS, greetingTimeout: STEP_LIMIT_MS, socketTimeout: STEP_LIMIT_MS },
  ...{ disableFileAccess: true, disableUrlAccess: true },
};

/**
 * Mails over SMTP, which knows no exactly-once: this errs on the side of sending twice. The row that says "sent" is
 * inserted before and committed right after the server's answer, so a mail is repeated only if the process dies between that
 * answer and the commit, and the repeat carries the same Message-ID. The row's lock keeps two senders of one mail apart.
 */
export function createMailer({
  url,
  from,
  database,
  logger,
}: {
  url: string;
  from: string;
  database: Database;
  logger: Logger;
}): Mailer {
  const transport = createTransport({ pool: true, url, maxConnections: CONNECTIONS, ...LIMITS });
  const lost = createOutageLog(logger, 'lost a connection to the mail server');
  transport.on('error', (error) => lost.failed(new MailNotTaken(reasonOf(error))));
  const host = /@([A-Za-z0-9.-]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';

  const send = (mail: Mail): Promise<'sent' | 'already_sent'> =>
    inTransaction(database, async (connection) => {
      // A process that is killed loses nothing by this; waiting for the disk would only widen the window.
      await connection.query('set local synchronous_commit = off');
      const claimed = await connection.query(
        'insert into service.sent_mails (message_id) values ($1) on conflict do nothing',
        [mail.messageId],
      );
      if (claimed.rowCount === 0) return 'already_sent';
      try {
        await transport.sendMail({
          from,
          to: { name: '', address: mail.to },
          subject: oneLine(mail.subject),
          text: mail.text,
          html: mail.html,
          messageId: `<${mail.messageId}@${host}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
      } catch (error) {
        throw withoutAddress(error);
      }
      return 'sent';
    });

  return { send, close: () => transport.close() };
}

/** Goes as far as a mail would before it is handed over; throws what the server or the way to it makes of that. */
export async function tryMailServer(url: string, limitMs: number): Promise<void> {
  const limits = { connectionTimeout: limitMs, greetingTimeout: limitMs, socketTimeout: limitMs };
  const transport = createTransport({ url, ...LIMITS, ...limits });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

/** A line break in a header would start another one. */
const oneLine = (text: string): string => text.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ').trim();

/** What a server says it says with the address, in its own spelling; so of its answer only the number is told on. */
function withoutAddress(error: unknown): MailRefused | MailNotTaken {
  const { code, command, responseCode } = error as SmtpError;
  if (code === 'EENVELOPE' && responseCode === undefined) return new MailRefused('the address is not well formed');
  // Only an answer about this recipient or this mail is final; one about the sender, the login or the line is not.
  const isFinal = responseCode !== undefined && responseCode >= 500 && responseCode < 600;
  return isFinal && (command === 'RCPT TO' || command === 'DATA')
    ? new MailRefused(`the mail server answered ${responseCode}`)
    : new MailNotTaken(reasonOf(error));
}

interface SmtpError {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
}

const reasonOf = (error: unknown): string => {
  const { code, command, responseCode } = error as SmtpError;
  const step = command === undefined ? '' : ` to ${command}`;
  return responseCode === undefined || code === 'EAUTH' || code === 'ETLS'
    ? `the mail server cannot be talked to: ${outageCause(error, 'mail server')}`
    : `the mail server answered ${responseCode}${step}`;
};
