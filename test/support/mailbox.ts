import { pino } from 'pino';
import { inject } from 'vitest';
import { startMailOutboxes } from '../../src/infrastructure/mail-outbox.js';
import { createMailer } from '../../src/infrastructure/mailer.js';
import { linkMails } from '../../src/modules/accounts/link-mails.js';
import { memberMails } from '../../src/modules/members/mails.js';
import { eventually, messagesTo, type Message } from './brand-story.js';
import type { TestService } from './service.js';

/** Sends the mails of account links and members, as the API program does. */
export function startPost(
  { database, config }: TestService,
  smtpUrl = inject('smtpUrl'),
  logger = pino({ level: 'silent' }),
) {
  const mailer = createMailer({ url: smtpUrl, from: config.MAIL_FROM, database, logger });
  const post = { database, linkKey: config.LINK_KEY, baseUrl: config.BASE_URL };
  const mails = startMailOutboxes({ outboxes: [linkMails(post), memberMails(post)], mailer, logger, pollMs: 20 });
  return {
    stop: async () => {
      await mails.stop();
      mailer.close();
    },
  };
}

export type AccountPath = '/magic-link' | '/reset-password' | '/verify';

const isFor = (path: AccountPath) => (mail: Message) => mail.links.some((link) => new URL(link).pathname === path);

/** The newest mail with a link to the page, once there are `count` of them. */
export async function accountMailTo(email: string, path: AccountPath, count = 1): Promise<Message> {
  const mails = await eventually(
    async () => (await messagesTo(email)).filter(isFor(path)),
    (found) => found.length >= count,
  );
  const newest = mails[0];
  if (newest === undefined) throw new Error('there is no mail');
  return newest;
}

export const tokenOf = (mail: Message): string => {
  const token = new URL(mail.links[0] ?? '').searchParams.get('token');
  if (token === null) throw new Error('the mail has no token');
  return token;
};

export const mailedToken = async (email: string, path: AccountPath, count = 1): Promise<string> =>
  tokenOf(await accountMailTo(email, path, count));
