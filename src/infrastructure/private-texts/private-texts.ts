import { randomBytes, randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ERASED_TEXT } from '../../core/private-texts.js';
import { createSealer } from '../encryption.js';
import { SHARED_QUERY, type Queryable } from '../postgres/database.js';
import { sharedReads } from '../shared-reads.js';
import { keyIdsOf, openText, sealText, type TextKey } from './sealing.js';

/** Texts that can be read as long as nobody has erased one of the keys that they hang on. */
export interface PrivateTexts {
  /** The same bytes for the same text, holders and place. */
  seal(text: string, holders: readonly string[], place: string): Promise<string>;
  /** The text, or `[erased]` once a key of it is gone. What is not sealed is its own text. */
  open(text: string): Promise<string>;
  /** The same for columns of the rows that a query has answered. */
  openIn<Row extends object>(rows: readonly Row[], columns: readonly (keyof Row)[]): Promise<Row[]>;
}

const MAX_KEYS = 10_000;
/** How long a process may go on reading with a key that has been erased. */
const KEY_LIFE_MS = 2_000;

interface KeyRow {
  readonly id: string;
  readonly wrapped: Buffer;
}

/** The keys rest in Postgres, each wrapped under `encryptionKey`. */
export function createPrivateTexts({
  database,
  encryptionKey,
}: {
  readonly database: Queryable;
  readonly encryptionKey: Uint8Array;
}): PrivateTexts {
  const wrapping = createSealer(encryptionKey, 'keys of private texts');
  /** By id; an erased one is known to be so. */
  const known = new LRUCache<string, TextKey | 'erased'>({ max: MAX_KEYS, ttl: KEY_LIFE_MS });

  const unwrapped = ({ id, wrapped }: KeyRow): TextKey => ({
    id,
    bytes: Buffer.from(wrapping.open(id, wrapped), 'base64url'),
  });

  const makeKey = async (holder: string): Promise<void> => {
    const id = randomUUID();
    const wrapped = wrapping.seal(id, randomBytes(32).toString('base64url'));
    await database.query(
      'insert into service.text_keys (id, holder, wrapped) values ($1, $2, $3) on conflict (holder) do nothing',
      [id, holder, wrapped],
    );
  };

  /** Asked for each time: a text that is sealed under a key that has just been erased would be lost. */
  const keysFor = sharedReads(async (list): Promise<readonly TextKey[]> => {
    const holders = list.split(' ');
    for (;;) {
      const { rows } = await database.query<KeyRow & { readonly holder: string }>({
        text: 'select id, holder, wrapped from service.text_keys where holder = any($1) order by holder',
        values: [holders],
        ...SHARED_QUERY,
      });
      if (rows.length === holders.length) return rows.map(unwrapped);
      const known = new Set(rows.map(({ holder }) => holder));
      await Promise.all(holders.filter((holder) => !known.has(holder)).map(makeKey));
    }
  });

  const keysOf = async (ids: ReadonlySet<string>): Promise<ReadonlyMap<string, TextKey>> => {
    const keys = new Map<string, TextKey>();
    const missing: string[] = [];
    for (const id of ids) {
      const cached = known.get(id);
      if (cached === undefined) missing.push(id);
      else if (cached !== 'erased') keys.set(id, cached);
    }
    if (missing.length === 0) return keys;
    const { rows } = await database.query<KeyRow>(
      'select id, wrapped from service.text_keys where id = any($1::uuid[])',
      [missing],
    );
    for (const row of rows) keys.set(row.id, unwrapped(row));
    for (const id of missing) known.set(id, keys.get(id) ?? 'erased');
    return keys;
  };

  const openAll = async (values: readonly unknown[]): Promise<unknown[]> => {
    const idsOf = values.map((value) => (typeof value === 'string' ? keyIdsOf(value) : null));
    const keys = await keysOf(new Set(idsOf.flatMap((ids) => ids ?? [])));
    return values.map((value, index) => {
      const ids = idsOf[index];
      if (ids === null || ids === undefined) return value;
      const own = ids.flatMap((id) => keys.get(id) ?? []);
      return own.length === ids.length ? openText(value as string, own) : ERASED_TEXT;
    });
  };

  return {
    async seal(text, holders, place) {
      return sealText(text, await keysFor([...new Set(holders)].sort().join(' ')), place);
    },
    open: async (text) => (await openAll([text]))[0] as string,
    async openIn(rows, columns) {
      const opened = await openAll(rows.flatMap((row) => columns.map((column) => row[column])));
      return rows.map((row, index) => {
        const texts = columns.map((column, at) => [column, opened[index * columns.length + at]]);
        return { ...row, ...(Object.fromEntries(texts) as Partial<typeof row>) };
      });
    },
  };
}

/**
 * Erases every text that hangs on one of the holders, in every copy; answers how many of them had a key. What is said of them from
 * now on gets new keys.
 */
export async function eraseTextKeys(db: Queryable, holders: readonly string[]): Promise<number> {
  const { rowCount } = await db.query('delete from service.text_keys where holder = any($1)', [holders]);
  return rowCount ?? 0;
}
