import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SCORE_FLAGS } from '../../src/score/flags.js';
import { METHOD_VERSION } from '../../src/score/score-batch.js';

const doc = readFileSync(new URL('../../docs/score.md', import.meta.url), 'utf8');

test('docs/score.md lists every flag with its explanation, and no other', () => {
  const section = doc.slice(doc.indexOf('## Flags'), doc.indexOf('## Sources'));
  const rows = [...section.matchAll(/^\| `(\w+)`\s*\| (.*?)\s*\|$/gm)].map(([, flag, meaning]) => [flag, meaning]);
  expect(rows).toEqual(Object.entries(SCORE_FLAGS));
});

test('docs/score.md names the version of the method', () => {
  expect(doc).toContain(`\`${METHOD_VERSION}\``);
});
