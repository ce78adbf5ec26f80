import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const RELATIVE_IMPORT = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

const sourceOf = (specifier: string, from: string): string | undefined => {
  const path = resolve(dirname(from), specifier);
  const candidates = [path, path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx')];
  return candidates.find((candidate) => existsSync(candidate) && !candidate.endsWith('.js'));
};

const PARTS = /\binject\(/;
const PROCESSES = /\bstartProgram\b|\bstartPostgres\b|\bstartMailInbox\b|\blaunchBrowser\b|\bspawn\(/;

/**
 * The group of a test file, by what it and the modules of test/ that it imports ask for: a real part of the run (Postgres,
 * event store, Temporal, mail inbox; handed out by vitest's `inject`), processes of its own, or neither.
 */
export const groupOf = (file: string): 'pure' | 'processes' | 'parts' => {
  const testFolder = resolve(import.meta.dirname, '..');
  const seen = new Set<string>();
  const waiting = [file];
  let group: 'pure' | 'processes' = 'pure';
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const text = readFileSync(next, 'utf8');
    if (PARTS.test(text)) return 'parts';
    if (PROCESSES.test(text)) group = 'processes';
    for (const [, specifier = ''] of text.matchAll(RELATIVE_IMPORT)) {
      const imported = sourceOf(specifier, next);
      if (imported?.startsWith(testFolder)) waiting.push(imported);
    }
  }
  return group;
};
