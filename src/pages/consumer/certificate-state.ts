import type { CertificateView } from '../views.js';

export type CertificateState = 'valid' | 'expires_soon' | 'expired' | 'not_yet_valid' | 'unknown';

/** The notice that goes out before the end of a certificate goes out this many days before it. */
const SOON_DAYS = 30;
const DAY_MS = 86_400_000;

/** What a certificate is worth on a day (`YYYY-MM-DD`); it is valid through its last day. */
export function certificateState(certificate: CertificateView, day: string): CertificateState {
  const { validFrom, validUntil } = certificate;
  if (validUntil !== null && day > validUntil) return 'expired';
  if (validFrom !== null && day < validFrom) return 'not_yet_valid';
  if (validUntil === null) return 'unknown';
  return Date.parse(validUntil) - Date.parse(day) <= SOON_DAYS * DAY_MS ? 'expires_soon' : 'valid';
}
