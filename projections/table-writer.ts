import type { Queryable } from '../src/infrastructure/postgres/database.js';
import type { TableChanges } from './changes.js';
import type { Table } from './projection.js';

/** A statement that takes all its rows as one JSON array. Named, so that a connection plans it once. */
interface Statement {
  readonly name: string;
  readonly text: string;
}

interface Statements {
  readonly insert: Statement;
  readonly patch: Statement;
  readonly remove: Statement;
  readonly removeParts: Statement | null;
}

/** Writes the changes of tables in `schema`: at most one statement a table and kind of change, however many rows. */
export function createTableWriter(schema: string): (connection: Queryable, changes: TableChanges) => Promise<void> {
  const statementsOf = new Map<string, Statements>();
  return async (connection, { table, removedKeys, removedParents, inserts, patches }) => {
    let statements = statementsOf.get(table.name);
    if (statements === undefined) statementsOf.set(table.name, (statements = statementsFor(schema, table)));
    const run = async (statement: Statement, rows: readonly unknown[]): Promise<number> => {
      const { rows: answer } = await connection.query<{ n: number }>({ ...statement, values: [toJson(rows)] });
      return answer[0]?.n ?? 0;
    };

    // Parts go with their parent, which may come back under the same id in the same batch: removals are first.
    if (statements.removeParts !== null && removedParents.length > 0) {
      await run(statements.removeParts, removedParents);
    }
    if (removedKeys.length > 0) await run(statements.remove, removedKeys);
    const added = inserts.length > 0 ? await run(statements.insert, inserts) : 0;
    // A row that was added holds its patches already. That one was there before is rare: an event seen for the second time.
    const rest = added === inserts.length ? patches.filter(({ isAdded }) => !isAdded) : patches;
    if (rest.length > 0) {
      await run(
        statements.patch,
        rest.map(({ key, patch }) => ({ ...key, patch })),
      );
    }
  };
}

function statementsFor(schema: string, table: Table): Statements {
  const { name, columns, key, counted, partOf } = table;
  const target = `${schema}.${name}`;
  const list = Object.keys(columns).join(', ');
  const typed = (names: readonly string[]) => names.map((column) => `${column} ${columns[column] ?? ''}`).join(', ');
  const sameKey = key.map((column) => `t.${column} = r.${column}`).join(' and ');
  const settable = Object.keys(columns).filter((column) => !key.includes(column));
  const returned = counted === undefined ? '1' : counted.by;

  const counting = (sign: '+' | '-') =>
    counted === undefined
      ? ''
      : `, counted as (
           update ${schema}.${counted.table} p set ${counted.column} = p.${counted.column} ${sign} c.n
             from (select ${counted.by} as id, count(*)::int as n from changed where ${counted.by} is not null group by 1) c
            where p.id = c.id)`;
  const withCount = (change: string, sign: '+' | '-') =>
    `with changed as (${change}) ${counting(sign)} select count(*)::int as n from changed`;
  const named = (kind: string, text: string): Statement => ({ name: `${kind} ${target}`, text });

  return {
    insert: named(
      'insert',
      withCount(
        `insert into ${target} (${list})
         select ${list} from json_to_recordset($1) as r(${typed(Object.keys(columns))})
         on conflict (${key.join(', ')}) do nothing returning ${returned}`,
        '+',
      ),
    ),
    // A column that the patch does not name keeps its value: `json_populate_record` starts from the row as it is.
    patch: named(
      'patch',
      `update ${target} t set (${settable.join(', ')}) =
         (select ${settable.map((column) => `p.${column}`).join(', ')} from json_populate_record(t, r.patch) p)
         from json_to_recordset($1) as r(${typed(key)}, patch json)
        where ${sameKey}`,
    ),
    remove: named(
      'remove',
      withCount(
        `delete from ${target} t using json_to_recordset($1) as r(${typed(key)}) where ${sameKey}
         returning ${counted === undefined ? '1' : `t.${returned}`}`,
        '-',
      ),
    ),
    removeParts:
      partOf === undefined
        ? null
        : named(
            'remove parts',
            withCount(
              `delete from ${target} t using json_array_elements_text($1) as r(id) where t.${partOf.by} = r.id
               returning ${counted === undefined ? '1' : `t.${returned}`}`,
              '-',
            ),
          ),
  };
}

/** JSON that Postgres takes as text: a character that it cannot store is dropped or replaced, the fact is not. */
function toJson(rows: readonly unknown[]): string {
  const json = JSON.stringify(rows);
  if (!json.includes('\\u')) return json;
  return JSON.stringify(rows, (_name, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value,
  );
}
