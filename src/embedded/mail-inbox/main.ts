import pino from 'pino';
import { messageOf } from '../start-error.js';
import { startMailInbox } from './start-mail-inbox.js';

const logger = pino({ name: 'mail-inbox', level: process.env.LOG_LEVEL ?? 'info' });

const portFrom = (name: string): number => {
  const port = Number(process.env[name] ?? '0');
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`${name} is not a port`);
  return port;
};

try {
  const inbox = await startMailInbox({
    smtpPort: portFrom('MAIL_INBOX_SMTP_PORT'),
    httpPort: portFrom('MAIL_INBOX_HTTP_PORT'),
    dataDir: process.env.MAIL_INBOX_DATA_DIR ?? '.data/mail',
    logger,
  });
  const stop = (): void => {
    inbox.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ error: messageOf(error) }, 'mail inbox did not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  logger.info({ smtpUrl: inbox.smtpUrl, httpUrl: inbox.httpUrl }, 'ready');
} catch (error) {
  logger.fatal({ error: messageOf(error) }, 'mail inbox could not start');
  process.exitCode = 1;
}
