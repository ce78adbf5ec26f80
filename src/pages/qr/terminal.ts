import { QUIET_ZONE, qrSymbol } from './symbol.js';

/** The code in block characters, two rows of modules a line: light on dark, as a terminal is, so it scans from there. */
export function qrTerminal(text: string): string {
  const symbol = qrSymbol(text);
  const isLight = (row: number, column: number): boolean =>
    row < 0 || column < 0 || row >= symbol.size || column >= symbol.size || !symbol.isDark(row, column);
  const lines: string[] = [];
  for (let row = -QUIET_ZONE; row < symbol.size + QUIET_ZONE; row += 2) {
    let line = '';
    for (let column = -QUIET_ZONE; column < symbol.size + QUIET_ZONE; column += 1) {
      const upper = isLight(row, column);
      const lower = row + 1 < symbol.size + QUIET_ZONE && isLight(row + 1, column);
      line += upper ? (lower ? '█' : '▀') : lower ? '▄' : ' ';
    }
    lines.push(line);
  }
  return lines.join('\n');
}
