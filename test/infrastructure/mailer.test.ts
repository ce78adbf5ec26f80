import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { pino } from 'pino';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMailer, MailRefused } from '../../src/infrastructure/mailer.js';
import { connectDatabase, type Database } from '../../src/infrastructure/postgres/database.js';
import { createDatabase } from '../support/database.js';

/*
 * Against a mail server that says the address in its answers, in its own spelling, as real ones do.
 */

const TO = 'ana.sousa@mill.example';
const MAIL = { to: TO, subject: 'S', text: 'T', html: '<p>T</p>' };

const says = (responseCode: number): Error =>
  Object.assign(new Error(`<Ana.Sousa@MILL.example>: mailbox of ana.sousa busy, said ${TO}`), { responseCode });

let database: Database;
let drop: () => Promise<void>;
let lines: string[];
const logger = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });

beforeEach(async () => {
  lines = [];
  const made = await createDatabase({ migrated: true });
  database = connectDatabase({ url: made.url, size: 2, logger, name: 'test' });
  drop = async () => {
    await database.end();
    await made.drop();
  };
});
afterEach(() => drop());

/** What the mailer throws when the server answers so. */
async function thrownBy(answers: SMTPServerOptions): Promise<Error> {
  const server = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS', 'AUTH'], ...answers });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const mailer = createMailer({ url: `smtp://127.0.0.1:${port}`, from: 'a@example.com', database, logger });
  try {
    return await mailer.send({ ...MAIL, messageId: 'one' }).then(
      () => Promise.reject(new Error('the mail was taken')),
      (error: unknown) => error as Error,
    );
  } finally {
    mailer.close();
    await new Promise<void>((resolve) => server.close(resolve));
  }
}

const ANSWERS: readonly (readonly [string, SMTPServerOptions, string, boolean])[] = [
  ['the sender, for now', { onMailFrom: (_a, _s, done) => done(says(451)) }, '451 to MAIL FROM', false],
  ['the sender, for good', { onMailFrom: (_a, _s, done) => done(says(550)) }, '550 to MAIL FROM', false],
  ['the recipient, for now', { onRcptTo: (_a, _s, done) => done(says(450)) }, '450 to RCPT TO', false],
  ['the recipient, for good', { onRcptTo: (_a, _s, done) => done(says(550)) }, '550', true],
  [
    'the mail, for now',
    { onData: (data, _s, done) => data.resume().on('end', () => done(says(452))) },
    '452 to DATA',
    false,
  ],
  ['the mail, for good', { onData: (data, _s, done) => data.resume().on('end', () => done(says(554))) }, '554', true],
  ['the connection', { onConnect: (_s, done) => done(says(421)) }, '421', false],
];

describe("an address in a mail server's answer", () => {
  it.each(ANSWERS)('that refuses %s is in no error and no line of the log', async (_name, answers, said, isFinal) => {
    const error = await thrownBy(answers);
    expect(error instanceof MailRefused).toBe(isFinal);
    expect(error.message).toContain(said);
    const everything = [inspect(error, { depth: 10, showHidden: true }), error.stack, ...lines].join('\n');
    expect(everything).not.toMatch(/sousa|mill\.example/i);
  });

  it('is neither when the server is away', async () => {
    const mailer = createMailer({ url: 'smtp://127.0.0.1:1', from: 'a@example.com', database, logger });
    await expect(mailer.send({ ...MAIL, messageId: 'one' })).rejects.toThrow(
      'the mail server cannot be talked to: nobody listens at 127.0.0.1:1',
    );
    mailer.close();
  });
});
