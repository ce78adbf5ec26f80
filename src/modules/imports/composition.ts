import { normalizeMaterial, saysQuality } from '../../reference-data/materials.js';
import { partsOf, type Item, type Part } from './composition-parts.js';
import { spelledOut, tokensOf, type Token } from './composition-tokens.js';
import type { CompositionRead } from './contract.js';

interface Share {
  readonly materialType: string;
  readonly percentage: number;
}

interface Known {
  readonly label: string | null;
  readonly share: number | null;
  readonly materials: readonly Share[];
  readonly total: number;
}

type Mistake = Extract<CompositionRead, { ok: false }>;

const MAX_LENGTH = 2_000;
const MAX_MATERIALS = 50;
/** Names, shares and what stands between them; so many materials in as many parts take fewer. */
const MAX_TOKENS = 500;

/**
 * Reads a composition that somebody wrote into one cell: `95% organic cotton, 5% elastane`, `Baumwolle 60 / Polyester 40`,
 * `60/40 cotton/polyester`. Nothing is guessed: each part needs a known material and its share, and together they make 100. A
 * garment of parts (`Shell: ...; Lining: ...`) has one composition only where all of them are of the same or where it is said
 * how much of it each is. Takes time in proportion to the text.
 */
export function readComposition(text: string): CompositionRead {
  const written = spelledOut(text.trim());
  const tokens = written.length > MAX_LENGTH ? [] : tokensOf(written);
  if (tokens.length === 0 || tokens.length > MAX_TOKENS) return invalid(`"${short(text)}" is no composition.`);
  let mistake: Mistake | null = null;
  for (const isShare of waysToTakeNumbers(tokens)) {
    const parts = known(partsOf(tokens, isShare));
    if (!('ok' in parts)) return composed(text, parts);
    mistake ??= parts;
  }
  return mistake ?? invalid(`"${short(text)}" is no composition.`);
}

/** `PA 11 40 %` and `PA11 40` hold a number that is no share, `CO95` one that is: the first way in which all is known counts. */
function waysToTakeNumbers(tokens: readonly Token[]) {
  const numbers = tokens.filter((token) => token.kind === 'number');
  type Way = (number: (typeof numbers)[number]) => boolean;
  const ways: Way[] = [];
  if (numbers.some(({ isSigned }) => isSigned)) ways.push(({ isSigned }) => isSigned);
  if (numbers.some(({ isGlued }) => isGlued)) ways.push(({ isGlued }) => !isGlued);
  return [...ways, () => true];
}

function known(parts: readonly Part[]): readonly Known[] | Mistake {
  if (parts.reduce((count, { items }) => count + items.length, 0) > MAX_MATERIALS) {
    return invalid(`A product has at most ${MAX_MATERIALS} materials.`);
  }
  const found: Known[] = [];
  for (const { label, share, items } of parts) {
    const shares = new Map<string, number>();
    for (const item of items) {
      const one = shareOf(item);
      if ('ok' in one) return one;
      // The same fibre named twice, as in "cotton 50, denim 50", is one material.
      shares.set(one.materialType, round((shares.get(one.materialType) ?? 0) + one.percentage));
    }
    const materials = [...shares].map(([materialType, percentage]) => ({ materialType, percentage }));
    found.push({ label, share, ...inPercent(materials) });
  }
  return found;
}

/** Plain fractions, as 0.95 cotton and 0.05 elastane, are taken times 100. */
function inPercent(materials: readonly Share[]): Pick<Known, 'materials' | 'total'> {
  const total = totalOf(materials);
  if (Math.abs(total - 1) > 0.0001) return { materials, total };
  const scaled = materials.map((share) => ({ ...share, percentage: round(share.percentage * 100) }));
  return { materials: scaled, total: totalOf(scaled) };
}

function shareOf({ name, remark, share }: Item): Share | Mistake {
  const materialType = materialOf(name, remark);
  const shown = short([name, ...(remark === '' ? [] : [`(${remark})`])].join(' ').trim());
  if (materialType === null) {
    const what = name === '' && share !== null ? String(share) : shown;
    return { ok: false, code: 'unknown_material', message: `"${what}" is no known material.` };
  }
  if (share === null) return invalid(`"${shown}" has no percentage.`);
  if (share <= 0 || share > 100) return invalid(`"${shown}" has a share of ${share} %.`);
  return { materialType, percentage: share };
}

/** A remark in brackets counts where it says which fibre it is (`polyamide (recycled)`), else it is left out (`cotton (combed)`). */
function materialOf(name: string, remark: string): string | null {
  const base = normalizeMaterial(name)?.id ?? null;
  if (remark === '') return base;
  const both = normalizeMaterial(`${name} (${remark})`)?.id;
  if (both !== undefined) return both;
  const other = normalizeMaterial(remark)?.id;
  if (base === null || saysQuality(remark)) return null;
  // `polyester (Repreve)` is the one in brackets, `lyocell (viscose)` is neither.
  if (other === undefined || base === other || base.startsWith(`${other}_`)) return base;
  return other.startsWith(`${base}_`) ? other : null;
}

function composed(text: string, parts: readonly Known[]): CompositionRead {
  const all = merged(parts.map(({ materials }) => ({ materials, weight: 1 })));
  const [first] = parts;
  if (first === undefined) return invalid(`"${short(text)}" is no composition.`);
  if (parts.length === 1 || isWhole(totalOf(all))) return read(text, all);
  if (!parts.every(({ total }) => isWhole(total))) return wrongTotal(text, all);
  if (parts.every(({ materials }) => isSame(materials, first.materials))) return read(text, first.materials);
  const shares = parts.map(({ share }) => share ?? 0);
  if (shares.every((share) => share > 0) && isWhole(shares.reduce((sum, share) => sum + share, 0))) {
    return read(text, merged(parts.map(({ materials, share }) => ({ materials, weight: (share ?? 0) / 100 }))));
  }
  return wrongTotal(text, all, parts);
}

function read(text: string, materials: readonly Share[]): CompositionRead {
  if (!isWhole(totalOf(materials))) return wrongTotal(text, materials);
  return {
    ok: true,
    materials: materials.map((material) => ({ ...material, originCountry: null })),
    message: `"${short(text)}" was read as ${list(materials)}.`,
  };
}

function wrongTotal(text: string, materials: readonly Share[], parts: readonly Known[] = []): Mistake {
  const names = parts.map(({ label, materials: own }) => `${label ?? 'the rest'} of ${list(own)}`).join('; ');
  const message =
    parts.length === 0
      ? `"${short(text)}" was read as ${list(materials)}, which totals ${totalOf(materials)} %, not 100 %.`
      : `"${short(text)}" gives ${parts.length} parts, ${short(names, 300)}, which together total ${totalOf(materials)} %, ` +
        'not 100 %. Say how much of the product each part is ("Shell 70%: 100% cotton; Lining 30%: 100% polyester"), or ' +
        'give one composition for all of it.';
  return { ok: false, code: 'composition_total', message };
}

function merged(parts: readonly { readonly materials: readonly Share[]; readonly weight: number }[]): readonly Share[] {
  const shares = new Map<string, number>();
  for (const { materials, weight } of parts) {
    for (const { materialType, percentage } of materials) {
      shares.set(materialType, round((shares.get(materialType) ?? 0) + percentage * weight));
    }
  }
  return [...shares].map(([materialType, percentage]) => ({ materialType, percentage }));
}

const isSame = (a: readonly Share[], b: readonly Share[]): boolean => keyOf(a) === keyOf(b);
const keyOf = (materials: readonly Share[]): string =>
  JSON.stringify(materials.map(({ materialType, percentage }) => [materialType, percentage]).sort());

const list = (materials: readonly Share[]): string =>
  materials.map(({ materialType, percentage }) => `${materialType} ${percentage} %`).join(', ');

const totalOf = (materials: readonly Share[]): number =>
  round(materials.reduce((sum, { percentage }) => sum + percentage, 0));
const isWhole = (total: number): boolean => Math.abs(total - 100) <= 0.01;
const round = (value: number): number => Math.round(value * 1e6) / 1e6;
const short = (text: string, length = 80): string => (text.length > length ? `${text.slice(0, length)}…` : text);
const invalid = (message: string): Mistake => ({ ok: false, code: 'invalid_value', message });
