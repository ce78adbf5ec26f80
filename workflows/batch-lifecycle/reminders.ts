import type { RequestMailKey } from '../../src/modules/batches/events.js';
import type { Standing } from './contract.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Those who have not answered are reminded; counted from the beginning of the round. */
export const REMINDERS = [
  { mail: 'reminder_1', afterMs: 7 * DAY_MS },
  { mail: 'reminder_2', afterMs: 14 * DAY_MS },
] as const;

/** With the last reminder the brand is told who keeps it waiting. */
export const BRAND_IS_TOLD_AFTER_MS = 14 * DAY_MS;

/** Every mail that should have gone out by now and has not: what somebody asked for, and the latest reminder that is due. */
export function mailsDue(batch: Standing, now: number): readonly RequestMailKey[] {
  if (!isOpen(batch)) return [];
  const reminder = REMINDERS.findLast(({ afterMs }) => isPast(batch, afterMs, now));
  if (reminder === undefined) return batch.outstanding;
  const { mail } = reminder;
  const round = batch.rounds;
  const done = new Set(batch.reminded.map(mailName));
  const reminders = batch.unanswered
    .map((requestId) => ({ requestId, mail, round }))
    .filter((key) => !done.has(mailName(key)));
  return [...batch.outstanding, ...reminders];
}

export const isBrandToBeTold = (batch: Standing, now: number): boolean => isPast(batch, BRAND_IS_TOLD_AFTER_MS, now);

/** How long until time alone makes a mail due; null when it never does. */
export function untilNextReminderMs(batch: Standing, now: number): number | null {
  if (batch.status !== 'sent' || batch.roundBeganAt === null) return null;
  const began = batch.roundBeganAt;
  const next = REMINDERS.map(({ afterMs }) => began + afterMs).find((dueAt) => dueAt > now);
  return next === undefined ? null : next - now;
}

/** One name for one mail, as the workflow tells them apart. */
export const mailName = ({ requestId, mail, round }: RequestMailKey): string => `${requestId}/${mail}/${round}`;

export const isOpen = ({ status }: Standing): boolean =>
  status === 'draft' || status === 'sent' || status === 'submitted';

const isPast = ({ status, roundBeganAt }: Standing, afterMs: number, now: number): boolean =>
  status === 'sent' && roundBeganAt !== null && now >= roundBeganAt + afterMs;
