import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

const PROJECT = join(import.meta.dirname, '..', '..');
const FILES = globSync('test/**/*.test.{ts,tsx}', { cwd: PROJECT });

/** What a cell says: a file, then names of its tests in quotes, then the next file. */
function* namedIn(cell: string): Iterable<{ readonly file: string; readonly name: string }> {
  for (const part of cell.split(/;\s*(?=`)/)) {
    const file = /`?([\w-]+\.test\.ts)/.exec(part)?.[1];
    if (file === undefined) continue;
    for (const [, name = ''] of part.matchAll(/"([^"]+)"/g)) yield { file, name };
  }
}

test('every promise of docs/security.md names tests that are there', () => {
  const document = readFileSync(join(PROJECT, 'docs/security.md'), 'utf8');
  const rows = document
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\| (promise|-)/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  expect(rows.length).toBeGreaterThan(30);
  const missing: string[] = [];
  for (const [, promise = '', heldBy = ''] of rows) {
    const named = [...namedIn(heldBy)];
    if (named.length === 0) missing.push(`nothing holds "${promise}"`);
    for (const { file, name } of named) {
      const paths = FILES.filter((path) => basename(path) === file);
      if (!paths.some((path) => readFileSync(join(PROJECT, path), 'utf8').includes(name)))
        missing.push(`${file} has no test "${name}"`);
    }
  }
  expect(missing).toEqual([]);
});
