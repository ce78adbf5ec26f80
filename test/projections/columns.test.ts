import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** A table of the read models in a statement; the checkpoint is no such table, and commands of the operator move it. */
const READ_MODEL = /\b(?:from|join|into|update|table|analyze)\s+(?:only\s+)?read\.(?!checkpoint\b)\w+/i;

test('tables of the read models are named in projections alone', () => {
  const elsewhere = globSync(['src/**/*.ts', 'workflows/**/*.ts', 'scripts/**/*.ts'], { cwd: ROOT });
  const readers = globSync('projections/*/queries.ts', { cwd: ROOT });
  const naming = (files: readonly string[]) =>
    files.filter((file) => READ_MODEL.test(readFileSync(join(ROOT, file), 'utf8'))).sort();
  expect(naming(elsewhere)).toEqual([]);
  // What is looked for is there to be found.
  expect(naming(readers)).toEqual(readers.sort());
});
