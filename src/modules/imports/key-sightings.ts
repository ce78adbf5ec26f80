/**
 * How often keys stand in a file, in a fixed amount of memory. It errs on one side only: a key may count as seen, or as
 * seen twice, because another looks like it.
 */
export interface KeySightings {
  readonly see: (key: string) => void;
  readonly isSeen: (key: string) => boolean;
  readonly isRepeated: (key: string) => boolean;
}

/** Two million bytes for both: of the keys of 100,000 rows, three each, one in thirty looks like another. */
const PLACES = 2 ** 23;

export function createKeySightings(): KeySightings {
  const once = new Uint8Array(PLACES / 8);
  const twice = new Uint8Array(PLACES / 8);
  const has = (bits: Uint8Array, place: number): boolean => ((bits[place >>> 3] ?? 0) & (1 << (place & 7))) !== 0;
  const put = (bits: Uint8Array, place: number): void => {
    bits[place >>> 3] = (bits[place >>> 3] ?? 0) | (1 << (place & 7));
  };
  return {
    see: (key) => {
      const place = placeOf(key);
      put(has(once, place) ? twice : once, place);
    },
    isSeen: (key) => has(once, placeOf(key)),
    isRepeated: (key) => has(twice, placeOf(key)),
  };
}

/** FNV-1a over the characters. */
function placeOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  return (hash ^ (hash >>> 15)) & (PLACES - 1);
}
