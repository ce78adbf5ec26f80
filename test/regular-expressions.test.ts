import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from 'recheck';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { findLinks } from '../src/embedded/mail-inbox/links.js';
import { preferredType } from '../src/http/accept.js';
import { loggablePath } from '../src/infrastructure/logger.js';
import { IMPORT_FIELDS } from '../src/modules/imports/contract.js';
import { readComposition } from '../src/modules/imports/composition.js';
import { findHeader } from '../src/modules/file-imports/header.js';
import { recognize } from '../src/modules/file-imports/recognize.js';
import { rowsOfJson } from '../src/modules/imports/json-rows.js';
import { normalizeRow } from '../src/modules/imports/normalize.js';
import { parseNumber } from '../src/pages/factory-form/parse.js';
import { negotiateFormLocale } from '../src/pages/locale.js';
import { oneLine, subjectLine } from '../src/pages/mails/blocks.js';
import { findCategory } from '../src/reference-data/categories.js';
import { normalizeCountry } from '../src/reference-data/countries.js';
import { parseGtin } from '../src/reference-data/gtin.js';
import { normalizeMaterial } from '../src/reference-data/materials.js';
import { textKey } from '../src/reference-data/text-key.js';

// Without the programs for single systems, which would stay behind.
process.env['RECHECK_BACKEND'] = 'pure';

const root = join(import.meta.dirname, '..');

interface Expression {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** Every expression that the three programs are written with, and the files that make one of something else than a literal. */
function expressionsIn(folders: readonly string[]) {
  const literals: Expression[] = [];
  const made: string[] = [];
  for (const file of globSync(
    folders.map((folder) => `${folder}/**/*.{ts,tsx}`),
    { cwd: root },
  ).sort()) {
    const text = readFileSync(join(root, file), 'utf8');
    const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/');
        const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
        literals.push({ place: `${file}:${line}`, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
      }
      const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
      if (isCall && node.expression.getText() === 'RegExp') made.push(file);
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { literals, made };
}

const { literals, made } = expressionsIn(['src', 'workflows', 'projections']);

/** What makes an expression take more than linear time, if anything does. */
async function faultOf({ source, flags }: Pick<Expression, 'source' | 'flags'>): Promise<string | null> {
  const found = await check(source, flags, { timeout: 30_000 });
  if (found.status === 'safe') return null;
  return found.status === 'vulnerable' ? found.complexity.summary : `not understood: ${found.error.kind}`;
}

const LENGTH = 5_000;
const FILLERS = [...' \t\n\u00a01a.,%(["\'=:/-@<&éﷺ', ' 1 a', '1,', '@a.', '="', 'http://', '%1', '1.', '1/1 a'];
const STEMS = ['', '5 cotton', '(', 'https://', 'a@', '@', 'href="', '1', '1.', '%', 'material 1 ', 'shell: ', 'data:'];
/** A sign at the end at which an expression gives up, and tries again from the next place. */
const longTexts = (length: number): readonly string[] =>
  STEMS.flatMap((stem) =>
    FILLERS.map((filler) => `${stem}${filler.repeat(Math.ceil(length / filler.length)).slice(0, length)}\u0001`),
  );
const TEXTS = longTexts(LENGTH);

/** The quickest of three, in the thread's own time: on a busy machine others may have theirs at any moment. */
function quickest(work: () => unknown): number {
  const times = [0, 1, 2].map(() => {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

describe('a regular expression of the programs', () => {
  test('is found, wherever it stands', () => {
    expect(literals.length).toBeGreaterThan(100);
    expect(literals.map(({ place }) => place.split(':')[0])).toContain('src/modules/imports/normalize.ts');
  });

  test.each([
    [String.raw`\s+$`, ''],
    [String.raw`^(a+)+$`, ''],
    [String.raw`^(.*?)\s*%$`, ''],
    [String.raw`(?<!\d),|\s+(?:and|und)\s+`, 'iu'],
    [String.raw`^[\p{L} ]+:\s*(?=[\d\s]+\p{L})`, 'u'],
  ])('such as /%s/%s would be found out', async (source, flags) => {
    expect(await faultOf({ source, flags })).toMatch(/polynomial|exponential/);
  });

  test('takes time in proportion to the text', async () => {
    const faults: string[] = [];
    for (const { place, ...expression } of literals) {
      const fault = await faultOf(expression);
      if (fault !== null) faults.push(`${place} /${expression.source}/ ${fault}`);
    }
    expect(faults).toEqual([]);
  }, 240_000);

  test('takes no time worth mentioning for 5,000 characters, whatever they are', () => {
    const slow: string[] = [];
    for (const { place, source, flags } of literals) {
      const expression = new RegExp(source, flags.includes('g') ? flags : `${flags}g`);
      for (const text of TEXTS) {
        const ms = quickest(() => text.replace(expression, ''));
        if (ms > 5) slow.push(`${place} /${source}/ ${ms} ms for ${JSON.stringify(text.slice(0, 20))}`);
      }
    }
    expect(slow).toEqual([]);
  }, 60_000);

  test('is a literal, which can be looked at before it runs', () => {
    // Those of the service's own routes: `[^/]*` for each parameter.
    expect(made).toEqual(['src/http/errors.ts']);
  });

  test('of zod that addresses and dates are checked by is one like ours', async () => {
    for (const { source, flags } of [z.regexes.email, z.regexes.date])
      expect(await faultOf({ source, flags })).toBeNull();
  });
});

describe('5,000 characters of anything', () => {
  const cells = (text: string) =>
    IMPORT_FIELDS.filter((field) => field !== 'materials').map((field) => [field, text] as const);
  test.each<[string, (text: string) => unknown]>([
    ['a composition', readComposition],
    ['a material', normalizeMaterial],
    ['a country', normalizeCountry],
    // A path of categories; whoever reads one takes no longer text.
    ['a category', (text) => findCategory(text.slice(0, 200))],
    ['a GTIN', parseGtin],
    ['a name to look up', textKey],
    ['the name of a column', recognize],
    ['a header', (text) => findHeader([{ row: 1, cells: [text, `2${text}`] }], [])],
    ['a number of the form', (text) => parseNumber(text, ',')],
    ['the languages of a browser', (text) => negotiateFormLocale({ lang: text, acceptLanguage: text })],
    ['the types that a client accepts', (text) => preferredType(text, ['text/html', 'application/json'])],
    ['an address in the log', loggablePath],
    ['a name in a mail', (text) => [oneLine(text), subjectLine(text)]],
    ['a mail in the inbox', (text) => findLinks(text, text)],
  ])('as %s is read in a few milliseconds', (_what, read) => {
    for (const text of TEXTS) {
      const ms = quickest(() => read(text));
      expect(ms, JSON.stringify(text.slice(0, 20))).toBeLessThan(40);
    }
  });

  test.each(IMPORT_FIELDS.filter((field) => field !== 'materials'))(
    'in "%s" of a row is read in a few milliseconds',
    (field) => {
      for (const text of TEXTS) {
        const [row] = rowsOfJson([{ name: 'Tee', [field]: text }]);
        if (row === undefined) throw new Error('a row is a row');
        expect(
          quickest(() => normalizeRow(row)),
          JSON.stringify(text.slice(0, 20)),
        ).toBeLessThan(40);
      }
    },
  );

  test('in every cell of a row, and in 50 materials, is read in less than a tenth of a second', () => {
    for (const text of TEXTS) {
      const materials = Array.from({ length: 50 }, () => ({
        materialType: text,
        percentage: text,
        originCountry: text,
      }));
      const [row] = rowsOfJson([{ ...Object.fromEntries(cells(text)), materials }]);
      if (row === undefined) throw new Error('a row is a row');
      expect(
        quickest(() => normalizeRow(row)),
        JSON.stringify(text.slice(0, 20)),
      ).toBeLessThan(100);
    }
  });
});
