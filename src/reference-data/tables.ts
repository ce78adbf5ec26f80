import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';

export type Row = Readonly<Record<string, string>>;

const fileUrl = (name: string, type: 'csv' | 'json' = 'csv'): URL =>
  new URL(`../../reference-data/${name}.${type}`, import.meta.url);

/** The rows of `reference-data/<name>.csv` by column name; a blank cell is an empty string. */
export const readTable = (name: string): readonly Row[] => parse<Row>(readFileSync(fileUrl(name)), { columns: true });

/** What `reference-data/<name>.json` holds. */
export const readJson = (name: string): unknown => JSON.parse(readFileSync(fileUrl(name, 'json'), 'utf8'));

/** The cell of a column that the table must have. */
export function cell(row: Row, column: string): string {
  const value = row[column];
  if (value === undefined) throw new Error(`reference data: there is no column "${column}"`);
  return value;
}

/** The leading number of a cell (`2.4`, `0.029*minutes`), or null if it holds none. */
export function numberOrNull(row: Row, column: string): number | null {
  const value = Number.parseFloat(cell(row, column));
  return Number.isNaN(value) ? null : value;
}

export function numberIn(row: Row, column: string): number {
  const value = numberOrNull(row, column);
  if (value === null) throw new Error(`reference data: "${column}" holds no number: ${JSON.stringify(row)}`);
  return value;
}

/** SHA-256 of what `sha256sum a.csv b.csv ...` prints for the files in this order: a shell can check it. */
export function hashOfTables(names: readonly string[]): string {
  const lines = names.map((name) => {
    const digest = createHash('sha256').update(readFileSync(fileUrl(name))).digest('hex');
    return `${digest}  ${name}.csv\n`;
  });
  return createHash('sha256').update(lines.join('')).digest('hex');
}
