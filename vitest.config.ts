import { globSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { groupOf } from './test/support/groups.js';
import { LongestFirst } from './test/support/longest-first.js';
import { closingLine } from './test/support/reporter.js';

const files = globSync('test/**/*.test.{ts,tsx}', { cwd: import.meta.dirname }).sort();
/** The quick ones first: they say soonest what is broken, and start nothing. */
const groups = (['pure', 'parts', 'processes'] as const).map((name, groupOrder) => {
  const include = files.filter((file) => groupOf(join(import.meta.dirname, file)) === name);
  return {
    extends: true as const,
    test: {
      name,
      // An empty list would mean vitest's own pattern.
      include: include.length > 0 ? include : ['test/none'],
      sequence: { groupOrder },
      // Files share nothing but code, and to load it anew for each takes longer than most of them run.
      isolate: false,
      // Whole services, two at a time, beside a browser: more would leave each other no core.
      ...(name === 'processes' ? { maxWorkers: 3 } : {}),
      ...(name === 'pure' ? {} : { globalSetup: ['test/support/build.ts'] }),
      ...(name === 'parts' ? { globalSetup: ['test/support/build.ts', 'test/support/global-setup.ts'] } : {}),
    },
  };
});

export default defineConfig({
  // The programs' JSX is Preact's.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    pool: 'forks',
    // A small machine has two cores, and many tests wait for a server or a clock.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    reporters: ['default', closingLine()],
    projects: groups,
  },
});
