import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { Refusal } from '../../core/errors.js';
import {
  inTransaction,
  type Connection,
  type Database,
  type Queryable,
} from '../../infrastructure/postgres/database.js';

/** Keeps the address of an entry of this factory out of the log; null takes it away. */
export async function keepAddress(
  db: Queryable,
  {
    factoryId,
    entryId,
    address,
  }: { readonly factoryId: string; readonly entryId: string; readonly address: string | null },
): Promise<void> {
  if (address === null) {
    await db.query('delete from service.catalogue_addresses where entry_id = $1 and factory_id = $2', [
      entryId,
      factoryId,
    ]);
    return;
  }
  await db.query(
    `insert into service.catalogue_addresses (entry_id, factory_id, address) values ($1, $2, $3)
     on conflict (entry_id) do update set address = excluded.address`,
    [entryId, factoryId, address],
  );
}

/** The addresses of a factory's entries, by their ids. */
export async function addressesOf(db: Queryable, factoryId: string): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query<{ id: string; address: string }>(
    'select entry_id as id, address from service.catalogue_addresses where factory_id = $1',
    [factoryId],
  );
  return new Map(rows.map(({ id, address }) => [id, address]));
}

/**
 * Stores a file under what it holds, if there is room for it, before anybody is told of it: nothing goes for it. Held under an id that is no certificate's
 * until its own shows it; without that, housekeeping finds the hold as it finds the file of a certificate that is gone.
 */
export async function holdFile(
  database: Database,
  file: {
    readonly holdId: string;
    readonly factoryId: string;
    readonly certificateId: string;
    readonly sha256: string;
    readonly bytes: number;
    readonly path: string;
    readonly quotaBytes: number;
  },
): Promise<void> {
  const { holdId, factoryId, sha256, bytes } = file;
  await inTransaction(database, async (connection) => {
    // Two that come at once are not both the last one that fits.
    await connection.query("select pg_advisory_xact_lock(hashtextextended('copies of ' || $1, 0))", [factoryId]);
    await refuseBeyondQuota(connection, file);
    const stored = await connection.query<{ isNew: boolean }>(
      `insert into service.certificate_files (sha256, bytes) values ($1, $2)
       on conflict (sha256) do update set created_at = now() returning xmax = 0 as "isNew"`,
      [sha256, bytes],
    );
    if (stored.rows[0]?.isNew === true) await storeParts(connection, file);
    await useFile(connection, { certificateId: holdId, factoryId, sha256 });
  });
}

/** Holds a file that is stored; false when it has gone meanwhile. */
export async function holdStoredFile(
  database: Database,
  hold: { readonly holdId: string; readonly factoryId: string; readonly sha256: string },
): Promise<boolean> {
  return inTransaction(database, async (connection) => {
    const { rowCount } = await connection.query(
      'select 1 from service.certificate_files where sha256 = $1 for key share',
      [hold.sha256],
    );
    if (rowCount === 0) return false;
    await useFile(connection, { ...hold, certificateId: hold.holdId });
    return true;
  });
}

/** What a factory keeps, each content once, and without that of the certificate which gets another one. */
export async function refuseBeyondQuota(
  db: Queryable,
  {
    factoryId,
    certificateId,
    sha256,
    bytes,
    quotaBytes,
  }: {
    readonly factoryId: string;
    readonly certificateId: string | null;
    readonly sha256: string;
    readonly bytes: number;
    readonly quotaBytes: number;
  },
): Promise<void> {
  const { rows } = await db.query<{ kept: number }>(
    `select coalesce(sum(bytes), 0)::bigint as kept from service.certificate_files
      where sha256 <> $2 and sha256 in
        (select sha256 from service.certificate_file_uses
          where factory_id = $1 and certificate_id is distinct from $3)`,
    [factoryId, sha256, certificateId],
  );
  if ((rows[0]?.kept ?? 0) + bytes <= quotaBytes) return;
  const quotaMiB = Math.floor(quotaBytes / 1024 / 1024);
  throw new Refusal('file_quota', `The copies of all certificates take at most ${quotaMiB} MiB; remove one first.`);
}

const PART_BYTES = 256 * 1024;

/** Piece by piece from the disk: a whole one is never in memory. */
async function storeParts(connection: Connection, { sha256, path }: { sha256: string; path: string }): Promise<void> {
  let part = 0;
  for await (const content of createReadStream(path, { highWaterMark: PART_BYTES }) as AsyncIterable<Buffer>) {
    await connection.query('insert into service.certificate_file_parts (sha256, part, content) values ($1, $2, $3)', [
      sha256,
      part,
      content,
    ]);
    part += 1;
  }
}

/** Has the certificate show the file that its stream names, and lets go of the one before and of the hold. */
export async function showNamedFile(
  database: Database,
  { certificateId, factoryId, holdId }: { certificateId: string; factoryId: string; holdId?: string },
  named: () => Promise<string | null>,
): Promise<void> {
  await inTransaction(database, async (connection) => {
    // One after the other, each with what the stream says then: the last one shows the last word.
    await connection.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [certificateId]);
    const sha256 = await named();
    const before = await connection.query<{ sha256: string }>(
      'delete from service.certificate_file_uses where certificate_id = any($1) returning sha256',
      [holdId === undefined ? [certificateId] : [certificateId, holdId]],
    );
    const concerned = [sha256, ...before.rows.map((use) => use.sha256)];
    // In one order, for two certificates that change their files for each other's.
    const stored = await connection.query<{ sha256: string }>(
      'select sha256 from service.certificate_files where sha256 = any($1) order by sha256 for update',
      [concerned],
    );
    for (const content of stored.rows) {
      if (content.sha256 === sha256) await useFile(connection, { certificateId, factoryId, sha256 });
      else await dropUnused(connection, content.sha256);
    }
  });
}

/** Has the certificate show a file that is stored. */
export async function useFile(
  db: Queryable,
  {
    certificateId,
    factoryId,
    sha256,
  }: { readonly certificateId: string; readonly factoryId: string; readonly sha256: string },
): Promise<void> {
  await db.query(
    `insert into service.certificate_file_uses (certificate_id, factory_id, sha256) values ($1, $2, $3)
     on conflict (certificate_id) do update
       set sha256 = excluded.sha256, factory_id = excluded.factory_id, checked_at = now()`,
    [certificateId, factoryId, sha256],
  );
}

/** A certificate that shows a file, as it was when it was looked at. */
export interface FileUse {
  readonly certificateId: string;
  readonly factoryId: string;
  readonly sha256: string;
  readonly checkedAt: Date;
}

/** Those that nobody has looked at for the longest time. */
export async function fileUsesToCheck(db: Queryable, agedS: number, limit: number): Promise<readonly FileUse[]> {
  const { rows } = await db.query<FileUse>(
    `select certificate_id as "certificateId", factory_id as "factoryId", sha256, checked_at as "checkedAt"
       from service.certificate_file_uses
      where factory_id is not null and checked_at < now() - make_interval(secs => $1)
      order by checked_at limit $2`,
    [agedS, limit],
  );
  return rows;
}

export async function noteChecked(db: Queryable, certificateIds: readonly string[]): Promise<void> {
  await db.query('update service.certificate_file_uses set checked_at = now() where certificate_id = any($1)', [
    certificateIds,
  ]);
}

/** The entries belong to another factory from now on. */
export async function moveAddresses(db: Queryable, from: string, to: string): Promise<void> {
  await db.query('update service.catalogue_addresses set factory_id = $2 where factory_id = $1', [from, to]);
}

/**
 * The certificate is gone; a file that no other one shows goes with it. With `checkedAt`, only if nobody has attached one since.
 */
export async function dropFileOf(
  database: Database,
  { certificateId, checkedAt }: { readonly certificateId: string; readonly checkedAt?: Date },
): Promise<void> {
  await inTransaction(database, async (connection) => {
    const { rows } = await connection.query<{ sha256: string }>(
      `delete from service.certificate_file_uses
        where certificate_id = $1 and ($2::timestamptz is null or date_trunc('milliseconds', checked_at) = $2)
       returning sha256`,
      [certificateId, checkedAt ?? null],
    );
    for (const { sha256 } of rows) await dropUnused(connection, sha256);
  });
}

async function dropUnused(connection: Connection, sha256: string): Promise<void> {
  // Whoever stores the same file holds this row: what is seen after it is what they have done.
  await connection.query('select 1 from service.certificate_files where sha256 = $1 for update', [sha256]);
  await connection.query(
    `delete from service.certificate_files f
      where sha256 = $1 and not exists (select 1 from service.certificate_file_uses where sha256 = f.sha256)`,
    [sha256],
  );
}

/** The content of a file, piece by piece; null when it is not there. */
export async function contentOfFile(db: Queryable, sha256: string, bytes: number): Promise<Readable | null> {
  const partOf = async (part: number): Promise<Buffer | null> => {
    const { rows } = await db.query<{ content: Buffer }>(
      'select content from service.certificate_file_parts where sha256 = $1 and part = $2',
      [sha256, part],
    );
    return rows[0]?.content ?? null;
  };
  const first = await partOf(0);
  return first === null ? null : Readable.from(parts(first, partOf, bytes), { objectMode: false });
}

async function* parts(
  first: Buffer,
  partOf: (part: number) => Promise<Buffer | null>,
  bytes: number,
): AsyncGenerator<Buffer> {
  yield first;
  for (let [part, sent] = [1, first.length]; sent < bytes; part += 1) {
    const content = await partOf(part);
    // Whoever reads has been told how long it is, and sees that this is not all.
    if (content === null) throw new Error('the copy of a certificate was removed while it was read');
    sent += content.length;
    yield content;
  }
}
