import { describe, expect, it } from 'vitest';
import type { Standing } from '../../workflows/batch-lifecycle/contract.js';
import {
  isBrandToBeTold,
  mailsDue,
  REMINDERS,
  untilNextReminderMs,
} from '../../workflows/batch-lifecycle/reminders.js';

const DAY_MS = 86_400_000;
const began = 1_000_000;
const sent: Standing = {
  ...{ status: 'sent', rounds: 0, roundBeganAt: began },
  ...{ unanswered: ['req_1', 'req_2'], outstanding: [], reminded: [] },
};
const after = (days: number) => began + days * DAY_MS;

// A replay catches a changed order of commands, not a changed length of a timer.
it('reminds after 7 and 14 days, and tells the brand with the second', () => {
  expect(REMINDERS).toEqual([
    { mail: 'reminder_1', afterDays: 7 },
    { mail: 'reminder_2', afterDays: 14 },
  ]);
});

it.each([
  [5, 10],
  [7, 14],
  [20, 45],
])('after %i and %i days would tell the brand at the last of them, and wake for each', (first, last) => {
  const reminders = [
    { mail: 'reminder_1', afterDays: first },
    { mail: 'reminder_2', afterDays: last },
  ] as const;
  const wakes: { day: number; brandIsTold: boolean }[] = [];
  for (let now = began; ;) {
    const waitMs = untilNextReminderMs(sent, now, reminders);
    if (waitMs === null) break;
    now += waitMs;
    wakes.push({ day: (now - began) / DAY_MS, brandIsTold: isBrandToBeTold(sent, now, reminders) });
  }
  expect(wakes).toEqual([
    { day: first, brandIsTold: false },
    { day: last, brandIsTold: true },
  ]);
});

describe('mails that are due', () => {
  it('are none before the seventh day', () => expect(mailsDue(sent, after(7) - 1)).toEqual([]));

  it('go to all who have not answered', () =>
    expect(mailsDue(sent, after(7))).toEqual([
      { requestId: 'req_1', mail: 'reminder_1', round: 0 },
      { requestId: 'req_2', mail: 'reminder_1', round: 0 },
    ]));

  it('do not go twice to the same factory', () =>
    expect(mailsDue({ ...sent, reminded: [{ requestId: 'req_1', mail: 'reminder_1', round: 0 }] }, after(8))).toEqual([
      { requestId: 'req_2', mail: 'reminder_1', round: 0 },
    ]));

  it('are the second reminder alone when nobody was there to send the first', () =>
    expect(mailsDue(sent, after(20)).map(({ mail }) => mail)).toEqual(['reminder_2', 'reminder_2']));

  it('are what somebody asked for at any time', () => {
    const outstanding = [{ requestId: 'req_1', mail: 'request', round: 0 }] as const;
    expect(mailsDue({ ...sent, outstanding }, after(0))).toEqual(outstanding);
  });

  it('are none once the factory has answered, or the batch is over', () => {
    for (const status of ['submitted', 'published', 'withdrawn'] as const) {
      expect(mailsDue({ ...sent, status }, after(20))).toEqual([]);
    }
  });
});

describe('the wait for the next reminder', () => {
  it('ends at the seventh and at the fourteenth day', () => {
    expect(untilNextReminderMs(sent, after(2))).toBe(5 * DAY_MS);
    expect(untilNextReminderMs(sent, after(7))).toBe(7 * DAY_MS);
  });
  it('has no end after the last reminder, or without a question', () => {
    expect(untilNextReminderMs(sent, after(14))).toBeNull();
    expect(untilNextReminderMs({ ...sent, status: 'submitted' }, after(2))).toBeNull();
    expect(untilNextReminderMs({ ...sent, status: 'draft', roundBeganAt: null }, after(2))).toBeNull();
  });
});

it('tells the brand only while the batch waits for its factory', () => {
  expect(isBrandToBeTold(sent, after(14) - 1)).toBe(false);
  expect(isBrandToBeTold(sent, after(14))).toBe(true);
  expect(isBrandToBeTold({ ...sent, status: 'submitted' }, after(20))).toBe(false);
});
