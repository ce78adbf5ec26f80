import { Refusal, type FieldError } from '../../core/errors.js';
import { FILE_COLUMNS, fieldOfColumn } from './fields.js';
import { headerKey, type Column } from './header.js';
import { recognize, type HowRecognized } from './recognize.js';
import { fieldInSystem, ownName, systemOf } from './systems.js';

/** Header -> name of a column, or null for a column that is not imported. */
export type Mapping = Readonly<Record<string, string | null>>;

export interface MappedColumn extends Column {
  readonly field: string | null;
  /** How the field was found; null where there is none. */
  readonly how: HowRecognized | 'system' | 'saved' | 'given' | null;
}

export interface Mapped {
  readonly columns: readonly MappedColumn[];
  readonly mapping: Mapping;
  readonly unmapped: readonly string[];
  readonly unmappedRequired: readonly string[];
  readonly notes: readonly string[];
}

const RANK: Readonly<Record<NonNullable<MappedColumn['how']>, number>> = {
  given: 0,
  saved: 1,
  system: 2,
  exact: 3,
  normalized: 4,
  meaning: 5,
};

/**
 * Which field each column is: as given, else as saved for such files, else as in the system that the file comes from, else as
 * its header says. A field has one column; where two could be it, the surer one is, then the one further left.
 */
export function mapColumns(
  columns: readonly Column[],
  { saved = {}, given = {} }: { readonly saved?: Mapping; readonly given?: Mapping } = {},
): Mapped {
  const givenFor = checkGiven(columns, given);
  const savedFor = new Map(Object.entries(saved).map(([header, field]) => [headerKey(header), field]));
  const system = systemOf(columns);
  const wishes = columns.map((column): MappedColumn => {
    const key = headerKey(column.header);
    const told = givenFor.get(key);
    if (told !== undefined) return { ...column, field: told, how: told === null ? null : 'given' };
    const kept = savedFor.get(key);
    if (kept !== undefined) return { ...column, field: kept, how: kept === null ? null : 'saved' };
    const known = system === null ? undefined : fieldInSystem(system, column.header);
    if (known !== undefined) return { ...column, field: known, how: known === null ? null : 'system' };
    const { field, how } = recognize(ownName(system, column.header)) ?? { field: null, how: null };
    return { ...column, field, how };
  });

  const owners = new Map<string, MappedColumn>();
  for (const wish of wishes) {
    if (wish.field === null || wish.how === null) continue;
    const owner = owners.get(wish.field);
    if (owner?.how == null || RANK[wish.how] < RANK[owner.how]) owners.set(wish.field, wish);
  }
  const notes =
    system === null ? [] : [`The columns are those of an export from ${system.name}.`, ...(system.notes ?? [])];
  const mapped = wishes.map((wish): MappedColumn => {
    const owner = wish.field === null ? undefined : owners.get(wish.field);
    if (owner === undefined || owner === wish) return wish;
    notes.push(
      `"${wish.header}" would be "${wish.field}" too, which is read from "${owner.header}"; it is not imported.`,
    );
    return { ...wish, field: null, how: null };
  });
  return {
    columns: mapped,
    mapping: Object.fromEntries(mapped.map(({ header, field }) => [header, field])),
    unmapped: mapped.filter(({ field }) => field === null).map(({ header }) => header),
    unmappedRequired: owners.has('name') ? [] : ['name'],
    notes,
  };
}

/** Refuses headers that the file does not have, and what `refuseUnknownFields` does. */
function checkGiven(columns: readonly Column[], given: Mapping): ReadonlyMap<string, string | null> {
  const headers = new Set(columns.map(({ header }) => headerKey(header)));
  refuse([
    ...Object.keys(given)
      .filter((header) => !headers.has(headerKey(header)))
      .map((header) => problem(header, `The file has no column "${header}".`)),
    ...mistakesIn(given),
  ]);
  return new Map(Object.entries(given).map(([header, field]) => [headerKey(header), field]));
}

/** Refuses fields that do not exist, and one field for two columns. */
export const refuseUnknownFields = (mapping: Mapping): void => refuse(mistakesIn(mapping));

function mistakesIn(mapping: Mapping): readonly FieldError[] {
  const owners = new Map<string, string>();
  return Object.entries(mapping).flatMap(([header, field]) => {
    if (field === null) return [];
    if (fieldOfColumn(field) === null) {
      return [problem(header, `There is no field "${field}". Fields: ${FILE_COLUMNS.join(', ')}.`)];
    }
    const twin = owners.get(field);
    owners.set(field, header);
    return twin === undefined ? [] : [problem(header, `"${twin}" and "${header}" cannot both be "${field}".`)];
  });
}

const problem = (header: string, message: string): FieldError => ({
  path: `mapping.${header}`,
  code: 'invalid_input',
  message,
});

function refuse(errors: readonly FieldError[]): void {
  const [first] = errors;
  if (first !== undefined) throw new Refusal('invalid_input', first.message, { errors });
}
