import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { errorsDocument } from '../../scripts/errors-doc.js';

test('docs/errors.md lists every code with its status (`npm run docs` writes it)', async () => {
  expect(await readFile(new URL('../../docs/errors.md', import.meta.url), 'utf8')).toBe(errorsDocument());
});
