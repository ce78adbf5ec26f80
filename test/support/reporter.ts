import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** Ends the whole output with `N passed, N failed, N skipped`, alone on its line, for whoever reads only that. */
export const closingLine = (): Reporter => ({
  onTestRunEnd: (testModules: readonly TestModule[], unhandledErrors: readonly SerializedError[]) => {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const testModule of testModules) {
      let failedHere = 0;
      for (const test of testModule.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') count.passed += 1;
        else if (state === 'skipped') count.skipped += 1;
        else failedHere += 1;
      }
      // A file that cannot be loaded, or a hook that throws, has no failed test of its own.
      if (failedHere === 0 && !testModule.ok()) failedHere = 1;
      count.failed += failedHere;
    }
    // At exit, so that nothing of the teardown is printed behind it.
    process.once('exit', () => {
      process.stdout.write(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
    });
  },
});
