const DAY_MS = 86_400_000;

/** Brands are told when this many days are left. */
const NOTICE_DAYS = 30;

/** Where a certificate stands with regard to its end. Times are in milliseconds, days are UTC days. */
export type Expiry =
  | { readonly kind: 'later'; readonly noticeAt: number }
  /** Within its last 30 days, or on the last one. */
  | { readonly kind: 'expiring'; readonly expiresAt: number }
  | { readonly kind: 'expired' };

/** A certificate is valid through its last day (`YYYY-MM-DD`). */
export function expiryOf(validUntil: string, nowMs: number): Expiry {
  const lastDay = Date.parse(`${validUntil}T00:00:00Z`);
  const noticeAt = lastDay - NOTICE_DAYS * DAY_MS;
  const expiresAt = lastDay + DAY_MS;
  if (nowMs >= expiresAt) return { kind: 'expired' };
  return nowMs < noticeAt ? { kind: 'later', noticeAt } : { kind: 'expiring', expiresAt };
}
