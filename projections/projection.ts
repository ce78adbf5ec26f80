import type { DomainEvent, Recorded, RecordedOf } from '../src/core/events.js';

export type ColumnType = 'text' | 'bigint' | 'integer' | 'double precision' | 'boolean';
export type Columns = Readonly<Record<string, ColumnType>>;

type ValueOf<Type extends ColumnType> = Type extends 'text' ? string : Type extends 'boolean' ? boolean : number;
type RowOf<C extends Columns> = { readonly [Name in keyof C]: ValueOf<C[Name]> | null };

/** What a projection may write of a table: counts and generated columns are not among its columns. */
export interface Table<C extends Columns = Columns, Key extends string = string> {
  readonly name: string;
  readonly columns: C;
  readonly key: readonly Key[];
  /** Rows are counted in `column` of the `table` row whose id is in `by`: kept by the projector, from rows really added and removed. */
  readonly counted?: CountedIn;
  /** Rows belong to the `table` row whose id is in `by` and are removed with it. `by` leads the primary key. */
  readonly partOf?: { readonly table: string; readonly by: string };
}

export interface CountedIn {
  readonly table: string;
  readonly column: string;
  readonly by: string;
}

export type Row = Readonly<Record<string, string | number | boolean | null>>;

/** One change of one row. Any of them made twice is as good as made once. */
export type Change =
  /** Adds the row; a row that is there already stays as it is. */
  | { readonly kind: 'insert'; readonly table: Table; readonly row: Row }
  /** Sets columns of a row, to values that do not depend on what it holds; nothing happens to a row that is not there. */
  | { readonly kind: 'patch'; readonly table: Table; readonly key: Row; readonly columns: Row }
  | { readonly kind: 'remove'; readonly table: Table; readonly key: Row };

export const table = <const C extends Columns, const Key extends keyof C & string>(
  definition: Table<C, Key>,
): Table<C, Key> => definition;

export const insert = <C extends Columns, Key extends string>(into: Table<C, Key>, row: RowOf<C>): Change => ({
  kind: 'insert',
  table: into,
  row,
});

export const patch = <C extends Columns, Key extends keyof C & string>(
  of: Table<C, Key>,
  key: Pick<RowOf<C>, Key>,
  columns: Partial<Omit<RowOf<C>, Key>>,
): Change => ({ kind: 'patch', table: of, key, columns: columns as Row });

export const remove = <C extends Columns, Key extends keyof C & string>(
  from: Table<C, Key>,
  key: Pick<RowOf<C>, Key>,
): Change => ({ kind: 'remove', table: from, key });

/** From event type to what the event changes. A type without an entry changes nothing. */
export type Projection = Readonly<Record<string, (event: Recorded) => readonly Change[]>>;

/** A projection of the events of one module, each handler typed by its event. */
export const projection = <E extends DomainEvent>(handlers: {
  readonly [Type in E['type']]?: (event: RecordedOf<Extract<E, { type: Type }>>) => readonly Change[];
}): Projection => handlers as unknown as Projection;
