import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface Authority {
  readonly ca: string;
  /** A certificate for the names, such as `DNS:receiver.test`. With -1 `days` it ran out yesterday. */
  readonly issue: (names: string, days?: number) => Promise<Certificate>;
  readonly selfSigned: (names: string) => Promise<Certificate>;
  readonly remove: () => Promise<void>;
}

/** An authority of the test's own; nothing of it outlives the test. */
export async function createAuthority(): Promise<Authority> {
  const folder = await mkdtemp(join(tmpdir(), 'passport-ca-'));
  const path = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder });
  const newKey = (name: string) => openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', name);
  const read = async (name: string): Promise<Certificate> => ({
    cert: await readFile(path(`${name}.pem`), 'utf8'),
    key: await readFile(path(`${name}.key`), 'utf8'),
  });
  const selfSign = (name: string, subject: string, extension: string) =>
    openssl(
      ...['req', '-x509', '-key', `${name}.key`, '-subj', `/CN=${subject}`, '-days', '2'],
      ...['-addext', extension, '-out', `${name}.pem`],
    );
  await newKey('ca.key');
  await selfSign('ca', 'Test authority', 'basicConstraints=critical,CA:TRUE');
  let count = 0;
  return {
    ca: (await read('ca')).cert,
    issue: async (names, days = 2) => {
      // A serial number of its own; openssl's file of them does not bear two at once.
      const serial = (count += 1);
      const name = `leaf-${serial}`;
      await newKey(`${name}.key`);
      await openssl('req', '-new', '-key', `${name}.key`, '-subj', '/CN=receiver', '-out', `${name}.csr`);
      await writeFile(path(`${name}.ext`), `subjectAltName=${names}\n`);
      await openssl(
        ...['x509', '-req', '-in', `${name}.csr`, '-CA', 'ca.pem', '-CAkey', 'ca.key', '-set_serial', String(serial)],
        ...['-extfile', `${name}.ext`, '-days', String(days), '-out', `${name}.pem`],
      );
      return read(name);
    },
    selfSigned: async (names) => {
      const name = `self-${(count += 1)}`;
      await newKey(`${name}.key`);
      await selfSign(name, 'receiver', `subjectAltName=${names}`);
      return read(name);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
