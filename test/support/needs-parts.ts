import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const RELATIVE_IMPORT = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

const sourceOf = (specifier: string, from: string): string | undefined => {
  const path = resolve(dirname(from), specifier);
  const candidates = [path, path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx')];
  return candidates.find((candidate) => existsSync(candidate) && !candidate.endsWith('.js'));
};

/**
 * True when a test file asks for a real part (Postgres, event store, Temporal, mail inbox), itself or through a module of
 * test/: all of them are handed out by vitest's `inject`. Files that don't are run first and start nothing.
 */
export const needsParts = (file: string): boolean => {
  const testFolder = resolve(import.meta.dirname, '..');
  const seen = new Set<string>();
  const waiting = [file];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const text = readFileSync(next, 'utf8');
    if (/\binject\(/.test(text)) return true;
    for (const [, specifier = ''] of text.matchAll(RELATIVE_IMPORT)) {
      const imported = sourceOf(specifier, next);
      if (imported?.startsWith(testFolder)) waiting.push(imported);
    }
  }
  return false;
};
