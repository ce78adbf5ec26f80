/** A piece of a composition as somebody wrote it. */
export type Token =
  /** `isSigned`: with a percent sign. `isGlued`: right behind letters, as in `PA11`. */
  | {
      readonly kind: 'number';
      readonly text: string;
      readonly value: number;
      readonly isSigned: boolean;
      readonly isGlued: boolean;
    }
  | { readonly kind: 'word'; readonly text: string }
  /** What stands in brackets and is no share. */
  | { readonly kind: 'remark'; readonly text: string }
  /** Ends a material: a comma, a slash, an `and`. */
  | { readonly kind: 'break'; readonly text: string }
  /** Ends a material, or stands between it and its share. */
  | { readonly kind: 'dash' }
  | { readonly kind: 'colon' };

// Each is tried where the one before has ended, and none looks further than the piece that it takes.
const SPACE = /[^\S\n]+/y;
const NUMBER = /(?:\d{1,3}(?:[.,]\d{1,4})?|\.\d{1,4})(?![.,]?\d)/y;
const SIGN = /\s?(?:%|percent\b|prozent\b|pct\b|per cento\b|por ciento\b|pour cent\b|vh\b)/iy;
const BREAK = /[\n,;|/+&•·、]/y;
const DASH = /[-–—]/y;
const COLON = /[:=]/y;
const REMARK = /[([]([^()[\]\n;]{0,200})[)\]]?/y;
const WORD = /[^\s\d,;|/+&•·、%()[\]:=–—-][^\s\d,;|/+&•·、%()[\]:=–—]*/y;
const DIGITS = /\d+/y;
const GLUE = /\p{L}-?$/u;
const BREAKING_WORDS = new Set(['and', 'und', 'et', 'e', 'y', 've', 'sowie', 'with', 'mit', 'avec', 'con', 'plus']);
/** Left of names by the normalization, which would make letters of them. */
const MARKS = /[™®©℠*]/g;

/** Full-width signs and ligatures as the usual ones; one sign may become eighteen. */
export const spelledOut = (text: string): string => text.replace(MARKS, ' ').normalize('NFKC');

/** Takes a text apart; in proportion to its length, whatever it holds. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };
  const takeNumber = (isSignedBefore: boolean, isGlued: boolean): boolean => {
    const match = take(NUMBER);
    if (match === null) return false;
    const isSigned = take(SIGN) !== null || isSignedBefore;
    tokens.push({ kind: 'number', text: match[0], value: Number(match[0].replace(',', '.')), isSigned, isGlued });
    return true;
  };
  while (at < text.length) {
    if (take(SPACE) !== null) continue;
    if (takeNumber(false, GLUE.test(text.slice(Math.max(0, at - 2), at)))) continue;
    // The sign before the number, as in Turkish: `%95 pamuk`.
    if (text[at] === '%') {
      at += 1;
      take(SPACE);
      takeNumber(true, false);
      continue;
    }
    const broken = take(BREAK);
    if (broken !== null) tokens.push({ kind: 'break', text: broken[0] });
    else if (take(DASH) !== null) tokens.push({ kind: 'dash' });
    else if (take(COLON) !== null) tokens.push({ kind: 'colon' });
    else if (text[at] === '(' || text[at] === '[') addBracket(take(REMARK)?.[1] ?? '');
    else {
      const word = (take(WORD) ?? take(DIGITS))?.[0];
      if (word === undefined) at += 1;
      else if (BREAKING_WORDS.has(word.toLowerCase())) tokens.push({ kind: 'break', text: word });
      else tokens.push({ kind: 'word', text: word });
    }
  }
  return tokens;

  /** `cotton (95%)`, `cotton/elastane (95/5)`: shares in brackets are like shares without. */
  function addBracket(inside: string): void {
    const held = tokensOf(inside);
    const isShares = held.some(({ kind }) => kind === 'number') && held.every(({ kind }) => kind !== 'word');
    if (isShares) tokens.push(...held);
    else if (inside.trim() !== '') tokens.push({ kind: 'remark', text: inside.trim() });
  }
}
