import { describe, expect, test } from 'vitest';
import { createGate } from '../../src/infrastructure/gate.js';
import { hashInThread, matchesInThread } from '../../src/infrastructure/hashing.js';

const PARAMETERS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

describe('a password', () => {
  test.each(['as all', 'gives way'] as const)(
    'is hashed and compared in a thread, one that is "%s"',
    async (priority) => {
      const hash = await hashInThread('a password', PARAMETERS, priority);
      expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
      const matches = ['a password', 'another'].map((password) => matchesInThread(hash, password, priority));
      expect(await Promise.all(matches)).toEqual([true, false]);
    },
  );

  test('that cannot be compared is an error without the password in it, and the next one is', async () => {
    const failure: unknown = await matchesInThread('no hash', 'hunter-2', 'as all').catch((error: unknown) => error);
    expect(String(failure)).toMatch(/could not be hashed/);
    expect(String(failure)).not.toContain('hunter-2');
    const hash = await hashInThread('a password', PARAMETERS, 'as all');
    expect(await matchesInThread(hash, 'a password', 'as all')).toBe(true);
  });
});

describe('a gate', () => {
  test('lets a few in at once, the others in their order, and refuses who finds too many waiting', async () => {
    const gate = createGate({ atOnce: 2, maxWaiting: 1 });
    const [entered, leave]: [number[], (() => void)[]] = [[], []];
    const enter = (number: number) =>
      gate(() => {
        entered.push(number);
        return new Promise<number>((resolve) => leave.push(() => resolve(number)));
      });
    const first = [enter(1), enter(2), enter(3)];
    await expect(enter(4)).rejects.toMatchObject({ code: 'rate_limited', extra: { retryAfterS: 1 } });
    expect([entered, gate.waiting()]).toEqual([[1, 2], 1]);
    leave[0]?.();
    await first[0];
    expect([entered, gate.waiting()]).toEqual([[1, 2, 3], 0]);
    for (const go of leave) go();
    expect(await Promise.all(first)).toEqual([1, 2, 3]);
  });
});
