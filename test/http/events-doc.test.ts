import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { eventsDocument } from '../../scripts/events-doc.js';

test('docs/events.md tells every event and every body that is sent (`npm run docs` writes it)', async () => {
  expect(await readFile(new URL('../../docs/events.md', import.meta.url), 'utf8')).toBe(eventsDocument());
});
