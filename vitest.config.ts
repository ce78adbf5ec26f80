import { globSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { needsParts } from './test/support/needs-parts.js';
import { closingLine } from './test/support/reporter.js';

const files = globSync('test/**/*.test.{ts,tsx}', { cwd: import.meta.dirname }).sort();
const withParts = files.filter((file) => needsParts(join(import.meta.dirname, file)));
const pure = files.filter((file) => !withParts.includes(file));
/** An empty list would mean vitest's own pattern. */
const NOTHING = 'test/none';

export default defineConfig({
  // The programs' JSX is Preact's.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    pool: 'forks',
    // Two cores are what a small machine has; the real parts need their share.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    reporters: ['default', closingLine()],
    projects: [
      {
        extends: true,
        test: { name: 'pure', include: pure.length > 0 ? pure : [NOTHING], sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: {
          name: 'parts',
          include: withParts.length > 0 ? withParts : [NOTHING],
          globalSetup: ['test/support/global-setup.ts'],
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
