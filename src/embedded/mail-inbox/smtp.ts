import PostalMime from 'postal-mime';
import type { Logger } from 'pino';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import { hasCode, messageOf } from '../start-error.js';
import { findLinks } from './links.js';
import type { MessageStore } from './store.js';

const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

const refusal = (code: number, text: string): Error => Object.assign(new Error(text), { responseCode: code });

const readAll = async (stream: SMTPServerDataStream): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    // Beyond the bound the rest is read and dropped, so that the conversation can go on to its answer.
    if (!stream.sizeExceeded) chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const keep = async (stream: SMTPServerDataStream, recipients: string[], store: MessageStore): Promise<string> => {
  const raw = await readAll(stream);
  if (stream.sizeExceeded) throw refusal(552, '5.3.4 message too big');
  const mail = await PostalMime.parse(raw);
  const text = mail.text ?? '';
  const html = mail.html ?? '';
  const { id } = await store.add({
    messageId: mail.messageId ?? null,
    from: mail.from?.address ?? '',
    // The envelope says who gets it; the header may say anything.
    to: recipients,
    subject: mail.subject ?? '',
    text,
    html,
    links: findLinks(text, html),
  });
  return id;
};

/** Takes mail for everybody, except for addresses whose local part begins with `bounce`: those are refused for good. */
export const createSmtpServer = (store: MessageStore, logger: Logger): SMTPServer => {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    size: MAX_MESSAGE_BYTES,
    banner: 'mail inbox for development',
    closeTimeout: 1_000,
    onRcptTo: (recipient, _session, done) => {
      if (recipient.address.toLowerCase().startsWith('bounce')) {
        done(refusal(550, '5.1.1 no such mailbox'));
        return;
      }
      done();
    },
    onData: (stream, session, done) => {
      const recipients = session.envelope.rcptTo.map(({ address }) => address);
      keep(stream, recipients, store).then(
        (id) => done(null, `kept as ${id}`),
        (error: unknown) => done(error instanceof Error ? error : new Error(messageOf(error))),
      );
    },
  });
  server.on('error', (error) => {
    // A client that goes away in the middle of a conversation is no fault of ours.
    if (hasCode(error, 'ECONNRESET', 'EPIPE')) return;
    logger.warn({ error: messageOf(error) }, 'mail conversation failed');
  });
  return server;
};
