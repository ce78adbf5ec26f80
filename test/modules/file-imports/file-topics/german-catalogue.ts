import { readFile } from 'node:fs/promises';
import type ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../imports/rows.js';
import { eventsOf } from '../../imports/rows.js';
import { fixture, over, productsOf, sheetIn, start, upload, type Topic } from '../files.js';

/** What `german.py` says about the rows of its catalogue. */
interface Told {
  readonly row: number;
  readonly what: string;
  readonly outcome: string;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** What a person writes instead, by column; null empties the cell. */
  readonly correct?: Readonly<Record<string, string | number | null>>;
}

const codes = (said: readonly { readonly code: string }[] | undefined) => said?.map(({ code }) => code) ?? [];

const MESSAGE = 'Import message';

/** Writes into the file of errors what stands in the table; answers it as the bytes of a file. */
async function corrected(book: ExcelJS.Workbook, told: readonly Told[]): Promise<Buffer> {
  const [sheet] = book.worksheets;
  if (sheet === undefined) throw new Error('the workbook has no sheet');
  const places = new Map<string, number>();
  sheet.getRow(1).eachCell((cell, column) => void places.set(cell.text, column));
  for (let number = 2; number <= sheet.rowCount; number++) {
    const message = sheet.getCell(number, places.get(MESSAGE) ?? 0).text;
    const row = Number(/^Row (\d+):/.exec(message)?.[1]);
    for (const [header, value] of Object.entries(told.find((one) => one.row === row)?.correct ?? {})) {
      const cell = sheet.getCell(number, places.get(header) ?? 0);
      cell.style = {};
      cell.value = value;
    }
  }
  return Buffer.from(await book.xlsx.writeBuffer());
}

export const germanCatalogue = ({ service, brand }: Topic): void => {
  describe('a German catalogue made by XlsxWriter, with every mistake', () => {
    let importId: string;
    let fileId: string;
    let rows: readonly Row[];
    let table: { readonly rows: number; readonly mapping: object; readonly told: readonly Told[] };
    const wrong = () => table.told.filter(({ outcome }) => outcome === 'error');

    it('is understood when it is uploaded: header, columns, other sheets, preview', async () => {
      table = JSON.parse(await readFile(fixture('german-catalogue.json'), 'utf8')) as typeof table;
      const { status, json } = await upload(brand(), await readFile(fixture('german-catalogue.xlsx')));
      expect(status).toBe(201);
      fileId = json.id;
      expect(json).toMatchObject({
        ...{ format: 'xlsx', sheet: 'Katalog', rowCount: table.rows, unmappedRequired: [] },
        mapping: {
          Modell: null,
          Bezeichnung: 'name',
          Stilschlüssel: null,
          Artikelnummer: 'sku',
          EAN: 'gtin',
          Warengruppe: 'category',
          'Gewicht (kg)': 'weight_kg',
          Herkunftsland: 'country_of_manufacture',
          Materialzusammensetzung: 'composition',
          'Material 1 Art': 'material_1_type',
          'Material 1 Anteil (%)': 'material_1_percent',
          'Material 2 Art': 'material_2_type',
          'Material 2 Anteil (%)': 'material_2_percent',
          Pflegehinweise: 'care_instructions',
          'Lebensdauer (Jahre)': 'expected_lifespan_years',
          Recycelbar: 'recyclable',
          'Shop-Link': 'ecommerce_url',
          Lieferant: 'supplier_name',
          'E-Mail Lieferant': 'supplier_email',
          'Erfasst am': null,
        },
        unmapped: ['Modell', 'Stilschlüssel', 'Erfasst am'],
        notes: [
          'Only the sheet "Katalog" was read, not "Notizen".',
          'Hidden sheets are ignored: "Listen", "Intern".',
          'The header was found in row 2; the rows above it are blank.',
        ],
      });
      expect(json.preview[0]).toMatchObject({ row: 4, cells: { Modell: 'Modell Größe 0 – „Übergang“' } });
    });

    it('is validated whole under a corrected mapping: each row says what the table says, and nothing is written', async () => {
      const { status, json } = await brand().call({
        ...{ method: 'POST', url: `/brand/bulk/files/${fileId}/validate`, payload: { mapping: table.mapping } },
      });
      expect(status).toBe(200);
      expect(json.mapping).toMatchObject(table.mapping);
      rows = json.validation.rows as readonly Row[];
      expect(rows).toHaveLength(table.rows);
      const told = new Map(table.told.map((one) => [one.row, one]));
      for (const { row, outcome, errors, warnings } of rows) {
        const expected = told.get(row) ?? { what: 'plain', outcome: 'create', errors: [], warnings: [] };
        expect([row, expected.what, outcome, codes(errors)]).toEqual([
          ...[row, expected.what, expected.outcome, expected.errors],
        ]);
        expect(codes(warnings), expected.what).toEqual(expect.arrayContaining([...expected.warnings]));
        for (const { message } of [...errors, ...warnings]) expect(message).toMatch(new RegExp(`^Row ${row}: `));
      }
      const created = table.rows - wrong().length - 1;
      expect(json.validation.summary).toMatchObject({
        ...{ create: created, skipped: 1, errors: wrong().length, passports: created - 1 },
      });
      expect(await productsOf(brand())).toEqual([]);
    });

    it('becomes products and published passports, row by row as it was told', async () => {
      const payload = { mapping: table.mapping };
      const { json } = await brand().call({ method: 'POST', url: `/brand/bulk/files/${fileId}/commit`, payload });
      importId = json.importId;
      const events = brand().call({ url: `/brand/bulk/imports/${importId}/events` });
      const done = await over(brand(), importId, 240_000);
      expect(done).toMatchObject({ state: 'completed', done: table.rows, total: table.rows, secondsLeft: 0 });
      expect(done.ratePerSecond).toBeGreaterThan(0);
      expect(done.report.summary).toEqual(done.outcomes);
      const said = (all: readonly Row[]) =>
        all.map(({ row, outcome, errors, warnings }) => ({ row, outcome, errors, warnings }));
      expect(said(done.report.rows)).toEqual(said(rows));

      const heard = (await events).body.split('\n\n').filter((part) => part.startsWith('event:'));
      expect(heard.at(-1)).toMatch(/^event: ended\n/);
      const counts = heard.map((part) => (JSON.parse(part.split('data: ')[1] ?? '') as { done: number }).done);
      expect(counts).toEqual(counts.toSorted((a, b) => a - b));
      expect(counts.at(-1)).toBe(table.rows);

      const dpps = (await brand().call({ url: '/brand/dpps' })).json.data as { qrUrl: string }[];
      expect(dpps).toHaveLength(done.outcomes.passports);
      const url = new URL(dpps[0]?.qrUrl ?? '').pathname;
      const page = await service().call({ url, headers: { accept: 'text/html' } });
      expect(page.status).toBe(200);
    }, 300_000);

    it('leaves in every event the import, the file and the row that it comes from', async () => {
      const [first] = (await productsOf(brand())).filter(({ externalId }) => externalId === 'DE-0001');
      const events = [];
      for await (const event of service().eventStore.readStream(`product-${first?.id}`)) events.push(event);
      expect(events[0]?.metadata).toMatchObject({
        import: { importId, row: 5, fileHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      });
    });

    it('gives back the rows that failed, marked, which corrected go in as they are, mapping and all', async () => {
      const { sheet, book } = await sheetIn(service(), brand(), `/brand/bulk/imports/${importId}/errors.xlsx`);
      expect(sheet.rowCount).toBe(1 + wrong().length);
      const header = (sheet.getRow(1).values as string[]).slice(1);
      expect([header[0], header[9], header.at(-1)]).toEqual(['Modell', 'Material 1 Art', MESSAGE]);
      const [place, formula] = ['no such category', 'formula with an error'].map(
        (what) => 2 + wrong().findIndex((one) => one.what === what),
      );
      expect(sheet.getCell(place ?? 0, header.length).value).toMatch(/^Row \d+: .*Raumschiffe/);
      expect(sheet.getCell(place ?? 0, header.indexOf('Warengruppe') + 1).fill).toMatchObject({ pattern: 'solid' });
      expect(sheet.getCell(place ?? 0, 1).fill).not.toMatchObject({ pattern: 'solid' });
      expect(sheet.getCell(formula ?? 0, header.indexOf('Gewicht (kg)') + 1).value).toEqual({ error: '#VALUE!' });

      const again = await upload(brand(), await corrected(book, wrong()));
      expect(again.status).toBe(201);
      expect(again.json.mapping).toMatchObject(table.mapping);
      const all = wrong().length;
      expect(again.json.validation.summary).toMatchObject({ create: all, errors: 0, passports: all });
      const url = `/brand/bulk/files/${again.json.id}/commit`;
      const started = await brand().call({ method: 'POST', url, payload: {} });
      const done = await over(brand(), started.json.importId);
      expect(done.outcomes).toMatchObject({ create: all, errors: 0, passports: all });
    }, 120_000);

    it('sent once more makes nothing of rows with a key, in either mode', async () => {
      const bytes = await readFile(fixture('german-catalogue.xlsx'));
      const named = (what: string) => table.told.find((one) => one.what === what)?.row;
      const facts = async () =>
        (await eventsOf(service(), brand())).filter(({ type }) => !type.startsWith('Import')).length;
      const rowsOfFacts = async (from: number, types = /./) =>
        new Set(
          (await eventsOf(service(), brand()))
            .filter(({ type }) => !type.startsWith('Import'))
            .slice(from)
            .filter(({ type }) => types.test(type))
            .map(({ type, metadata }) => metadata.import?.row ?? type),
        );
      const known = { errors: wrong().length, skipped: table.rows - wrong().length - 1, create: 1 };
      const before = await facts();
      const created = await over(brand(), await start(brand(), bytes));
      expect(created.outcomes).toMatchObject({ ...known, passports: 1 });
      expect(await rowsOfFacts(before)).toEqual(new Set([named('no key at all')]));

      const between = await facts();
      const upserted = await over(brand(), await start(brand(), bytes, { mode: 'upsert' }));
      expect(upserted.outcomes).toMatchObject({ create: 1, skipped: 0, update: 1, errors: wrong().length });
      // A workflow may publish the changed product before its row does.
      const written = await rowsOfFacts(between, /^Product/);
      expect(written).toEqual(new Set([named('no key at all'), named('repeated key')]));
    }, 120_000);
  });
};
