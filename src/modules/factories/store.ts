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
 * Stores a file under what it holds, before anybody is told of it: nothing goes for it. Held under an id that is no certificate's
 * until its own shows it; without that, housekeeping finds the hold as it finds the file of a certificate that is gone.
 */
export async function holdFile(
  database: Database,
  file: {
    readonly holdId: string;
    readonly factoryId: string;
    readonly sha256: string;
    readonly content: Buffer;
  },
): Promise<void> {
  await inTransaction(database, async (connection) => {
    await connection.query(
      `insert into service.certificate_files (sha256, content) values ($1, $2)
       on conflict (sha256) do update set created_at = now()`,
      [file.sha256, file.content],
    );
    await useFile(connection, { ...file, certificateId: file.holdId });
  });
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

export async function contentOfFile(db: Queryable, sha256: string): Promise<Buffer | null> {
  const { rows } = await db.query<{ content: Buffer }>(
    'select content from service.certificate_files where sha256 = $1',
    [sha256],
  );
  return rows[0]?.content ?? null;
}
