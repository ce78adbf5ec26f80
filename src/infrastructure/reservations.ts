import pg from 'pg';
import { gathered } from './gathered.js';
import { SHARED_QUERY, type Queryable } from './postgres/database.js';

/** A value that only one record of an organization may have, such as a product's SKU. */
export interface ReservationKey {
  readonly kind: string;
  readonly value: string;
}

interface Owner {
  readonly organizationId: string;
  readonly ownerId: string;
}

/**
 * Between reserving and appending lie milliseconds. A reservation older than this whose owner does not have the value was
 * left behind by a process that died in between.
 */
const ABANDONED_AFTER_S = 30;

/**
 * Reserves all keys in one statement. `reserved` are those that this call made the owner's (what to release should the
 * append fail), `taken` those that belong to somebody else; keys the owner has already are in neither.
 * `holds` says whether a record has the value it reserved long ago.
 */
export async function reserveAll(
  db: Queryable,
  claim: Owner & {
    readonly keys: readonly ReservationKey[];
    readonly holds: (ownerId: string, key: ReservationKey) => Promise<boolean>;
  },
): Promise<{ readonly reserved: readonly ReservationKey[]; readonly taken: readonly ReservationKey[] }> {
  if (claim.keys.length === 0) return { reserved: [], taken: [] };
  const keys = claim.keys.toSorted(inOneOrder);
  const reserved = [...(await inserterOf(db)(claim))];
  const taken: ReservationKey[] = [];
  for (const key of keys) {
    if (reserved.some(({ kind, value }) => kind === key.kind && value === key.value)) continue;
    const outcome = await contest(db, { ...claim, key });
    if (outcome === 'taken') taken.push(key);
    if (outcome === 'reserved') reserved.push(key);
  }
  return { reserved, taken };
}

type Claim = Owner & { readonly keys: readonly ReservationKey[] };

/** One commit for all who reserve at the same moment, whoever they are. */
const inserters = new WeakMap<Queryable, (claim: Claim) => Promise<readonly ReservationKey[]>>();

function inserterOf(db: Queryable): (claim: Claim) => Promise<readonly ReservationKey[]> {
  const known = inserters.get(db);
  if (known !== undefined) return known;
  const inserter = gathered((claims: readonly Claim[]) => insertFree(db, claims), {
    // What the server refuses it has not done; a value that it does not take shall be nobody else's fault.
    isTriedAlone: (error) => error instanceof pg.DatabaseError && /^(22|54)/.test(error.code ?? ''),
  });
  inserters.set(db, inserter);
  return inserter;
}

/** Reserves what is free; answers, in the order of the claims, what each has reserved. */
async function insertFree(db: Queryable, claims: readonly Claim[]): Promise<readonly (readonly ReservationKey[])[]> {
  const wanted = claims
    .flatMap(({ organizationId, ownerId, keys }) => keys.map((key) => ({ ...key, organizationId, ownerId })))
    .toSorted(inOneOrderOfAll);
  const { rows } = await db.query<Wanted>({
    ...INSERT_FREE,
    values: [
      wanted.map(({ organizationId }) => organizationId),
      wanted.map(({ kind }) => kind),
      wanted.map(({ value }) => value),
      wanted.map(({ ownerId }) => ownerId),
    ],
  });
  const inserted = new Set(rows.map(placeOf));
  // Each is the doing of one claim: of two calls for one record that want the same value, the second finds it there.
  return claims.map(({ organizationId, ownerId, keys }) =>
    keys.filter((key) => inserted.delete(placeOf({ ...key, organizationId, ownerId }))),
  );
}

type Wanted = ReservationKey & Owner;

const placeOf = ({ organizationId, ownerId, kind, value }: Wanted): string =>
  [organizationId, ownerId, kind, value].join('\n');

const INSERT_FREE = {
  ...SHARED_QUERY,
  name: 'insert-free-reservations',
  text: `insert into service.reservations (organization_id, kind, value, owner_id)
         select * from unnest($1::text[], $2::text[], $3::text[], $4::text[])
         on conflict do nothing
         returning organization_id as "organizationId", kind, value, owner_id as "ownerId"`,
};

/**
 * Reserves what is free of the keys of many owners, in one statement; answers, by owner, what it reserved. What somebody has
 * already, the owner itself or another, is left for `reserveAll`.
 */
export async function reserveFree(
  db: Queryable,
  organizationId: string,
  claims: readonly { readonly ownerId: string; readonly keys: readonly ReservationKey[] }[],
): Promise<ReadonlyMap<string, readonly ReservationKey[]>> {
  const wanted = claims.flatMap(({ ownerId, keys }) => keys.map((key) => ({ ...key, ownerId }))).toSorted(inOneOrder);
  if (wanted.length === 0) return new Map();
  const { rows } = await db.query<ReservationKey & { ownerId: string }>(
    `insert into service.reservations (organization_id, kind, value, owner_id)
     select $1, key.kind, key.value, key.owner_id
       from unnest($2::text[], $3::text[], $4::text[]) as key (kind, value, owner_id)
     on conflict do nothing
     returning kind, value, owner_id as "ownerId"`,
    [
      organizationId,
      wanted.map(({ kind }) => kind),
      wanted.map(({ value }) => value),
      wanted.map(({ ownerId }) => ownerId),
    ],
  );
  return Map.groupBy(rows, ({ ownerId }) => ownerId);
}

const inOneOrderOfAll = (a: Wanted, b: Wanted): number =>
  a.organizationId === b.organizationId ? inOneOrder(a, b) : a.organizationId < b.organizationId ? -1 : 1;

/** For everybody, so that two callers with several keys in common cannot lock each other out. */
const inOneOrder = (a: ReservationKey, b: ReservationKey): number =>
  a.kind === b.kind ? (a.value < b.value ? -1 : 1) : a.kind < b.kind ? -1 : 1;

/**
 * Who has the value: the first that asked for it. For records that are made by whoever comes first and found by all others;
 * no harm is done by an owner that never came to be, as the next caller makes it.
 */
export async function ownerOf(db: Queryable, claim: Owner & ReservationKey): Promise<string> {
  const place = [claim.organizationId, claim.kind, claim.value];
  await db.query(
    `insert into service.reservations (organization_id, kind, value, owner_id) values ($1, $2, $3, $4)
     on conflict do nothing`,
    [...place, claim.ownerId],
  );
  const { rows } = await db.query<{ owner_id: string }>(
    'select owner_id from service.reservations where organization_id = $1 and kind = $2 and value = $3',
    place,
  );
  const owner = rows[0];
  if (owner === undefined) throw new Error(`the reservation of a ${claim.kind} has gone`);
  return owner.owner_id;
}

/** Who has which of the keys, in one query. */
export async function reservationOwners(
  db: Queryable,
  organizationId: string,
  keys: readonly ReservationKey[],
): Promise<readonly (ReservationKey & { readonly ownerId: string })[]> {
  if (keys.length === 0) return [];
  const { rows } = await db.query<ReservationKey & { ownerId: string }>({
    ...OWNERS,
    values: [organizationId, keys.map(({ kind }) => kind), keys.map(({ value }) => value)],
  });
  return rows;
}

const OWNERS = {
  name: 'reservation-owners',
  text: `select held.kind, held.value, held.owner_id as "ownerId"
           from unnest($2::text[], $3::text[]) as key (kind, value)
           join service.reservations held
             on held.organization_id = $1 and held.kind = key.kind and held.value = key.value`,
};

/** Frees those of the values that are the owner's. */
export async function releaseAll(
  db: Queryable,
  { organizationId, ownerId, keys }: Owner & { readonly keys: readonly ReservationKey[] },
): Promise<void> {
  if (keys.length === 0) return;
  await db.query(
    `delete from service.reservations
     where organization_id = $1 and owner_id = $2
       and (kind, value) in (select * from unnest($3::text[], $4::text[]))`,
    [organizationId, ownerId, keys.map(({ kind }) => kind), keys.map(({ value }) => value)],
  );
}

/** Frees whatever the owner has. */
export async function releaseOwner(db: Queryable, { organizationId, ownerId }: Owner): Promise<void> {
  await db.query('delete from service.reservations where organization_id = $1 and owner_id = $2', [
    organizationId,
    ownerId,
  ]);
}

/** Somebody has the key: the owner itself, another record, or one that never came to be. */
async function contest(
  db: Queryable,
  claim: Owner & {
    readonly key: ReservationKey;
    readonly holds: (ownerId: string, key: ReservationKey) => Promise<boolean>;
  },
): Promise<'own' | 'reserved' | 'taken'> {
  const { organizationId, ownerId, key } = claim;
  const place = [organizationId, key.kind, key.value];
  const found = await db.query<{ owner_id: string; abandoned: boolean }>(
    `select owner_id, reserved_at < now() - make_interval(secs => $4) as abandoned
     from service.reservations where organization_id = $1 and kind = $2 and value = $3`,
    [...place, ABANDONED_AFTER_S],
  );
  const holder = found.rows[0];
  if (holder?.owner_id === ownerId) return 'own';
  if (holder !== undefined && (!holder.abandoned || (await claim.holds(holder.owner_id, key)))) return 'taken';
  // Released in this moment, or never used. Who else saw the same is kept out by the owner that was seen.
  const won = await db.query(
    `insert into service.reservations as held (organization_id, kind, value, owner_id) values ($1, $2, $3, $4)
     on conflict (organization_id, kind, value) do update set owner_id = excluded.owner_id, reserved_at = now()
     where held.owner_id = $5`,
    [...place, ownerId, holder?.owner_id ?? ''],
  );
  return won.rowCount === 1 ? 'reserved' : 'taken';
}
