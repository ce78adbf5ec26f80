import type { CertificateView } from '../views.js';

export type CertificateState = 'valid' | 'expires_soon' | 'expired' | 'not_yet_valid';

/** The notice that goes out before the end of a certificate goes out this many days before it. */
const SOON_DAYS = 30;
const DAY_MS = 86_400_000;

/** What a certificate is worth on a day (`YYYY-MM-DD`); it is valid through its last day. Null when its dates do not tell. */
export function certificateState(certificate: CertificateView, day: string): CertificateState | null {
  const { validFrom, validUntil } = certificate;
  if (validUntil !== null && day > validUntil) return 'expired';
  if (validFrom !== null && day < validFrom) return 'not_yet_valid';
  if (validUntil === null) return null;
  return Date.parse(validUntil) - Date.parse(day) <= SOON_DAYS * DAY_MS ? 'expires_soon' : 'valid';
}
