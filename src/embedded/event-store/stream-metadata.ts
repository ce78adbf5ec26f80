import { z } from 'zod';
import { TOMBSTONE_REVISION, isMetastream } from './record.js';

/** What a stream's metadata hides from its readers. */
export interface Retention {
  readonly truncateBefore: number;
  readonly maxCount: number | null;
  readonly maxAgeMs: number | null;
}

const KEEPS_ALL: Retention = { truncateBefore: 0, maxCount: null, maxAgeMs: null };
/** Of a metadata stream only the last event counts. */
const LAST_ONLY: Retention = { truncateBefore: 0, maxCount: 1, maxAgeMs: null };

const parseObject = (bytes: Uint8Array): Record<string, unknown> => {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch (error) {
    // Anybody may write anything into a metadata stream; what is not JSON hides nothing.
    if (error instanceof SyntaxError) return {};
    throw error;
  }
};

const whole = (least: number, most: number) => z.number().min(least).max(most).refine(Number.isInteger).optional();

// As long as a duration of the reference can be: 29,000 years.
const LONGEST_AGE_S = 922_337_203_685;
const RETENTION = z.object({
  $tb: whole(0, TOMBSTONE_REVISION),
  $maxCount: whole(1, TOMBSTONE_REVISION),
  $maxAge: whole(1, LONGEST_AGE_S),
});

export function retentionOf(stream: string, metadata: Uint8Array | null): Retention {
  if (isMetastream(stream)) return LAST_ONLY;
  if (metadata === null) return KEEPS_ALL;
  const { data } = RETENTION.safeParse(parseObject(metadata));
  // As in the reference, metadata with a value that cannot be counts as none at all.
  if (data === undefined) return KEEPS_ALL;
  const { $tb, $maxCount, $maxAge } = data;
  return {
    truncateBefore: $tb ?? 0,
    maxCount: $maxCount ?? null,
    maxAgeMs: $maxAge === undefined ? null : $maxAge * 1000,
  };
}

export const isSoftDeleted = (retention: Retention): boolean => retention.truncateBefore >= TOMBSTONE_REVISION;

/** The metadata that ends a soft deletion: as it was, with the first revision that can be read again. */
export const metadataFrom = (metadata: Uint8Array | null, firstRevision: number): Buffer =>
  Buffer.from(JSON.stringify({ ...(metadata === null ? {} : parseObject(metadata)), $tb: firstRevision }));
