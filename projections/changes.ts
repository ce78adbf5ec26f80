import type { Recorded } from '../src/core/events.js';
import type { Change, Row, Table } from './projection.js';
import { handlersOf, TABLES } from './registry.js';

/** What one batch of events comes to for one row. */
interface RowChange {
  readonly key: Row;
  /** What stood there before is gone. */
  removed: boolean;
  /** The row as it is to be added, patches included. */
  row: Row | null;
  /** For a row that was there before: every column that was set, to its last value. */
  patch: Row | null;
}

/** What one batch of events comes to for one table: the arguments of its statements. */
export interface TableChanges {
  readonly table: Table;
  readonly removedKeys: readonly Row[];
  /** Everything that is part of these goes with them. */
  readonly removedParents: readonly string[];
  readonly inserts: readonly Row[];
  /** `isAdded`: the row is among the inserts, with the patch in it; the patch is for the case that the row is there already. */
  readonly patches: readonly { readonly key: Row; readonly patch: Row; readonly isAdded: boolean }[];
}

/** Events merged row by row: however many they were, each row is written once. */
export interface Changes {
  apply(event: Recorded): void;
  /** Tables that change, in an order in which they can be written. */
  tables(): TableChanges[];
}

export function createChanges(): Changes {
  const rowsOf = new Map<string, Map<string, RowChange>>();
  const removedParentsOf = new Map<string, Set<string>>();

  const rowsFor = (table: Table): Map<string, RowChange> => {
    let rows = rowsOf.get(table.name);
    if (rows === undefined) rowsOf.set(table.name, (rows = new Map<string, RowChange>()));
    return rows;
  };

  const merge = (change: Change): void => {
    const { table } = change;
    const rows = rowsFor(table);
    const keyed = change.kind === 'insert' ? change.row : change.key;
    const id = idOf(table, keyed);
    let entry = rows.get(id);
    if (entry === undefined) rows.set(id, (entry = { key: keyed, removed: false, row: null, patch: null }));
    switch (change.kind) {
      case 'insert':
        entry.row ??= change.row;
        return;
      case 'patch':
        if (entry.row !== null) entry.row = { ...entry.row, ...change.columns };
        // A row that was there before is gone, if it was removed: nothing is left to patch.
        if (!entry.removed) entry.patch = { ...entry.patch, ...change.columns };
        return;
      case 'remove':
        rows.set(id, { key: keyed, removed: true, row: null, patch: null });
        removeParts(table, id);
        return;
    }
  };

  /** Rare, so a walk over what the batch holds is cheap enough. */
  const removeParts = (parent: Table, parentId: string): void => {
    for (const table of TABLES) {
      if (table.partOf?.table !== parent.name) continue;
      const { by } = table.partOf;
      const rows = rowsFor(table);
      for (const [id, entry] of rows) if (entry.key[by] === parentId) rows.delete(id);
      const parents = removedParentsOf.get(table.name) ?? new Set<string>();
      removedParentsOf.set(table.name, parents.add(parentId));
    }
  };

  return {
    apply: (event) => {
      // All of it or nothing: a projection may fail.
      for (const change of handlersOf(event.type).flatMap((handler) => handler(event))) merge(change);
    },
    tables: () =>
      TABLES.flatMap((table) => {
        const entries = [...(rowsOf.get(table.name)?.values() ?? [])];
        const removedParents = [...(removedParentsOf.get(table.name) ?? [])];
        if (entries.length === 0 && removedParents.length === 0) return [];
        return [
          {
            table,
            removedKeys: entries.filter(({ removed }) => removed).map(({ key }) => keyOf(table, key)),
            removedParents,
            inserts: entries.flatMap(({ row }) => (row === null ? [] : [row])),
            patches: entries.flatMap(({ key, row, patch }) =>
              patch === null ? [] : [{ key: keyOf(table, key), patch, isAdded: row !== null }],
            ),
          },
        ];
      }),
  };
}

const idOf = (table: Table, row: Row): string =>
  table.key.length === 1 ? String(row[table.key[0] ?? '']) : table.key.map((column) => row[column]).join(' ');

const keyOf = (table: Table, row: Row): Row =>
  Object.fromEntries(table.key.map((column) => [column, row[column] ?? null]));
