import type { RequestMail } from '../../src/core/vocabulary.js';

import type { RequestMailKey } from '../../src/modules/batches/events.js';
import type { Standing } from './contract.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

interface Reminder {
  readonly mail: Extract<RequestMail, 'reminder_1' | 'reminder_2'>;
  readonly afterDays: number;
}

/**
 * Those who have not answered are reminded, counted from the beginning of the round; with the last reminder the brand is told who
 * keeps it waiting. What a reminder says of weeks stands in the texts of the mails.
 */
export const REMINDERS: readonly Reminder[] = [
  { mail: 'reminder_1', afterDays: 7 },
  { mail: 'reminder_2', afterDays: 14 },
];

/** Every mail that should have gone out by now and has not: what somebody asked for, and the latest reminder that is due. */
export function mailsDue(batch: Standing, now: number, reminders = REMINDERS): readonly RequestMailKey[] {
  if (!isOpen(batch)) return [];
  const reminder = reminders.findLast((one) => isPast(batch, one, now));
  if (reminder === undefined) return batch.outstanding;
  const { mail } = reminder;
  const round = batch.rounds;
  const done = new Set(batch.reminded.map(mailName));
  const due = batch.unanswered
    .map((requestId) => ({ requestId, mail, round }))
    .filter((key) => !done.has(mailName(key)));
  return [...batch.outstanding, ...due];
}

export function isBrandToBeTold(batch: Standing, now: number, reminders = REMINDERS): boolean {
  const last = reminders.at(-1);
  return last !== undefined && isPast(batch, last, now);
}

/** How long until time alone makes a mail due; null when it never does. */
export function untilNextReminderMs(batch: Standing, now: number, reminders = REMINDERS): number | null {
  if (batch.status !== 'sent' || batch.roundBeganAt === null) return null;
  const began = batch.roundBeganAt;
  const next = reminders.map(({ afterDays }) => began + afterDays * DAY_MS).find((dueAt) => dueAt > now);
  return next === undefined ? null : next - now;
}

/** One name for one mail, as the workflow tells them apart. */
export const mailName = ({ requestId, mail, round }: RequestMailKey): string => `${requestId}/${mail}/${round}`;

export const isOpen = ({ status }: Standing): boolean =>
  status === 'draft' || status === 'sent' || status === 'submitted';

const isPast = ({ status, roundBeganAt }: Standing, { afterDays }: Reminder, now: number): boolean =>
  status === 'sent' && roundBeganAt !== null && now >= roundBeganAt + afterDays * DAY_MS;
