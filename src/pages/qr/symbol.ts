import { create } from 'qrcode';

/** Modules of white around the code: what ISO/IEC 18004 asks for. */
export const QUIET_ZONE = 4;

export interface QrSymbol {
  /** Modules along one side, without the quiet zone. */
  readonly size: number;
  readonly isDark: (row: number, column: number) => boolean;
}

/** The modules of a code at error correction level H, which leaves room for the mark in the middle. */
export function qrSymbol(text: string): QrSymbol {
  const { modules } = create(text, { errorCorrectionLevel: 'H' });
  return { size: modules.size, isDark: (row, column) => modules.get(row, column) === 1 };
}

/** The dark modules as SVG path data, one rectangle for each run in a row; the quiet zone is part of the coordinates. */
export function modulesPath(symbol: QrSymbol): string {
  const parts: string[] = [];
  for (let row = 0; row < symbol.size; row += 1) {
    let column = 0;
    while (column < symbol.size) {
      const start = column;
      while (column < symbol.size && symbol.isDark(row, column)) column += 1;
      if (column > start)
        parts.push(`M${start + QUIET_ZONE} ${row + QUIET_ZONE}h${column - start}v1h-${column - start}z`);
      else column += 1;
    }
  }
  return parts.join('');
}

/** The white plate under the mark, as a share of the code's width without the quiet zone. */
const PLATE_SHARE = 0.22;
/** The mark itself; the plate's rim keeps it off the modules. */
const MARK_SHARE = 0.2;

export interface MarkPlacement {
  readonly plate: { readonly at: number; readonly size: number; readonly radius: number };
  readonly mark: { readonly at: number; readonly size: number };
}

/** Where plate and mark stand in module coordinates (quiet zone included); both are square and centred. */
export function placeMark(symbol: QrSymbol): MarkPlacement {
  const middle = QUIET_ZONE + symbol.size / 2;
  const plate = round(symbol.size * PLATE_SHARE);
  const mark = round(symbol.size * MARK_SHARE);
  return {
    plate: { at: round(middle - plate / 2), size: plate, radius: round(plate * 0.18) },
    mark: { at: round(middle - mark / 2), size: mark },
  };
}

const round = (value: number): number => Math.round(value * 1000) / 1000;
