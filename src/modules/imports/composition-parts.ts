import { normalizeMaterial } from '../../reference-data/materials.js';
import type { Token } from './composition-tokens.js';
import { isPart, isWhole } from './garment-parts.js';

/** One material of a part, as it was written. */
export interface Item {
  readonly name: string;
  /** What stands behind it in brackets. */
  readonly remark: string;
  /** Null: none is given. */
  readonly share: number | null;
}

/** What has a composition of its own: the whole product, or its shell, its lining. */
export interface Part {
  /** Null where nobody has given it a name. */
  readonly label: string | null;
  /** How much of the product it is, in percent; null if nobody says. */
  readonly share: number | null;
  readonly items: readonly Item[];
}

type NumberToken = Extract<Token, { kind: 'number' }>;
type Label = { readonly kind: 'label'; readonly text: string; readonly share: number | null };
type Phrase = { readonly kind: 'phrase'; readonly words: readonly string[] };
type Piece = Exclude<Token, { kind: 'word' }> | Phrase | Label;

/** `isShare` tells the shares from numbers that belong to a name, as the 11 of `PA 11`. */
export function partsOf(tokens: readonly Token[], isShare: (number: NumberToken) => boolean): readonly Part[] {
  const sections: { label: Label | null; pieces: Piece[] }[] = [{ label: null, pieces: [] }];
  for (const piece of withLabels(phrasesOf(tokens, isShare))) {
    if (piece.kind === 'label') sections.push({ label: isWhole(piece.text) ? null : piece, pieces: [] });
    else sections.at(-1)?.pieces.push(piece);
  }
  const items = sections.flatMap(({ label, pieces }) =>
    (ratioIn(pieces) ?? chunksOf(pieces).flatMap(itemsOf)).map(({ part, ...item }) => ({
      label: part ?? label?.text ?? null,
      share: part === null ? (label?.share ?? null) : null,
      item,
    })),
  );
  return [...Map.groupBy(items, ({ label }) => label)].map(([label, own]) => ({
    label,
    share: own[0]?.share ?? null,
    items: own.map(({ item }) => item),
  }));
}

/** Words that follow each other as one phrase. */
function phrasesOf(tokens: readonly Token[], isShare: (number: NumberToken) => boolean): readonly Piece[] {
  const pieces: Piece[] = [];
  let words: string[] = [];
  for (const token of tokens) {
    const word = token.kind === 'word' || (token.kind === 'number' && !isShare(token)) ? token : null;
    if (word === null) {
      words = [];
      pieces.push(token as Exclude<Token, { kind: 'word' }>);
    } else if (words.length > 0) {
      words.push(word.text);
    } else {
      words = [word.text];
      pieces.push({ kind: 'phrase', words });
    }
  }
  return pieces;
}

/** Finds the names of parts: what stands before a colon and is no material, and elsewhere what is known as one. */
function withLabels(pieces: readonly Piece[]): readonly Piece[] {
  const found: Piece[] = [];
  for (let index = 0; index < pieces.length; index += 1) {
    const piece = pieces[index] as Piece;
    const [next, second] = [pieces[index + 1], pieces[index + 2]];
    if (piece.kind === 'colon') {
      // Between numbers it is that of a ratio, elsewhere it stands between a material and its share.
      if (found.at(-1)?.kind === 'number' && next?.kind === 'number') found.push({ kind: 'break', text: ':' });
      continue;
    }
    if (piece.kind !== 'phrase') {
      found.push(piece);
      continue;
    }
    const isBehindNumber = found.at(-1)?.kind === 'number';
    const share = next?.kind === 'number' && second?.kind === 'colon' ? next.value : null;
    if (next?.kind === 'colon' || share !== null) {
      const { material, rest } = cut(piece.words);
      const isMaterial = rest.length === 0 || (material.length > 0 && !isBehindNumber);
      found.push(
        ...(isMaterial ? [piece] : [...phrase(material), { kind: 'label' as const, text: rest.join(' '), share }]),
      );
      if (!isMaterial && share !== null) index += 1;
    } else if (isBehindNumber) {
      found.push(...suffixed(piece, next?.kind === 'number' || next?.kind === 'dash'));
    } else {
      found.push(...prefixed(piece));
    }
  }
  return found;
}

/** `100% cotton lining 100% polyester`, where the part is the next one's, and `100% cotton shell, ...`, where it is its own. */
function suffixed(piece: Phrase, isNextOnes: boolean): readonly Piece[] {
  const { material, rest } = cut(piece.words);
  const text = rest.join(' ');
  if (material.length === 0 || !isPart(text)) return [piece];
  return [...phrase(material), isNextOnes ? { kind: 'label', text, share: null } : { kind: 'remark', text }];
}

/** `Lining 100% polyester`, `Lining polyester 100%` */
function prefixed(piece: Phrase): readonly Piece[] {
  const { words } = piece;
  if (materialNamed(words) !== null) return [piece];
  for (let length = Math.min(words.length, MAX_WORDS); length > 0; length -= 1) {
    const text = words.slice(0, length).join(' ');
    if (isPart(text)) return [{ kind: 'label', text, share: null }, ...phrase(words.slice(length))];
  }
  return [piece];
}

const phrase = (words: readonly string[]): readonly Phrase[] => (words.length === 0 ? [] : [{ kind: 'phrase', words }]);

/** Longer names are no names. */
const MAX_WORDS = 12;

const materialNamed = (words: readonly string[]): string | null =>
  words.length > MAX_WORDS ? null : (normalizeMaterial(words.join(' '))?.id ?? null);

/** The longest name of a material that the words begin with, and what comes after it. */
function cut(words: readonly string[]): { readonly material: readonly string[]; readonly rest: readonly string[] } {
  for (let length = Math.min(words.length, MAX_WORDS); length > 0; length -= 1) {
    if (materialNamed(words.slice(0, length)) === null) continue;
    return { material: words.slice(0, length), rest: words.slice(length) };
  }
  return { material: [], rest: words };
}

type OwnItem = Item & { readonly part: string | null };

const chunksOf = (pieces: readonly Piece[]): readonly (readonly Piece[])[] => {
  const chunks: Piece[][] = [[]];
  for (const piece of pieces) {
    if (piece.kind === 'break') chunks.push([]);
    else chunks.at(-1)?.push(piece);
  }
  return chunks;
};

/** What stands between two separators: `95% cotton`, `cotton 95%`, or several of a kind with nothing between them. */
function itemsOf(chunk: readonly Piece[]): readonly OwnItem[] {
  const pieces = chunk.filter(({ kind }) => kind !== 'dash');
  const isShareFirst = pieces[0]?.kind === 'number';
  const groups: Piece[][] = [];
  let group: Piece[] | null = null;
  for (const piece of pieces) {
    const isNew: boolean =
      group === null ||
      (isShareFirst ? piece.kind === 'number' : group.some(({ kind }) => kind === 'number') && piece.kind !== 'remark');
    if (isNew) groups.push((group = []));
    group?.push(piece);
  }
  return groups.flatMap((own) => {
    const item = itemOf(own);
    return item.share === null && item.name === '' ? [] : [item];
  });
}

function itemOf(pieces: readonly Piece[]): OwnItem {
  const remarks = pieces.flatMap((piece) => (piece.kind === 'remark' ? [piece.text] : []));
  const share = pieces.find((piece) => piece.kind === 'number');
  return {
    name: pieces.flatMap((piece) => (piece.kind === 'phrase' ? piece.words : [])).join(' '),
    remark: remarks.filter((remark) => !isPart(remark)).join(' '),
    share: share?.kind === 'number' ? share.value : null,
    part: remarks.find(isPart) ?? null,
  };
}

/** `60/40 cotton/polyester`, `cotton/polyester 60/40`: the shares together, the names together, as many of the ones as of the others. */
function ratioIn(pieces: readonly Piece[]): readonly OwnItem[] | null {
  const first = pieces.findIndex(({ kind }) => kind === 'number');
  const last = pieces.findLastIndex(({ kind }) => kind === 'number');
  const isNarrow = pieces
    .slice(first, last + 1)
    .every(({ kind }, index) => (index % 2 === 0 ? kind === 'number' : kind === 'break' || kind === 'dash'));
  const [before, after] = [pieces.slice(0, Math.max(first, 0)), pieces.slice(last + 1)];
  if (first === last || !isNarrow || (before.length > 0 && after.length > 0)) return null;
  const shares = pieces.flatMap((piece) => (piece.kind === 'number' ? [piece.value] : []));
  const between = [...before, ...after].map((piece) =>
    piece.kind === 'dash' ? { kind: 'break' as const, text: '-' } : piece,
  );
  const named = chunksOf(between).filter((chunk) => chunk.length > 0);
  const names = named.length === 1 ? namesIn(named[0] ?? []) : named;
  if (names.length !== shares.length) return null;
  return names.map((chunk, index) => ({ ...itemOf(chunk), share: shares[index] ?? null }));
}

/** `cotton polyester`, `cotton-polyester`: one name after the other with nothing, or a hyphen, between them. */
function namesIn(chunk: readonly Piece[]): readonly (readonly Piece[])[] {
  const [only] = chunk;
  if (only?.kind !== 'phrase' || chunk.length > 1) return [chunk];
  const names: Piece[][] = [];
  let words = only.words.flatMap((word) => (normalizeMaterial(word) === null ? word.split('-') : [word]));
  while (words.length > 0 && names.length < MAX_WORDS) {
    const { material, rest } = cut(words);
    if (material.length === 0) return [chunk];
    names.push([{ kind: 'phrase', words: material }]);
    words = [...rest];
  }
  return names;
}
