import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import ExcelJS from 'exceljs';
import { fromBufferPromise } from 'yauzl';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Refusal } from '../../src/core/errors.js';
import {
  columnLetters,
  isBlankRow,
  type SheetHead,
  type SheetRow,
} from '../../src/infrastructure/spreadsheets/cells.js';
import { readFile as readFileHere } from '../../src/infrastructure/spreadsheets/read-file.js';
import { createSpreadsheetReader, type SpreadsheetReader } from '../../src/infrastructure/spreadsheets/reader.js';
import { makeZip, workbookParts } from '../support/zip.js';

const LIMITS = { rows: 1_000, columns: 200, timeLimitMs: 30_000, memoryMb: 256 };
/** Without the thread, which takes its time to start. */
const reader: SpreadsheetReader = { read: (path) => readFileHere(path, LIMITS) };

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spreadsheets-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const fixture = (name: string) => join(import.meta.dirname, '..', 'fixtures', 'spreadsheets', name);

async function readPath(path: string, from = reader): Promise<{ head: SheetHead; rows: readonly SheetRow[] }> {
  let head: SheetHead | undefined;
  const rows: SheetRow[] = [];
  for await (const part of from.read(path)) {
    if ('format' in part) head = part;
    else rows.push(...part);
  }
  if (head === undefined) throw new Error('the file has no head');
  return { head, rows: rows.filter(({ cells }) => !isBlankRow(cells)) };
}

async function unzipped(bytes: Buffer): Promise<readonly { name: string; content: Buffer }[]> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  const parts: { name: string; content: Buffer }[] = [];
  for await (const entry of zip.eachEntry()) {
    const stream = await zip.openReadStreamPromise(entry);
    parts.push({ name: entry.fileName, content: await buffer(stream) });
  }
  return parts;
}

let files = 0;
async function read(bytes: Buffer | string, from = reader) {
  const path = join(folder, `file-${files++}`);
  await writeFile(path, bytes);
  return readPath(path, from);
}

const refusal = (bytes: Buffer | string, from = reader): Promise<Refusal> =>
  read(bytes, from).then(
    () => Promise.reject(new Error('the file was read')),
    (error: unknown) => (error instanceof Refusal ? error : Promise.reject(error as Error)),
  );

describe('a workbook', () => {
  it('made by openpyxl is read as the person sees it', async () => {
    const { head, rows } = await readPath(fixture('odd-cells.xlsx'));
    expect(head).toMatchObject({ format: 'xlsx', sheet: 'Herbst' });
    expect(head.notes).toEqual([
      'Only the sheet "Herbst" was read, not "Notizen".',
      'Hidden sheets are ignored: "Listen".',
    ]);
    expect(head.merges).toContainEqual({ top: 2, bottom: 2, left: 3, right: 4 });
    expect(rows).toEqual([
      { row: 2, cells: ['Artikelname', 'EAN', 'Gewicht (g)', 'Material 1', null, 'Erfasst', 'Recycelbar', 'Pflege'] },
      { row: 3, cells: [null, null, null, 'Art', 'Anteil (%)'] },
      {
        row: 4,
        cells: [
          'Kleid „Größe“ 🎽',
          4012345678901,
          180,
          'Bio-Baumwolle',
          { kind: 'percent', value: 1 },
          { kind: 'date', value: '2026-01-05' },
          true,
          { kind: 'formula', value: '=A4' },
        ],
      },
      {
        row: 6,
        cells: [
          'Hose',
          '00000096385074',
          300.5,
          'Leinen',
          { kind: 'percent', value: 0.955 },
          null,
          'ja',
          { kind: 'formula', value: '=1/0' },
        ],
      },
    ]);
  });

  it('made by XlsxWriter keeps every character, the values of formulas and their errors', async () => {
    const { head, rows } = await readPath(
      fixture('german-catalogue.xlsx'),
      createSpreadsheetReader({ limits: LIMITS, atOnce: 1 }),
    );
    expect(head.notes).toContain('Hidden sheets are ignored: "Listen", "Intern".');
    // Two rows of header and the data; what is only formatted below them is none.
    expect([rows[0]?.row, rows.length]).toEqual([2, 2 + 74]);
    const names = rows.slice(2).map(({ cells }) => cells[0]);
    expect(names).toContain('Kleid 🎽 Łódź');
    expect(names).toContain('Modell Größe 0 – „Übergang“');
    const kinds = new Set(rows.flatMap(({ cells }) => cells.map((cell) => JSON.stringify(cell))));
    for (const cell of [
      { kind: 'error', value: '#DIV/0!' },
      { kind: 'formula', value: '=A4' },
      { kind: 'percent', value: 0.955 },
      { kind: 'date', value: '2026-03-01' },
      ...[0.3, true, '00000096385074', '=1+1', 4006381333931],
    ]) {
      expect(kinds).toContain(JSON.stringify(cell));
    }
  });

  it('saved by LibreOffice is read as it shows it: dates, percentages, formulas, merged and hidden', async () => {
    const { head, rows } = await readPath(fixture('libreoffice.xlsx'));
    expect(head.notes).toEqual([
      'Only the sheet "Katalog" was read, not "Notizen".',
      'Hidden sheets are ignored: "Listen".',
    ]);
    expect(head.merges).toContainEqual({ top: 2, bottom: 2, left: 3, right: 4 });
    expect(rows).toEqual([
      {
        row: 2,
        cells: [
          'Bezeichnung',
          'EAN',
          'Gewicht (kg)',
          'Material 1',
          null,
          'Material 2',
          null,
          'Erfasst am',
          'Recycelbar',
        ],
      },
      { row: 3, cells: [null, null, null, 'Art', 'Anteil', 'Art', 'Anteil'] },
      {
        row: 4,
        cells: [
          ...['Kleid „Größe“ 🎽', '04006381333931', 0.42, 'Bio-Baumwolle', { kind: 'percent', value: 0.95 }],
          ...['Elasthan', { kind: 'percent', value: 0.05 }, { kind: 'date', value: '2026-01-05' }, true],
        ],
      },
      {
        row: 5,
        cells: [
          ...['Hose', '00000096385074', 0.21, 'Leinen', { kind: 'percent', value: 1 }],
          ...[null, null, { kind: 'date', value: '1999-12-31' }, 'ja'],
        ],
      },
      { row: 7, cells: ['Hemd 7', null, { kind: 'error', value: '#DIV/0!' }] },
    ]);
  });

  it('with the cells that only rich text and links have is read as text', async () => {
    const book = new ExcelJS.Workbook();
    book.addWorksheet('S').addRows([
      ['name', 'link'],
      [{ richText: [{ text: 'Two ' }, { text: 'parts' }] }, { text: 'shop', hyperlink: 'https://shop.example/a' }],
    ]);
    const { rows } = await read(Buffer.from(await book.xlsx.writeBuffer()));
    expect(rows[1]?.cells).toEqual(['Two parts', 'shop']);
  });

  it('keeps what formulas compute, also when that is 0, FALSE or nothing', async () => {
    const formula = (place: string, type: string, value: string) =>
      `<c r="${place}"${type}><f>IFERROR(X1,"")</f>${value}</c>`;
    const { rows } = await read(
      makeZip(
        workbookParts(
          `<row r="1">${formula('A1', ' t="str"', '<v>name</v>')}${formula('B1', '', '<v>0</v>')}</row>` +
            `<row r="2">${formula('A2', '', '<v>0</v>')}${formula('B2', ' t="b"', '<v>0</v>')}` +
            `${formula('C2', ' t="str"', '<v></v>')}${formula('D2', ' t="str"', '')}` +
            `${formula('E2', '', '<v></v>')}${formula('F2', '', '')}</row>` +
            `<row r="3">${formula('A3', ' t="str"', '<v></v>')}<c r="B3" t="str"><f t="shared" si="0"/><v/></c>` +
            `<c r="C3" t="inlineStr"><is><t>\u200b\u00a0</t></is></c></row>`,
        ),
      ),
    );
    const missing = { kind: 'formula', value: '=IFERROR(X1,"")' };
    expect(rows).toEqual([
      { row: 1, cells: ['name', 0] },
      { row: 2, cells: [0, false, null, null, missing, missing] },
    ]);
  });

  it('shows the text of a formula in a cell that is formatted as a date', async () => {
    const parts = workbookParts(
      '<row r="1"><c r="A1" s="1" t="str"><f>B1</f><v>none</v></c><c r="B1" s="1" t="str"><f>C1</f><v></v></c>' +
        '<c r="C1" s="1"><f>D1</f><v>46027</v></c><c r="D1" s="2"><v>180</v></c><c r="E1" s="2"><f>D1</f><v>0</v></c></row>',
    );
    const styles =
      '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
      '<numFmts count="1"><numFmt numFmtId="164" formatCode="#,##0\\ &quot;g&quot;"/></numFmts>' +
      '<cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>';
    const { rows } = await read(makeZip([...parts, { name: 'xl/styles.xml', content: styles }]));
    expect(rows[0]?.cells).toEqual([
      'none',
      null,
      { kind: 'date', value: '2026-01-05' },
      { kind: 'labelled', value: 180, label: 'g' },
      { kind: 'labelled', value: 0, label: 'g' },
    ]);
  });

  it('whose elements have a prefix, or whose cells do not say where they are, is read like any other', async () => {
    const text = (content: string, at = '') => `<c${at} t="inlineStr"><is><t>${content}</t></is></c>`;
    const rows =
      `<row r="2">${text('name', ' r="B2"')}${text('sku')}</row><row>${text('Tee')}${text('T1', ' r="C3"')}${text('x')}</row>` +
      `<row r="7"><c/><c><v>1.5</v></c></row>`;
    const expected = [
      { row: 2, cells: [null, 'name', 'sku'] },
      { row: 3, cells: ['Tee', null, 'T1', 'x'] },
      { row: 7, cells: [null, 1.5] },
    ];
    const parts = workbookParts(rows);
    expect((await read(makeZip(parts))).rows).toEqual(expected);
    // As the Open XML SDK and others write: every element of the main namespace under `x:`.
    const prefixed = parts.map(({ name, content }) => {
      if (!/^xl\/(workbook|worksheets\/sheet1)\.xml$/.test(name)) return { name, content };
      const xml = String(content)
        .replace(/<(\/?)(\w)/g, '<$1x:$2')
        .replace('xmlns=', 'xmlns:x=');
      return { name, content: xml };
    });
    expect(String(prefixed.at(-1)?.content)).toContain('<x:row r="2"><x:c r="B2"');
    expect((await read(makeZip(prefixed))).rows).toEqual(expected);
    const limited = createSpreadsheetReader({ limits: { ...LIMITS, rows: 1_000 }, atOnce: 1 });
    expect((await read(makeZip(prefixed), limited)).rows).toEqual(expected);
  });

  it('with shared strings, styles, dates and formulas under a prefix is read as the same workbook without', async () => {
    const whole = await readFile(fixture('german-catalogue.xlsx'));
    const parts = (await unzipped(whole)).map(({ name, content }) =>
      /^xl\/(workbook|styles|sharedStrings|worksheets\/sheet\d+)\.xml$/.test(name)
        ? {
            name,
            content: content
              .toString()
              .replace(/<(\/?)(\w)/g, '<$1x:$2')
              .replace('xmlns=', 'xmlns:x='),
          }
        : { name, content },
    );
    expect(parts.filter(({ content }) => content.includes('<x:')).length).toBeGreaterThan(3);
    expect(await read(makeZip(parts))).toEqual(await read(whole));
  });

  it('with validations over whole columns does not take the time of their million cells', async () => {
    const sheet = '<row r="1"><c r="A1" t="inlineStr"><is><t>name</t></is></c></row>';
    const validations =
      '<dataValidations count="1"><dataValidation type="list" sqref="A1:Z1048576"><formula1>"a,b"</formula1></dataValidation></dataValidations>';
    const { rows } = await read(makeZip(workbookParts(sheet, validations)));
    expect(rows[0]?.cells).toEqual(['name']);
  });
});

describe('a CSV', () => {
  it.each([
    ['UTF-8', Buffer.from('name;weight\nGröße;0,2\n')],
    ['UTF-8 with a byte order mark', Buffer.from('\uFEFFname;weight\nGröße;0,2\n')],
    ['Windows-1252', Buffer.from('name;weight\r\nGr\xf6\xdfe;0,2\r\n', 'latin1')],
    ['UTF-16', Buffer.from('\uFEFFname\tweight\nGröße\t0,2\n', 'utf16le')],
    ['UTF-16, big-endian', Buffer.from('\uFEFFname\tweight\nGröße\t0,2\n', 'utf16le').swap16()],
    ['UTF-16 without a mark', Buffer.from('name\tweight and more\nGröße\t0,2\n', 'utf16le')],
    ['UTF-8 with old line ends', Buffer.from('name,weight\rGröße,"0,2"\r')],
  ])('in %s is read with its own separator', async (_name, bytes) => {
    const { rows } = await read(bytes);
    expect(rows.map(({ cells }) => cells[0])).toEqual(['name', 'Größe']);
    expect(rows[1]?.cells[1]).toBe('0,2');
  });

  it('keeps the typographic signs of Windows-1252', async () => {
    const { rows } = await read(Buffer.from('name\nA \x96 B \x80 \x84x\x93\n', 'latin1'));
    expect(rows[1]?.cells[0]).toBe('A – B € „x“');
  });

  it('counts a record as one row and blank lines too, whatever line breaks cells hold', async () => {
    const { rows } = await read('name,care\n"a\nb",x\n\n"c ""d""",y\n');
    expect(rows).toEqual([
      { row: 1, cells: ['name', 'care'] },
      { row: 2, cells: ['a\nb', 'x'] },
      { row: 4, cells: ['c "d"', 'y'] },
    ]);
  });

  it('takes the separator that Excel writes into the first line, which is no row', async () => {
    const { rows } = await read('sep=;\nname;a,b,c\nx;1\n');
    expect(rows[0]).toEqual({ row: 1, cells: ['name', 'a,b,c'] });
  });
});

describe('a file that cannot be read is refused with a reason:', () => {
  it.each<[string, Buffer | string, string, RegExp]>([
    ['nothing', '', 'file_unreadable', /empty/],
    ['blanks', ' \n \n', 'file_unreadable', /empty/],
    [
      'a picture',
      Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
      'unsupported_media_type',
      /neither .*xlsx.* nor a CSV/,
    ],
    ['a page', '<!DOCTYPE html><table><tr><td>name</td></tr></table>', 'unsupported_media_type', /page or a document/],
    ['a zip of something else', makeZip([{ name: 'a.txt', content: 'x' }]), 'unsupported_media_type', /zip archive/],
    [
      'an OpenDocument sheet',
      makeZip([{ name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet' }]),
      'unsupported_media_type',
      /OpenDocument/,
    ],
    ['an archive without parts', makeZip([]), 'file_unreadable', /empty archive/],
    ['a workbook without a value', makeZip(workbookParts('')), 'file_unreadable', /empty/],
    ['an unknown encoding', Buffer.from('name\nGr\xf6\x81\x8d\n', 'latin1'), 'file_unreadable', /encoding/],
    ['a quotation mark that is never closed', 'name,care\na,b\n"x,y\nz,1\n', 'file_unreadable', /^Line 3:/],
    ['a quotation mark inside a cell', 'name,care\na,b\nx,5" heel\n', 'file_unreadable', /^Line 3:/],
    [
      'too many columns',
      Array.from({ length: 5_000 }, (_, index) => `c${index}`).join(','),
      'file_unreadable',
      /5,000 columns/,
    ],
    ['too many rows', `name\n${'x\n'.repeat(1_001)}`, 'payload_too_large', /more than 1,000 rows/],
  ])('%s', async (_name, bytes, code, detail) => {
    const refused = await refusal(bytes);
    expect(refused.code).toBe(code);
    expect(refused.message).toMatch(detail);
  });

  it.each(['\n', '\r\n', '\r'])(
    'a CSV with too many rows before any of them is handed over (%j)',
    async (lineBreak) => {
      const line = `x${lineBreak}`;
      const path = join(folder, 'long.csv');
      await writeFile(path, `name${lineBreak}${line.repeat(1_001)}`);
      await expect(reader.read(path).next()).rejects.toMatchObject({ code: 'payload_too_large' });
      // As many lines as that in quotes are no rows.
      const { rows } = await read(`name${lineBreak}"${line.repeat(2_000)}"${lineBreak}${line.repeat(999)}`);
      expect(rows).toHaveLength(1_001);
    },
  );

  it('an .xls and a workbook under a password', async () => {
    expect((await refusal(await readFile(fixture('old.xls')))).message).toMatch(/old \.xls/);
    expect((await refusal(await readFile(fixture('locked.xlsx')))).message).toMatch(/password/);
  });

  it('a workbook that was cut off, wherever', async () => {
    const whole = await readFile(fixture('odd-cells.xlsx'));
    for (const share of [0.2, 0.6, 0.99]) {
      const refused = await refusal(whole.subarray(0, whole.length * share));
      expect(refused.code).toBe('file_unreadable');
      expect(refused.message).toMatch(/cut off/);
    }
  });

  it('a workbook with 1,000,000 rows, while its rows are counted', async () => {
    const rows = '<row><c><v>1</v></c></row>'.repeat(1_000_000);
    const refused = await refusal(makeZip(workbookParts(rows)));
    expect(refused.code).toBe('payload_too_large');
  });

  it('a workbook with 5,000 columns', async () => {
    const cells = Array.from(
      { length: 5_000 },
      (_, index) => `<c r="${columnLetters(index)}1" t="inlineStr"><is><t>x</t></is></c>`,
    ).join('');
    expect((await refusal(makeZip(workbookParts(`<row r="1">${cells}</row>`)))).message).toMatch(/5000 columns/);
  });

  it('a zip bomb by its directory, and one whose directory lies while it unpacks', async () => {
    const bomb = Buffer.alloc(40 * 1024 * 1024, 0x20);
    const told = makeZip([...workbookParts(''), { name: 'xl/sharedStrings.xml', content: bomb }]);
    expect(told.length).toBeLessThan(1024 * 1024);
    const refused = await refusal(told);
    expect([refused.code, refused.message]).toEqual(['payload_too_large', expect.stringMatching(/unpack to 40 MiB/)]);

    const liar = makeZip([...workbookParts(''), { name: 'xl/sharedStrings.xml', content: bomb, claimedSize: 1_000 }]);
    expect((await refusal(liar)).code).toBe('file_unreadable');
  });

  it('one that takes more time or memory than it is given', async () => {
    const cell = (row: number, column: number) =>
      `<c r="${columnLetters(column)}${row}" t="inlineStr"><is><t>${randomBytes(20).toString('hex')}</t></is></c>`;
    const row = (number: number) =>
      `<row r="${number}">${Array.from({ length: 60 }, (_, column) => cell(number, column)).join('')}</row>`;
    const rows = Array.from({ length: 900 }, (_, index) => row(index + 1)).join('');
    const bytes = makeZip(workbookParts(rows));
    const hasty = createSpreadsheetReader({ limits: { ...LIMITS, timeLimitMs: 20 }, atOnce: 1 });
    expect(await refusal(bytes, hasty)).toMatchObject({
      code: 'payload_too_large',
      message: expect.stringMatching(/too long/),
    });
    const narrow = createSpreadsheetReader({ limits: { ...LIMITS, memoryMb: 24 }, atOnce: 1 });
    expect(await refusal(bytes, narrow)).toMatchObject({
      code: 'payload_too_large',
      message: expect.stringMatching(/memory/),
    });
  });

  it('a workbook with entities that would unfold to gigabytes', async () => {
    const laughs = Array.from(
      { length: 9 },
      (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`,
    ).join('');
    const [sheet, ...others] = workbookParts(
      '<row r="1"><c r="A1" t="inlineStr"><is><t>&l9;</t></is></c></row>',
    ).toReversed();
    const content = `<!DOCTYPE worksheet [<!ENTITY l0 "lol">${laughs}]>${String(sheet?.content)}`;
    const bomb = makeZip([{ name: 'xl/worksheets/sheet1.xml', content }, ...others]);
    expect(await refusal(bomb)).toMatchObject({ code: 'file_unreadable', message: expect.stringMatching(/damaged/) });
  });

  it('a cell of 1 MB in a workbook is told by its length too', async () => {
    const text = (column: string, content: string) => `<c r="${column}1" t="inlineStr"><is><t>${content}</t></is></c>`;
    const long = randomBytes(512 * 1024).toString('hex');
    const { rows } = await read(makeZip(workbookParts(`<row r="1">${text('A', long)}${text('B', 'ok')}</row>`)));
    expect(rows[0]?.cells).toEqual([{ kind: 'overlong', length: 1024 * 1024 }, 'ok']);
  });

  it('a cell of 1 MB is told by its length, and the rest of the file is read', async () => {
    const { rows } = await read(`name,care\nx,${'y'.repeat(1024 * 1024)}\nz,ok\n`);
    expect(rows[1]?.cells[1]).toEqual({ kind: 'overlong', length: 1024 * 1024 });
    expect(rows[2]?.cells).toEqual(['z', 'ok']);
  });
});
