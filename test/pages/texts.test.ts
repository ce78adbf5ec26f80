import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { argumentsOf } from '../../scripts/text-arguments.js';
import { LOCALES } from '../../src/pages/index.js';
import { compileTexts } from '../../src/pages/texts/compile.js';

const PAGES = new URL('../../src/pages/', import.meta.url).pathname;

const messagesOf = (area: string, locale: string): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(join(PAGES, 'texts', area, `${locale}.json`), 'utf8')) as Record<string, string>;

const areas = globSync('texts/*/en.json', { cwd: PAGES }).map((file) => basename(dirname(file)));
const localesOf = (area: string): readonly string[] =>
  globSync(`texts/${area}/*.json`, { cwd: PAGES }).map((file) => basename(file, '.json'));

const sources = globSync('**/*.{ts,tsx}', { cwd: PAGES })
  .filter((file) => !file.startsWith('texts/'))
  .map((file) => ({ file, folder: dirname(file), text: readFileSync(join(PAGES, file), 'utf8') }));

/** The code of the folders that name an area. */
function readersOf(area: string): string {
  const constant = /export const (\w+) = textsOf\('([\w-]+)'/g;
  const index = readFileSync(join(PAGES, 'texts/index.ts'), 'utf8');
  const name = [...index.matchAll(constant)].find(([, , named]) => named === area)?.[1] ?? area;
  const folders = new Set(sources.filter(({ text }) => text.includes(name)).map(({ folder }) => folder));
  return sources.flatMap(({ folder, text }) => (folders.has(folder) ? [text] : [])).join('\n');
}

/** What code calls the texts of an area: `texts`, or one language of the constant. */
const ROOT = String.raw`(?:\btexts|_TEXTS(?:\[[\w.]+\]|\.\w+))`;
const step = (name: string): string => String.raw`(?:\.${name}\b|\[[^\]]+\])`;

/** Whether code reads a key by its name, or takes a group that it is in as a whole: to look into it by an id, or to hand it on. */
function isRead(key: string, code: string): boolean {
  const parts = key.split('.');
  const groups = parts.slice(0, -1);
  const read = String.raw`${ROOT}${groups.map(step).join('')}\.${parts.at(-1)}\b`;
  const taken = groups.map((_, index) => {
    const path = groups.slice(0, index + 1);
    return String.raw`${ROOT}${path.map(step).join('')}(?!\.\w)`;
  });
  const unpacked = parts.map((name, index) => {
    const path = parts.slice(0, index).map(step).join('');
    return String.raw`\{[^{}]*\b${name}\b[^{}]*\} = ${ROOT}${path};`;
  });
  return [read, ...taken, ...unpacked].some((pattern) => new RegExp(pattern).test(code));
}

/** Words between tags, and tables of words by language. */
function wordsIn(file: string, text: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node) && /\p{L}{2}/u.test(node.text)) found.push(node.text.trim());
    if (ts.isObjectLiteralExpression(node)) {
      const languages = node.properties.filter(
        (property) =>
          ts.isPropertyAssignment(property) &&
          LOCALES.some((locale) => locale === property.name.getText()) &&
          !ts.isArrayLiteralExpression(property.initializer),
      );
      if (languages.length > 1) found.push(node.getText().slice(0, 80));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return found;
}

describe('the texts', () => {
  for (const area of areas) {
    it(`of ${area} have the same keys and arguments in every language, and none is empty or markup`, () => {
      const shapeOf = (locale: string): readonly string[] =>
        Object.entries(messagesOf(area, locale))
          .map(([key, message]) => `${key}(${[...argumentsOf(message).keys()].sort().join(', ')})`)
          .sort();
      for (const locale of localesOf(area)) {
        expect(shapeOf(locale), locale).toEqual(shapeOf('en'));
        const wrong = Object.values(messagesOf(area, locale)).filter(
          (text) => text.trim() === '' || /<\/?\w/.test(text),
        );
        expect(wrong, locale).toEqual([]);
      }
    });
  }

  it('are all read by some page or mail', () => {
    // Keys of these are ids of reference data.
    const dead = areas
      .filter((area) => area !== 'materials' && area !== 'categories')
      .flatMap((area) => {
        const code = readersOf(area);
        return Object.keys(messagesOf(area, 'en')).flatMap((key) => (isRead(key, code) ? [] : [`${area}: ${key}`]));
      });
    expect(dead).toEqual([]);
  });

  it('stand in the files that translators open, and not in code', () => {
    // What a language calls itself, and how it writes numbers, is not translated. The reference is for who writes programs, in English.
    const inCode = sources
      .filter(({ file, folder }) => file !== 'locale.ts' && folder !== 'reference')
      .flatMap(({ file, text }) => wordsIn(file, text).map((words) => `${file}: ${words}`));
    expect(inCode).toEqual([]);
  });
});

describe('a message', () => {
  it('is its text, or where it takes arguments a function of them, at the place that its key names', () => {
    const messages = {
      plain: `Braces are '{'quoted'}', an apostrophe isn't, and <b> is no markup`,
      'a.b': '{who} has {count, plural, one {a field} other {# fields}}',
    };
    const texts = compileTexts(messages, 'en-GB') as {
      plain: string;
      a: { b: (values: { who: string; count: number }) => string };
    };
    expect(texts.plain).toBe(`Braces are {quoted}, an apostrophe isn't, and <b> is no markup`);
    expect([1, 1500].map((count) => texts.a.b({ who: '{<b>}', count }))).toEqual([
      '{<b>} has a field',
      '{<b>} has 1,500 fields',
    ]);
  });
});
