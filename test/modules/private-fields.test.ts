import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { PRIVATE_FIELDS } from '../../src/private-fields.js';

const PROJECT = join(import.meta.dirname, '..', '..');
const CORE = join(PROJECT, 'src/core');

/** What the compiler says of a module's events whose texts are decided on in these ways, by decision. */
function complaintsAbout(decisions: readonly string[]): readonly (readonly string[])[] {
  const files = decisions.map((_decision, index) => join(PROJECT, `test/modules/some-events-${index}.ts`));
  const textOf = (decision: string) => `
    import type { DomainEvent } from '${CORE}/events.js';
    import { textsOf } from '${CORE}/private-texts.js';
    type Kind = 'one' | 'other';
    type Some =
      | DomainEvent<'Told', { someId: string; kind: Kind; at: number; notes: string | null; more: { title?: string } }>
      | DomainEvent<'Listed', { lines: readonly { remark: string }[]; organizationId: string }>;
    const ofAll = () => ['org_1'];
    export const TEXTS = ${decision};`;
  const texts = new Map(files.map((file, index) => [file, textOf(decisions[index] ?? '')]));
  const options = { strict: true, noEmit: true, module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2024 };
  const host = ts.createCompilerHost(options);
  const onDisk = ts.createCompilerHost(options);
  host.fileExists = (name) => texts.has(name) || onDisk.fileExists(name);
  host.getSourceFile = (name, ...rest) => {
    const text = texts.get(name);
    return text === undefined
      ? onDisk.getSourceFile(name, ...rest)
      : ts.createSourceFile(name, text, ts.ScriptTarget.ES2024);
  };
  const program = ts.createProgram(files, options, host);
  return files.map((file) =>
    program
      .getSemanticDiagnostics(program.getSourceFile(file))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')),
  );
}

const GOOD = `textsOf<Some>().private({ Told: { notes: ofAll, 'more.title': ofAll } }).open('remark')`;
const BAD = {
  'a text that nobody has decided on': `textsOf<Some>().private({ Told: { notes: ofAll } }).open('remark')`,
  'one in a list': `textsOf<Some>().private({ Told: { notes: ofAll, 'more.title': ofAll } }).open()`,
  'a path that is not there': `textsOf<Some>().private({ Told: { notes: ofAll, title: ofAll } }).open('remark', 'title')`,
  'an event that is not there': `textsOf<Some>().private({ Gone: { notes: ofAll } }).open('remark', 'title', 'notes')`,
};
const WORDS = ['undecided: "title"', 'undecided: "remark"', "to type 'never'", "'Gone' does not exist"];

describe('texts of events', () => {
  it('compile when each is private or open, and not with a missing decision or one about nothing', () => {
    const [good, ...bad] = complaintsAbout([GOOD, ...Object.values(BAD)]);
    expect(good).toEqual([]);
    for (const [index, what] of Object.keys(BAD).entries()) {
      expect([what, bad[index]]).toEqual([what, [expect.stringContaining(WORDS[index] ?? '')]]);
    }
  });

  it('are decided on in every module that has events, and all of them are heeded', () => {
    const all = readFileSync(join(PROJECT, 'src/private-fields.ts'), 'utf8');
    const files = globSync('src/modules/*/events.ts', { cwd: PROJECT });
    expect(files.length).toBeGreaterThan(8);
    for (const file of files) {
      const source = readFileSync(join(PROJECT, file), 'utf8');
      const [, name] = /export const ([A-Z]+_TEXTS) = textsOf</.exec(source) ?? [];
      expect([file, name]).toEqual([file, expect.any(String)]);
      expect(all).toContain(`...${name},`);
    }
  });

  it('that are private are listed in docs/security.md, each with the keys that it hangs on', () => {
    const text = readFileSync(join(PROJECT, 'docs/security.md'), 'utf8');
    const rows = text.split('\n').filter((line) => line.startsWith('- `'));
    for (const [type, paths] of Object.entries(PRIVATE_FIELDS)) {
      for (const path of Object.keys(paths ?? {})) {
        expect(rows.filter((row) => row.includes(`\`${type}\``) && row.includes(`\`${path}\``))).toHaveLength(1);
      }
    }
  });
});
