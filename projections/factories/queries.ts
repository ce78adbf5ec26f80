import type { Queryable } from '../../src/infrastructure/postgres/database.js';

/** The factory that has the certificate. */
export async function factoryOfCertificate(db: Queryable, certificateId: string): Promise<string | null> {
  const { rows } = await db.query<{ factoryId: string }>(
    'select factory_id as "factoryId" from read.certificates where id = $1',
    [certificateId],
  );
  return rows[0]?.factoryId ?? null;
}
