import { createHmac } from 'node:crypto';
import canonicalize from 'canonicalize';
import pg from 'pg';
import { v7 } from 'uuid';
import { createSealer, deriveKey, type Sealer } from './encryption.js';
import type { Logger } from './logger.js';
import { createOutageLog } from './outage-log.js';
import type { Queryable } from './postgres/database.js';

/** An answer that is kept: sent again to the same call under the same key. */
export interface KeptAnswer {
  readonly status: number;
  readonly body: string;
}

export type Begun =
  /** The handler runs, with this seed; `again` when an earlier call of the same key may have done its work already. */
  | { readonly kind: 'run'; readonly seed: string; readonly again: boolean; readonly hold: Hold }
  | { readonly kind: 'replay'; readonly answer: KeptAnswer }
  | { readonly kind: 'in_use' }
  | { readonly kind: 'reused' };

/** The key while its call runs; ended once, by one of these. */
export interface Hold {
  /** Keeps the answer for 24 h; null when the next call with the key shall run again. */
  finish(answer: KeptAnswer | null): Promise<void>;
  /** The call was refused: the key is as good as new. */
  forget(): Promise<void>;
  /** The outcome is unknown: the next call runs again with the same seed. */
  abandon(): Promise<void>;
}

export interface Idempotency {
  /**
   * `request` is everything that must be the same when the key is sent again. Strangers share one scope without knowing of each
   * other, so there the same key with another request is another key.
   */
  begin(call: { scope: string; key: string; request: unknown; stranger?: boolean }): Promise<Begun>;
  close(): Promise<void>;
}

const KEPT_FOR = `interval '24 hours'`;

/**
 * Idempotency keys. While a call runs its key is held by an advisory lock of a connection that this process keeps for nothing
 * else: a process that dies loses the connection, and with it every key it held, at once.
 */
export function createIdempotency({
  url,
  database,
  encryptionKey,
  logger,
}: {
  url: string;
  database: Queryable;
  encryptionKey: Uint8Array;
  logger: Logger;
}): Idempotency {
  const digestKey = deriveKey(encryptionKey, 'idempotency/digest');
  const sealer = answerSealer(encryptionKey);
  const locks = createLocks(url, logger);

  // Keyed, as a body may hold a password.
  const digest = (value: unknown) =>
    createHmac('sha256', digestKey)
      .update(canonicalize(value) ?? '')
      .digest();

  return {
    begin: async ({ key, request, ...call }) => {
      const requestHash = digest(request);
      const scope = call.stranger === true ? `${call.scope} ${requestHash.toString('hex')}` : call.scope;
      const place = placeOf({ scope, key });
      const lock = await locks.take(digest(place).readBigInt64BE(0).toString());
      if (lock === null) return { kind: 'in_use' };
      try {
        const row = await findOrMake(database, { scope, key, requestHash });
        if (!row.made && !row.body_hash.equals(requestHash)) {
          await lock.release();
          return { kind: 'reused' };
        }
        if (row.status !== null && row.response !== null) {
          await lock.release();
          return { kind: 'replay', answer: { status: row.status, body: sealer.open(place, row.response) } };
        }
        return {
          kind: 'run',
          seed: row.seed,
          again: !row.made,
          hold: holdOf(database, { scope, key, place, sealer, lock }),
        };
      } catch (error) {
        await lock.release();
        throw error;
      }
    },
    close: () => locks.close(),
  };
}

/** Forgets keys older than 24 h, at most `limit` of them; says how many. */
export async function purgeIdempotencyKeys(db: Queryable, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from service.idempotency_keys
      where ctid in (select ctid from service.idempotency_keys where created_at < now() - ${KEPT_FOR} order by created_at limit $1)`,
    [limit],
  );
  return rowCount ?? 0;
}

export interface AnswerPlace {
  readonly scope: string;
  readonly key: string;
}

/** Each may have a megabyte. */
const ANSWERS_AT_ONCE = 10;

/**
 * The answers of these routes, whoever called them, that hold the text (in lower case): they are encrypted, so each is opened.
 * One that does not open, as after the key was exchanged, counts: nobody can say that it does not hold it, nor replay it.
 */
export async function answersShowing(
  db: Queryable,
  { encryptionKey, routes, text }: { encryptionKey: Uint8Array; routes: readonly string[]; text: string },
): Promise<readonly AnswerPlace[]> {
  const sealer = answerSealer(encryptionKey);
  const found: AnswerPlace[] = [];
  let after: AnswerPlace | undefined;
  do {
    const { rows } = await db.query<AnswerPlace & { response: Buffer }>(
      `select scope, key, response from service.idempotency_keys
        where (scope, key) > ($1, $2) and response is not null and substring(scope from '[A-Z]+ /.*$') = any($3)
        order by scope, key limit $4`,
      [after?.scope ?? '', after?.key ?? '', routes, ANSWERS_AT_ONCE],
    );
    for (const { scope, key, response } of rows) {
      const answer = openedOrNull(sealer, placeOf({ scope, key }), response);
      if (answer === null || answer.toLowerCase().includes(text)) found.push({ scope, key });
    }
    after = rows.length < ANSWERS_AT_ONCE ? undefined : rows.at(-1);
  } while (after !== undefined);
  return found;
}

function openedOrNull(sealer: Sealer, place: string, sealed: Buffer): string | null {
  try {
    return sealer.open(place, sealed);
  } catch {
    return null;
  }
}

/** Forgets the answers and keeps the seeds: such a call, sent again, runs again and finds what it made. */
export async function dropAnswers(db: Queryable, places: readonly AnswerPlace[]): Promise<void> {
  if (places.length === 0) return;
  await db.query(
    `update service.idempotency_keys set status = null, response = null
      where (scope, key) in (select * from unnest($1::text[], $2::text[]))`,
    [places.map(({ scope }) => scope), places.map(({ key }) => key)],
  );
}

/** An answer may hold an address or a secret, so it rests encrypted, good for its place alone. */
const answerSealer = (encryptionKey: Uint8Array): Sealer => createSealer(encryptionKey, 'idempotency/answers');
const placeOf = ({ scope, key }: AnswerPlace): string => `${scope}\n${key}`;

interface Row {
  readonly made: boolean;
  readonly body_hash: Buffer;
  readonly seed: string;
  readonly status: number | null;
  readonly response: Buffer | null;
}

async function findOrMake(
  database: Queryable,
  { scope, key, requestHash }: { scope: string; key: string; requestHash: Buffer },
): Promise<Row> {
  const { rows } = await database.query<Row>(
    `with made as (
       insert into service.idempotency_keys as kept (scope, key, body_hash, seed) values ($1, $2, $3, $4)
       on conflict (scope, key) do update
         set body_hash = excluded.body_hash, seed = excluded.seed, status = null, response = null, created_at = now()
         where kept.created_at < now() - ${KEPT_FOR}
       returning true as made, body_hash, seed, status, response)
     select * from made
     union all
     select false, body_hash, seed, status, response from service.idempotency_keys
      where scope = $1 and key = $2 and not exists (select from made)`,
    [scope, key, requestHash, v7()],
  );
  const row = rows[0];
  if (row === undefined) throw new Error('an idempotency key was neither made nor found');
  return row;
}

function holdOf(
  database: Queryable,
  { scope, key, place, sealer, lock }: { scope: string; key: string; place: string; sealer: Sealer; lock: Lock },
): Hold {
  const row = [scope, key];
  const ending = async (work: () => Promise<unknown>) => {
    try {
      await work();
    } finally {
      await lock.release();
    }
  };
  return {
    finish: (answer) =>
      ending(async () => {
        if (answer === null) return;
        await database.query(
          'update service.idempotency_keys set status = $3, response = $4 where scope = $1 and key = $2',
          [...row, answer.status, sealer.seal(place, answer.body)],
        );
      }),
    forget: () =>
      ending(() => database.query('delete from service.idempotency_keys where scope = $1 and key = $2', row)),
    abandon: () => ending(async () => undefined),
  };
}

interface Lock {
  release(): Promise<void>;
}

/** Any number of advisory locks on one connection; a lost connection frees them and is opened anew by the next call. */
function createLocks(url: string, logger: Logger) {
  // A session's lock can be taken twice by the same session: what this process holds, it has to know itself.
  const held = new Set<string>();
  let connection: Promise<pg.Client> | null = null;
  const locking = createOutageLog(logger, 'lost the connection that holds the idempotency locks');

  const connect = (): Promise<pg.Client> => {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'api-idempotency',
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
      keepAlive: true,
    });
    const lost = (error: Error | null) => {
      if (connection === opening) connection = null;
      if (error !== null) locking.failed(error);
    };
    client.on('error', lost);
    client.on('end', () => lost(null));
    const opening = client.connect().then(
      () => client,
      (error: Error) => {
        lost(error);
        throw error;
      },
    );
    return opening;
  };

  return {
    take: async (id: string): Promise<Lock | null> => {
      if (held.has(id)) return null;
      held.add(id);
      try {
        const client = await (connection ??= connect());
        const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [id]);
        if (rows[0]?.taken !== true) {
          held.delete(id);
          return null;
        }
        return {
          release: async () => {
            if (!held.delete(id)) return;
            // A connection that is lost has given the lock back already.
            await client.query('select pg_advisory_unlock($1)', [id]).catch((error: unknown) => locking.failed(error));
          },
        };
      } catch (error) {
        held.delete(id);
        throw error;
      }
    },
    close: async () => {
      const open = connection;
      connection = null;
      if (open !== null) await (await open).end();
    },
  };
}
