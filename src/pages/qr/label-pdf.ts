import PDFDocument from 'pdfkit';
import { MARK_PATH, MARK_SIZE } from '../mark.js';
import { QR_INK } from './svg.js';
import { QUIET_ZONE, modulesPath, placeMark, qrSymbol } from './symbol.js';

export interface QrLabel {
  readonly url: string;
  readonly productName: string;
  readonly gtin: string;
  readonly serial: string;
}

const POINTS_PER_MM = 72 / 25.4;
const mm = (length: number): number => length * POINTS_PER_MM;

/** A fixed date in the metadata: the same label has the same bytes, whenever it is printed. */
const METADATA_DATE = new Date('2020-01-01T00:00:00Z');

/** A label of 60 x 40 mm to be sewn in or stuck on: the code as vectors, the product's name, GTIN and serial. */
export async function qrLabelPdf(label: QrLabel): Promise<Buffer> {
  const doc = new PDFDocument({
    size: [mm(60), mm(40)],
    margin: 0,
    info: {
      Title: `Passport label ${label.gtin} ${label.serial}`,
      CreationDate: METADATA_DATE,
      ModDate: METADATA_DATE,
    },
  });
  const bytes = collect(doc);
  drawCode(doc, label.url, mm(2), mm(4), mm(32));
  drawText(doc, label);
  doc.end();
  return bytes;
}

function drawCode(doc: PDFKit.PDFDocument, url: string, x: number, y: number, side: number): void {
  const symbol = qrSymbol(url);
  const { plate, mark } = placeMark(symbol);
  doc
    .save()
    .translate(x, y)
    .scale(side / (symbol.size + 2 * QUIET_ZONE));
  doc.path(modulesPath(symbol)).fill(QR_INK);
  doc.roundedRect(plate.at, plate.at, plate.size, plate.size, plate.radius).fill('#fff');
  doc
    .translate(mark.at, mark.at)
    .scale(mark.size / MARK_SIZE)
    .path(MARK_PATH)
    .fill(QR_INK, 'even-odd');
  doc.restore();
}

function drawText(doc: PDFKit.PDFDocument, label: QrLabel): void {
  const x = mm(35);
  const width = mm(23);
  const name = latinText(label.productName);
  doc.fillColor(QR_INK).font('Helvetica-Bold').fontSize(8);
  doc.text(name, x, mm(6), { width, height: mm(13), ellipsis: true, lineBreak: true });
  for (const [caption, value, top] of [
    ['GTIN', label.gtin, 20],
    ['SERIAL', label.serial, 27],
  ] as const) {
    doc.font('Helvetica').fontSize(4.5).text(caption, x, mm(top), { width, characterSpacing: 0.4 });
    doc
      .font('Courier-Bold')
      .fontSize(7)
      .text(value, x, mm(top) + 6, { width, lineBreak: false });
  }
}

/**
 * The PDF's own fonts know Windows-1252 only. Other letters are written without their marks where that helps, else
 * left out: the code beside the text leads to the name in full.
 */
function latinText(text: string): string {
  return [...text.normalize('NFC')]
    .map((letter) => (isWindows1252(letter) ? letter : letter.normalize('NFD').replace(/\P{ASCII}/gu, '')))
    .join('')
    .replace(/\s+/gu, ' ')
    .trim();
}

const WINDOWS_1252_BEYOND_LATIN_1 = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';

const isWindows1252 = (letter: string): boolean => {
  const code = letter.codePointAt(0) ?? 0;
  return (
    (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code <= 0xff) || WINDOWS_1252_BEYOND_LATIN_1.includes(letter)
  );
};

function collect(doc: PDFKit.PDFDocument): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.on('end', () => resolve(Buffer.concat(chunks)));
    doc.on('error', reject);
  });
}
