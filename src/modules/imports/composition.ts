import { normalizeMaterial } from '../../reference-data/materials.js';
import type { CompositionRead } from './contract.js';

interface Share {
  readonly materialType: string;
  readonly percentage: number;
}

const NUMBER = String.raw`(?<!\d)\d{1,3}(?:[.,]\d{1,4})?(?!\d)`;
const PERCENT = String.raw`\s*(?:[%％]|percent\b|prozent\b|pct\b|vh\b)?`;
const BEFORE = new RegExp(`^(${NUMBER})${PERCENT}\\s*(.+)$`, 'isu');
const AFTER = new RegExp(`^(.+?)[\\s:=(-]*(${NUMBER})${PERCENT}\\)?$`, 'isu');
/** A comma between two digits is a decimal comma, any other separates. */
const SEPARATORS = /\r?\n|[;/|+&•·]|,(?!\d)|(?<!\d),|\s+(?:and|und|et|e|y|ve|sowie|with|mit)\s+/iu;
/** Where one material ends and the next begins when nothing separates them: `95% cotton 5% elastane`, `CO 95 EL 5`. */
const NEXT_BEFORE = new RegExp(`(?<=\\p{L}[\\p{L}\\s.()-]*)\\s+(?=${NUMBER}\\s*[%％]?\\s*\\p{L})`, 'u');
const NEXT_AFTER = new RegExp(`(?<=\\p{L}[\\s:]*${NUMBER}\\s*[%％]?)\\s+(?=\\p{L})`, 'u');
const MAX_LENGTH = 2_000;
const MAX_MATERIALS = 50;

/**
 * Reads a composition that somebody wrote into one cell: `95% organic cotton, 5% elastane`, `Baumwolle 60 / Polyester 40`.
 * Nothing is guessed: each part needs a known material and its share, and together they make 100.
 */
export function readComposition(text: string): CompositionRead {
  const written = text.normalize('NFKC').replace(/\s+/g, ' ').trim();
  if (written === '' || written.length > MAX_LENGTH) return invalid(`"${short(text)}" is no composition.`);
  const pieces = split(text.normalize('NFKC'));
  if (pieces.length > MAX_MATERIALS) return invalid(`A product has at most ${MAX_MATERIALS} materials.`);

  const shares = new Map<string, number>();
  for (const piece of pieces) {
    const part = readPart(piece);
    if ('message' in part) return { ok: false, ...part };
    // The same fibre named twice, as in "cotton 50, denim 50", is one material.
    shares.set(part.materialType, round((shares.get(part.materialType) ?? 0) + part.percentage));
  }
  const total = round([...shares.values()].reduce((sum, share) => sum + share, 0));
  const materials = [...shares].map(([materialType, percentage]) => ({ materialType, percentage }));
  // Plain fractions: 0.95 cotton, 0.05 elastane.
  if (Math.abs(total - 1) <= 0.0001) {
    return read(
      written,
      materials.map((share) => ({ ...share, percentage: round(share.percentage * 100) })),
    );
  }
  if (Math.abs(total - 100) > 0.01) {
    return {
      ok: false,
      code: 'composition_total',
      message: `"${short(text)}" was read as ${list(materials)}, which totals ${total} %, not 100 %.`,
    };
  }
  return read(written, materials);
}

const read = (text: string, materials: readonly Share[]): CompositionRead => ({
  ok: true,
  materials: materials.map((material) => ({ ...material, originCountry: null })),
  message: `"${short(text)}" was read as ${list(materials)}.`,
});

const list = (materials: readonly Share[]): string =>
  materials.map(({ materialType, percentage }) => `${materialType} ${percentage} %`).join(', ');

function split(text: string): readonly string[] {
  return text
    .split(SEPARATORS)
    .flatMap((part) => splitRun(part.trim()))
    .filter((part) => part !== '');
}

/** Several materials without anything between them, or one whose name holds a number (`PA 11 40 %`). */
function splitRun(part: string): readonly string[] {
  const pattern = /^\d/.test(part) ? NEXT_BEFORE : NEXT_AFTER;
  const pieces = part.split(new RegExp(pattern, 'gu'));
  return pieces.length > 1 && pieces.every((piece) => !('message' in readPart(piece))) ? pieces : [part];
}

function readPart(
  piece: string,
): Share | { readonly code: 'unknown_material' | 'invalid_value'; readonly message: string } {
  // What comes before a colon names a part of the garment: `Shell: 100% cotton`.
  const part = piece.replace(/^[\s.,:-]+|[\s.,:-]+$/g, '').replace(/^[\p{L} ]+:\s*(?=[\d.,\s%％]+\p{L})/u, '');
  const [before, after] = [BEFORE.exec(part), AFTER.exec(part)];
  // "100% cotton" and "PA 11 40 %": the reading whose name is known counts.
  const readings = [
    { name: before?.[2], share: before?.[1] },
    { name: after?.[1], share: after?.[2] },
  ].flatMap(({ name, share }) => (name === undefined || share === undefined ? [] : [{ name, share: number(share) }]));
  for (const { name, share } of readings) {
    const materialType = materialOf(name);
    if (materialType === null) continue;
    return share > 0 && share <= 100
      ? { materialType, percentage: share }
      : { code: 'invalid_value', message: `"${short(piece)}" has a share of ${share} %.` };
  }
  const name = readings[0]?.name.trim() ?? part;
  if (readings.length === 0 && materialOf(name) !== null) {
    return { code: 'invalid_value', message: `"${short(name)}" has no percentage.` };
  }
  return { code: 'unknown_material', message: `"${short(name)}" is no known material.` };
}

/** Remarks in brackets (`cotton (GOTS)`) and the part of the garment (`shell: cotton 100%`) say nothing about the fibre. */
function materialOf(name: string): string | null {
  const tries = [name, name.replace(/\([^)]*\)?/g, ' '), name.replace(/^[\p{L} ]+:/u, '')];
  for (const candidate of tries) {
    const id = normalizeMaterial(candidate.trim())?.id;
    if (id !== undefined) return id;
  }
  return null;
}

const number = (text: string): number => Number(text.replace(',', '.'));
const round = (value: number): number => Math.round(value * 1e6) / 1e6;
const short = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text);
const invalid = (message: string): CompositionRead => ({ ok: false, code: 'invalid_value', message });
