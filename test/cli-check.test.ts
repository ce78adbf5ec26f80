import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { findFreePort } from '../src/embedded/ports.js';
import { createAuthority, type Authority, type Certificate } from './support/certificates.js';
import { startDoor, type Door } from './support/door.js';

/*
 * Every part behind TLS and a password, as somebody else runs it, and every way to have it wrong: the real client says why.
 */

const [USER, PASSWORD, WRONG] = ['olive-operator', 'hunter2', 'hunter3'] as const;
const ROOT = join(import.meta.dirname, '..');

type Kind = 'right' | 'other host' | 'expired';
type Environment = Readonly<Record<string, string>>;

let authority: Authority;
let folder: string;
let caFile: string;
let silent: Server;
const doors: Door[] = [];
const mailServers: SMTPServer[] = [];
const at = {} as Record<'eventStore' | 'workflows' | 'database' | 'mail', Record<Kind, string>>;
let plainMail: string;
let certified: Door;

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

async function mailServer(options: SMTPServerOptions): Promise<string> {
  const server = new SMTPServer({
    onAuth: ({ username, password }, _session, done) =>
      username === USER && password === PASSWORD ? done(null, { user: USER }) : done(new Error('Invalid login')),
    ...options,
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  mailServers.push(server);
  return `127.0.0.1:${portOf(server.server)}`;
}

const eventStoreHost = () => /\/\/([^?/]+)/.exec(inject('eventStoreUrl'))?.[1] ?? '';
const databaseHost = () => new URL(inject('databaseUrl')).host;

beforeAll(async () => {
  authority = await createAuthority();
  folder = await mkdtemp(join(tmpdir(), 'passport-check-'));
  caFile = join(folder, 'ca.pem');
  await writeFile(caFile, authority.ca);
  silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const names = 'IP:127.0.0.1,DNS:localhost';
  const certificates: Record<Kind, Certificate> = {
    right: await authority.issue(names),
    'other host': await authority.issue('DNS:elsewhere.test'),
    expired: await authority.issue(names, -1),
  };
  const opened = async (...door: Parameters<typeof startDoor>): Promise<string> => {
    doors.push(await startDoor(...door));
    return doors.at(-1)?.address ?? '';
  };
  const basic = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`;
  for (const part of ['eventStore', 'workflows', 'database', 'mail'] as const) at[part] = {} as Record<Kind, string>;
  for (const [kind, certificate] of Object.entries(certificates) as [Kind, Certificate][]) {
    const lock = { certificate, authorization: basic };
    at.eventStore[kind] = await opened('grpc', { ...lock, server: eventStoreHost() });
    const key = { certificate, authorization: `Bearer ${PASSWORD}` };
    at.workflows[kind] = await opened('grpc', { ...key, server: inject('temporalAddress') });
    at.database[kind] = await opened('postgres', { certificate, server: databaseHost() });
    at.mail[kind] = await mailServer({ secure: true, ...certificate });
  }
  plainMail = await mailServer({ disabledCommands: ['STARTTLS'], authOptional: true });
  certified = await startDoor('grpc', {
    ...{ certificate: certificates.right, ca: authority.ca, server: inject('temporalAddress') },
  });
  doors.push(certified);
});
afterAll(async () => {
  await Promise.all(doors.map((door) => door.close()));
  await Promise.all(mailServers.map((server) => new Promise<void>((resolve) => server.close(resolve))));
  silent.close();
  await authority.remove();
  await rm(folder, { recursive: true });
});

/** `onWaiting`: when it first says that it waits. */
const check = (words: readonly string[], env: Environment, onWaiting: () => unknown = () => undefined) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      ['dist/src/cli.js', 'check', ...words],
      { cwd: ROOT, env: { PATH: process.env.PATH ?? '', ...env } },
      (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
    child.stderr?.once('data', onWaiting);
  });

const eventStore = (host: string, query: string, password: string = PASSWORD): Environment => ({
  EVENTSTORE_URL: `esdb://${USER}:${password}@${host}?${query}`,
});
const workflows = (address: string, more: Environment = {}): Environment => ({
  ...{ EVENTSTORE_URL: 'esdb://unused', TEMPORAL_ADDRESS: address, ...more },
});
const secured = (more: Environment = {}): Environment => ({
  ...{ TEMPORAL_TLS_SERVER_CA_CERT_PATH: caFile, TEMPORAL_API_KEY: PASSWORD, ...more },
});
const database = (host: string, query = '', change: { password?: string; name?: string } = {}): Environment => {
  const url = new URL(inject('databaseUrl'));
  url.host = host;
  if (change.password !== undefined) [url.username, url.password] = [USER, change.password];
  if (change.name !== undefined) url.pathname = `/${change.name}`;
  return { DATABASE_URL: `${url.href}${query}` };
};
const mail = (host: string, scheme = 'smtps', password: string = PASSWORD): Environment => ({
  ...{
    DATABASE_URL: 'postgres://unused',
    SMTP_URL: `${scheme}://${USER}:${password}@${host}`,
    NODE_EXTRA_CA_CERTS: caFile,
  },
});
const trusted = () => `tlsCaFile=${caFile}`;
const verified = () => `?sslmode=verify-full&sslrootcert=${caFile}`;
const silentHost = () => `127.0.0.1:${portOf(silent)}`;
const NOBODY = '127.0.0.1:1';
const NO_HOST = 'nobody.invalid:1';

const UNKNOWN = 'certificate signed by an unknown authority: set';
const CUT = (part: string, setting: string) =>
  `the connection is cut: it stops, is no ${part}, or TLS is not as it wants it (${setting})`;

type Row = readonly [part: string, what: string, env: () => Environment, cause: string];
const ROWS: readonly Row[] = [
  ['event-store', 'all right', () => eventStore(at.eventStore.right, trusted()), 'can be used'],
  [
    'event-store',
    'a wrong password',
    () => eventStore(at.eventStore.right, trusted(), WRONG),
    'wrong user or password: see EVENTSTORE_URL',
  ],
  [
    'event-store',
    'an unknown authority',
    () => eventStore(at.eventStore.right, ''),
    `${UNKNOWN} tlsCaFile in EVENTSTORE_URL`,
  ],
  [
    'event-store',
    'the certificate of another',
    () => eventStore(at.eventStore['other host'], trusted()),
    'certificate of another host',
  ],
  [
    'event-store',
    'an old certificate',
    () => eventStore(at.eventStore.expired, trusted()),
    'certificate that has expired',
  ],
  [
    'event-store',
    'a file that is not there',
    () => eventStore(at.eventStore.right, 'tlsCaFile=/nowhere/ca.pem'),
    'a file with certificates is not there: see tlsCaFile in EVENTSTORE_URL',
  ],
  ['event-store', 'nobody', () => eventStore(NOBODY, 'tls=false'), `nobody listens at ${NOBODY}`],
  [
    'event-store',
    'no host',
    () => eventStore(NO_HOST, 'tls=false'),
    'there is no host of that name: see EVENTSTORE_URL',
  ],
  ['event-store', 'silence', () => eventStore(silentHost(), 'tls=false'), 'it does not answer'],
  [
    'event-store',
    'TLS where there is none',
    () => eventStore(eventStoreHost(), trusted()),
    'no TLS is spoken: see tls in EVENTSTORE_URL',
  ],
  [
    'event-store',
    'no TLS where it is wanted',
    () => eventStore(at.eventStore.right, 'tls=false'),
    CUT('event store', 'tls in EVENTSTORE_URL'),
  ],
  [
    'event-store',
    'another server',
    () => eventStore(databaseHost(), 'tls=false'),
    CUT('event store', 'tls in EVENTSTORE_URL'),
  ],

  ['workflows', 'all right', () => workflows(at.workflows.right, secured()), 'can be used'],
  [
    'workflows',
    'a wrong key',
    () => workflows(at.workflows.right, secured({ TEMPORAL_API_KEY: WRONG })),
    'wrong API key: see TEMPORAL_API_KEY',
  ],
  [
    'workflows',
    'an unknown authority',
    () => workflows(at.workflows.right, { TEMPORAL_TLS: 'true' }),
    `${UNKNOWN} TEMPORAL_TLS_SERVER_CA_CERT_PATH`,
  ],
  [
    'workflows',
    'the certificate of another',
    () => workflows(at.workflows['other host'], secured()),
    'certificate of another host',
  ],
  ['workflows', 'an old certificate', () => workflows(at.workflows.expired, secured()), 'certificate that has expired'],
  [
    'workflows',
    'a file that is not there',
    () => workflows(at.workflows.right, secured({ TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/nowhere/ca.pem' })),
    'a file with certificates is not there: see TEMPORAL_TLS_SERVER_CA_CERT_PATH',
  ],
  [
    'workflows',
    'no certificate of ours',
    () => workflows(certified.address, secured()),
    'it wants a certificate of ours',
  ],
  ['workflows', 'nobody', () => workflows(NOBODY), `nobody listens at ${NOBODY}`],
  ['workflows', 'no host', () => workflows(NO_HOST), 'there is no host of that name: see TEMPORAL_ADDRESS'],
  ['workflows', 'silence', () => workflows(silentHost()), 'it does not answer'],
  [
    'workflows',
    'TLS where there is none',
    () => workflows(inject('temporalAddress'), secured()),
    'no TLS is spoken: see TEMPORAL_TLS',
  ],
  [
    'workflows',
    'no TLS where it is wanted',
    () => workflows(at.workflows.right),
    CUT('workflow server', 'TEMPORAL_TLS'),
  ],
  ['workflows', 'another server', () => workflows(databaseHost()), CUT('workflow server', 'TEMPORAL_TLS')],
  [
    'workflows',
    'no such namespace',
    () => workflows(at.workflows.right, secured({ TEMPORAL_NAMESPACE: 'none' })),
    'there is no namespace of that name: see TEMPORAL_NAMESPACE',
  ],

  ['database', 'all right', () => database(at.database.right, verified()), 'can be used'],
  [
    'database',
    'a wrong password',
    () => database(at.database.right, verified(), { password: WRONG }),
    'wrong user or password: see DATABASE_URL',
  ],
  [
    'database',
    'an unknown authority',
    () => database(at.database.right, '?sslmode=verify-full'),
    `${UNKNOWN} sslrootcert in DATABASE_URL`,
  ],
  [
    'database',
    'the certificate of another',
    () => database(at.database['other host'], verified()),
    'certificate of another host',
  ],
  ['database', 'an old certificate', () => database(at.database.expired, verified()), 'certificate that has expired'],
  [
    'database',
    'a file that is not there',
    () => database(at.database.right, '?sslmode=verify-full&sslrootcert=/nowhere/ca.pem'),
    'a file with certificates is not there: see sslrootcert in DATABASE_URL',
  ],
  ['database', 'nobody', () => database(NOBODY), `nobody listens at ${NOBODY}`],
  ['database', 'no host', () => database(NO_HOST), 'there is no host of that name: see DATABASE_URL'],
  ['database', 'silence', () => database(silentHost()), 'it does not answer'],
  [
    'database',
    'TLS where there is none',
    () => database(databaseHost(), verified()),
    'no TLS is spoken: see sslmode in DATABASE_URL',
  ],
  [
    'database',
    'no TLS where it is wanted',
    () => database(at.database.right),
    CUT('database', 'sslmode in DATABASE_URL'),
  ],
  ['database', 'another server', () => database(eventStoreHost()), CUT('database', 'sslmode in DATABASE_URL')],
  [
    'database',
    'no such database',
    () => database(databaseHost(), '', { name: 'none' }),
    'there is no database of that name: see DATABASE_URL',
  ],

  ['mail', 'all right', () => mail(at.mail.right), 'can be used'],
  ['mail', 'a wrong password', () => mail(at.mail.right, 'smtps', WRONG), 'wrong user or password: see SMTP_URL'],
  [
    'mail',
    'an unknown authority',
    () => ({ ...mail(at.mail.right), NODE_EXTRA_CA_CERTS: '' }),
    `${UNKNOWN} NODE_EXTRA_CA_CERTS`,
  ],
  ['mail', 'the certificate of another', () => mail(at.mail['other host']), 'certificate of another host'],
  ['mail', 'an old certificate', () => mail(at.mail.expired), 'certificate that has expired'],
  ['mail', 'nobody', () => mail(NOBODY, 'smtp'), `nobody listens at ${NOBODY}`],
  ['mail', 'no host', () => mail(NO_HOST, 'smtp'), 'there is no host of that name: see SMTP_URL'],
  ['mail', 'silence', () => mail(silentHost(), 'smtp'), 'it does not answer'],
  ['mail', 'TLS where there is none', () => mail(plainMail), 'no TLS is spoken: see smtp:// or smtps:// in SMTP_URL'],
  ['mail', 'no TLS where it is wanted', () => mail(at.mail.right, 'smtp'), 'it does not answer'],
];

describe('check', () => {
  /** One program looks at all the parts that have the same wrong with them. */
  const checked = new Map<string, ReturnType<typeof check>>();
  const checkAll = (what: string) => {
    const rows = ROWS.filter((row) => row[1] === what);
    const environment = rows.reduceRight<Environment>((all, [, , env]) => ({ ...all, ...env() }), {});
    const found =
      checked.get(what) ??
      check(
        rows.map(([part]) => part),
        environment,
      );
    checked.set(what, found);
    return found;
  };

  test.each(ROWS)('of %s, with %s, says so', { timeout: 30_000 }, async (part, what, _environment, cause) => {
    const { code, out } = await checkAll(what);
    expect(out.split('\n').filter((line) => line.startsWith(`${part}: `))).toEqual([`${part}: ${cause}`]);
    expect(code).toBe(what === 'all right' ? 0 : 1);
  });

  test('tells no user, no password and no key', async () => {
    const everything = await Promise.all([...new Set(ROWS.map(([, what]) => what))].map(checkAll));
    for (const { out, err } of everything) expect(out + err).not.toMatch(/olive|hunter/);
  });

  test('of everything at once looks at each part for itself', async () => {
    const environment = {
      ...workflows(NOBODY),
      ...mail(NOBODY, 'smtp'),
      ...database(databaseHost()),
      ...eventStore(NOBODY, 'tls=false'),
    };
    const { code, out } = await check([], environment);
    expect(out.split('\n')).toEqual([
      'database: can be used',
      `event-store: nobody listens at ${NOBODY}`,
      `workflows: nobody listens at ${NOBODY}`,
      `mail: nobody listens at ${NOBODY}`,
      '',
    ]);
    expect(code).toBe(1);
  });

  test('waits for a part that is not there yet, and says a cause once', async () => {
    const port = await findFreePort();
    const server = new SMTPServer({ disabledCommands: ['STARTTLS', 'AUTH'], authOptional: true });
    const waiting = check(['mail', '--wait', '40'], mail(`127.0.0.1:${port}`, 'smtp'), async () => {
      // A second try has found the same.
      await sleep(1_500);
      server.listen(port, '127.0.0.1');
    });
    const { code, out, err } = await waiting;
    await new Promise<void>((resolve) => server.close(resolve));
    expect([code, out]).toEqual([0, 'mail: can be used\n']);
    expect(err).toBe(`waiting: mail: nobody listens at 127.0.0.1:${port}\n`);
  });

  test.each([['gold'], ['mail', '--wait'], ['--wait', 'long'], ['--wait', '99999']])(
    'takes no %s %s',
    async (...words) => {
      expect((await check(words, {})).code).toBe(2);
    },
  );

  test('names a setting that it needs and does not have', async () => {
    expect(await check(['event-store'], { DATABASE_URL: 'postgres://unused' })).toMatchObject({
      ...{ code: 1, err: 'configuration: EVENTSTORE_URL (is not set)\n' },
    });
  });
});
