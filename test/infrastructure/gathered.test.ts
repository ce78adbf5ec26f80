import { expect, test } from 'vitest';
import { gathered } from '../../src/infrastructure/gathered.js';
import { sharedReads } from '../../src/infrastructure/shared-reads.js';

/** Work that ends when it is told to. */
function heldBack() {
  const groups: { calls: readonly string[]; end: (error?: Error) => void }[] = [];
  const call = gathered(
    (calls: readonly string[]) =>
      new Promise<readonly string[]>((resolve, reject) => {
        const end = (error?: Error) =>
          error === undefined ? resolve(calls.map((each) => each.toUpperCase())) : reject(error);
        groups.push({ calls, end });
      }),
    { isTriedAlone: (error) => error instanceof RangeError },
  );
  return { groups, call, settled: () => new Promise((resolve) => setImmediate(resolve)) };
}

test('calls that come while two are under way go together, and each gets its own answer', async () => {
  const { groups, call, settled } = heldBack();
  const answers = Promise.all(['a', 'b', 'c', 'd', 'e'].map(call));
  expect(groups.map(({ calls }) => calls)).toEqual([['a'], ['b']]);
  groups[1]?.end();
  await settled();
  expect(groups[2]?.calls).toEqual(['c', 'd', 'e']);
  groups[0]?.end();
  groups[2]?.end();
  expect(await answers).toEqual(['A', 'B', 'C', 'D', 'E']);
});

test('a failure that has done nothing is the fault of the one that fails by itself too', async () => {
  const { groups, call, settled } = heldBack();
  const answers = Promise.allSettled(['a', 'b', 'c', 'd'].map(call));
  groups[0]?.end();
  groups[1]?.end();
  await settled();
  groups[2]?.end(new RangeError('one of them'));
  await settled();
  expect(groups[3]?.calls).toEqual(['c']);
  groups[3]?.end(new RangeError('this one'));
  await settled();
  groups[4]?.end();
  expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
});

test('any other failure is told to all of them, and the next calls go on', async () => {
  const { groups, call, settled } = heldBack();
  const answers = Promise.allSettled(['a', 'b', 'c', 'd'].map(call));
  groups[0]?.end(new Error('gone'));
  await settled();
  groups[1]?.end(new Error('gone'));
  groups[2]?.end(new Error('gone'));
  expect((await answers).map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
  const next = call('e');
  await settled();
  groups[3]?.end();
  expect(await next).toBe('E');
});

test('a shared reading never began before it was asked for', async () => {
  const begun: (() => void)[] = [];
  let value = 0;
  const read = sharedReads(
    () =>
      new Promise<number>((resolve) => {
        const seen = value;
        begun.push(() => resolve(seen));
      }),
  );
  const first = read('key');
  value = 1;
  const later = [read('key'), read('key')];
  begun[0]?.();
  expect(await first).toBe(0);
  begun[1]?.();
  expect(await Promise.all(later)).toEqual([1, 1]);
  expect(begun).toHaveLength(2);
});
