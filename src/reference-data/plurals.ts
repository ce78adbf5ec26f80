/*
 * Plurals of English, German, French, Italian and Spanish words, as `textKey` writes them. All five at once: nobody says which
 * language a word is in, so each ending gives every singular that it can come from, and only known words count.
 */

interface Ending {
  readonly plural: RegExp;
  readonly singulars: readonly string[];
  /** Letters that must be left, so that short words are not made out of others. */
  readonly atLeast: number;
}

const ENDINGS: readonly Ending[] = [
  // shirts, robes, blusas; not dress
  { plural: /(?<=[^s])s$/, singulars: [''], atLeast: 3 },
  // dresses, pantalones
  { plural: /es$/, singulars: [''], atLeast: 4 },
  { plural: /ies$/, singulars: ['y'], atLeast: 3 },
  { plural: /ves$/, singulars: ['f', 'fe'], atLeast: 3 },
  // manteaux
  { plural: /(?<=[ae]u)x$/, singulars: [''], atLeast: 4 },
  // Hosen, Blusen
  { plural: /(?<=e)n$/, singulars: [''], atLeast: 4 },
  // Hemden; Kleider; Röcke, Schuhe
  { plural: /(?:en|er|e)$/, singulars: [''], atLeast: 4 },
  // magliette, gonne; giacche
  { plural: /e$/, singulars: ['a'], atLeast: 4 },
  { plural: /che$/, singulars: ['ca'], atLeast: 4 },
  // abiti, maglioni
  { plural: /i$/, singulars: ['o', 'e'], atLeast: 4 },
];

const singularsOfWord = (word: string): readonly string[] =>
  ENDINGS.flatMap(({ plural, singulars, atLeast }) => {
    const stem = word.replace(plural, '');
    return stem === word ? [] : singulars.map((ending) => stem + ending).filter(({ length }) => length >= atLeast);
  });

/** What a name in the plural may be in the singular: its first word (`costumi da bagno`), its last (`tank tops`), or both. */
export function singularsOf(key: string): readonly string[] {
  const words = key.split(' ');
  const first = words[0] ?? '';
  const last = words.at(-1) ?? '';
  if (words.length === 1) return singularsOfWord(first);
  const middle = words.slice(1, -1);
  const [firsts, lasts] = [singularsOfWord(first), singularsOfWord(last)];
  return [
    ...firsts.map((one) => [one, ...middle, last]),
    ...lasts.map((one) => [first, ...middle, one]),
    ...firsts.flatMap((one) => lasts.map((other) => [one, ...middle, other])),
  ].map((name) => name.join(' '));
}
