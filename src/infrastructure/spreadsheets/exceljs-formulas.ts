import { createRequire } from 'node:module';

/** What exceljs' reader of cells knows of the one that it is reading. */
interface CellReader {
  model: { formula?: string; shareType?: string; result?: unknown };
  /** The `t` of the cell: `str` when a formula gave text. */
  t: string | undefined;
  parseClose(name: string): boolean;
  reconcile(model: CellReader['model'], options: unknown): void;
}

/**
 * Mends two things that exceljs loses of formulas: an empty text (`=IFERROR(A1, "")`) would be a formula without a value, and
 * text in a cell that is formatted as a date would be a date of no day. The library has no other place to do it in.
 */
export function keepResultsOfFormulas(): void {
  const { prototype } = createRequire(import.meta.url)('exceljs/lib/xlsx/xform/sheet/cell-xform.js') as {
    prototype: CellReader & { keepsResults?: true };
  };
  if (prototype.keepsResults) return;
  prototype.keepsResults = true;
  // Called below with the reader that they belong to.
  // eslint-disable-next-line @typescript-eslint/unbound-method
  const { parseClose, reconcile } = prototype;
  prototype.parseClose = function (this: CellReader, name) {
    const goesOn = parseClose.call(this, name);
    const { formula, shareType, result } = this.model;
    const isFormula = formula !== undefined || shareType !== undefined;
    if (name === 'c' && this.t === 'str' && isFormula) this.model.result = result ?? '';
    return goesOn;
  };
  prototype.reconcile = function (this: CellReader, model, options) {
    const { result } = model;
    reconcile.call(this, model, options);
    if (typeof result === 'string' && model.result !== undefined) model.result = result;
  };
}
