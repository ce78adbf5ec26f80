import { readFile } from 'node:fs/promises';
import ExcelJS from 'exceljs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServiceWithWorker, type ServiceWithWorker } from '../../support/brand-story.js';
import type { Brand } from '../../support/service.js';
import { csvOf, fixture, importOf, multipart, over, sheetIn, start, upload } from './files.js';

let service: ServiceWithWorker;
let brand: Brand;

beforeAll(async () => {
  service = await startServiceWithWorker();
  brand = await service.asBrand();
}, 120_000);
afterAll(() => service.close());

const productsOf = async (of: Brand) =>
  (await of.call({ url: '/brand/products' })).json.data as { id: string; name: string; externalId: string | null }[];

describe('a German catalogue made by XlsxWriter', () => {
  let importId: string;
  let fileId: string;
  let report: {
    summary: Record<string, number>;
    rows: { row: number; outcome: string; errors: { code: string; message: string }[]; warnings: { code: string }[] }[];
  };

  it('is understood when it is uploaded: columns, preview, and what each row would do', async () => {
    const { status, json } = await upload(brand, await readFile(fixture('german-catalogue.xlsx')));
    expect(status).toBe(201);
    fileId = json.id;
    expect(json).toMatchObject({
      format: 'xlsx',
      sheet: 'Katalog',
      rowCount: 200,
      mapping: {
        Artikelname: 'name',
        'Style-ID': 'external_id',
        Artikelnummer: 'sku',
        EAN: 'gtin',
        Warengruppe: 'category',
        'Gewicht (kg)': 'weight_kg',
        Herkunftsland: 'country_of_manufacture',
        Materialzusammensetzung: 'composition',
        Pflegehinweise: 'care_instructions',
        'Lebensdauer (Jahre)': 'expected_lifespan_years',
        Recycelbar: 'recyclable',
        Lieferant: 'supplier_name',
        Saison: null,
      },
      unmapped: ['Saison'],
      unmappedRequired: [],
      notes: ['Hidden sheets are ignored: "Listen".'],
    });
    expect(json.preview[0]).toMatchObject({ row: 2, cells: { Artikelname: 'Modell Größe 0 – „Übergang“' } });
    report = json.validation;
    const errors = Object.fromEntries(
      report.rows.filter(({ outcome }) => outcome === 'error').map(({ row, errors: all }) => [row, all[0]?.code]),
    );
    expect(errors).toEqual({
      11: 'missing_name',
      21: 'unknown_category',
      31: 'composition_total',
      41: 'unknown_material',
      51: 'gtin_precision_lost',
      61: 'invalid_gtin',
      71: 'invalid_value',
      81: 'formula_without_value',
      91: 'invalid_value',
      101: 'invalid_value',
      171: 'invalid_value',
    });
    for (const { row, errors: all } of report.rows) {
      for (const { message } of all) expect(message).toMatch(new RegExp(`^Row ${row}: `));
    }
    const warned = (row: number) => report.rows.find((one) => one.row === row)?.warnings.map(({ code }) => code);
    expect(warned(111)).toContain('missing_weight');
    expect(warned(121)).toContain('no_composition');
    expect(warned(131)).toContain('unknown_country');
    expect(warned(2)).toContain('composition_read');
    expect(report.summary).toMatchObject({ create: 189, errors: 11, passports: 188 });
    expect(await productsOf(brand)).toEqual([]);
  });

  it('becomes products and published passports, row by row as it was told', async () => {
    const { json } = await brand.call({ method: 'POST', url: `/brand/bulk/files/${fileId}/commit`, payload: {} });
    importId = json.importId;
    const events = brand.call({ url: `/brand/bulk/imports/${importId}/events` });
    const done = await over(brand, importId, 240_000);
    expect(done).toMatchObject({
      state: 'completed',
      done: 200,
      total: 200,
      outcomes: report.summary,
      secondsLeft: 0,
    });
    expect(done.ratePerSecond).toBeGreaterThan(0);
    expect(done.report.summary).toEqual(report.summary);
    const told = (rows: typeof report.rows) =>
      rows.map(({ row, outcome, errors, warnings }) => ({ row, outcome, errors, warnings }));
    expect(told(done.report.rows)).toEqual(told(report.rows));

    const heard = (await events).body.split('\n\n').filter((part) => part.startsWith('event:'));
    expect(heard.length).toBeGreaterThan(2);
    expect(heard.at(-1)).toMatch(/^event: ended\n/);
    const counts = heard.map((part) => (JSON.parse(part.split('data: ')[1] ?? '') as { done: number }).done);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));

    const dpps = (await brand.call({ url: '/brand/dpps' })).json.data as { qrUrl: string }[];
    expect(dpps).toHaveLength(188);
    const page = await service.call({ url: new URL(dpps[0]?.qrUrl ?? '').pathname, headers: { accept: 'text/html' } });
    expect(page.status).toBe(200);
    expect(page.body).toContain('Modell Größe');
  }, 300_000);

  it('leaves in every event the import, the file and the row that it comes from', async () => {
    const product = (await productsOf(brand)).find(({ externalId }) => externalId === 'DE-0123');
    const events = [];
    for await (const event of service.eventStore.readStream(`product-${product?.id}`)) events.push(event);
    expect(events[0]?.metadata).toMatchObject({ import: { importId, row: 125 } });
    expect(JSON.stringify(events[0]?.metadata)).toMatch(/[0-9a-f]{64}/);
  });

  it('gives back the rows that failed, marked, which corrected go in as they are', async () => {
    const { sheet, book } = await sheetIn(service, brand, `/brand/bulk/imports/${importId}/errors.xlsx`);
    expect(sheet.rowCount).toBe(12);
    const header = sheet.getRow(1).values as string[];
    expect(header.slice(1)).toEqual([
      ...['Artikelname', 'Style-ID', 'Artikelnummer', 'EAN', 'Warengruppe', 'Gewicht (kg)', 'Herkunftsland'],
      ...[
        'Materialzusammensetzung',
        'Pflegehinweise',
        'Lebensdauer (Jahre)',
        'Recycelbar',
        'Lieferant',
        'Saison',
        'Import message',
      ],
    ]);
    expect(sheet.getCell('N3').value).toMatch(/^Row 21: .*Raumschiffe/);
    expect(sheet.getCell('E3').fill).toMatchObject({ pattern: 'solid' });
    expect(sheet.getCell('A3').fill).not.toMatchObject({ pattern: 'solid' });
    expect(sheet.getCell('F9').value).toEqual({ error: '#VALUE!' });

    for (const [cell, value] of Object.entries({
      A2: 'Nachgetragen',
      E3: 'Hose',
      H4: 'Baumwolle 60 / Polyester 40',
      H5: '100% Wolle',
      D6: null,
      D7: null,
      F8: 0.3,
      F9: 0.4,
      K10: 'ja',
    })) {
      sheet.getCell(cell).value = value;
    }
    const again = await upload(brand, Buffer.from(await book.xlsx.writeBuffer()));
    expect(again.status).toBe(201);
    expect(again.json.validation.summary).toMatchObject({ create: 9, errors: 2 });
    const started = await brand.call({ method: 'POST', url: `/brand/bulk/files/${again.json.id}/commit`, payload: {} });
    const done = await over(brand, started.json.importId);
    expect(done.outcomes).toMatchObject({ create: 9, errors: 2, passports: 9 });
  });

  it('sent once more creates nothing, changes nothing, appends nothing', async () => {
    const bytes = await readFile(fixture('german-catalogue.xlsx'));
    const eventsOfProducts = async () => {
      let count = 0;
      for await (const event of service.eventStore.readAll({ after: null })) {
        if (!event.type.startsWith('Import')) count += 1;
      }
      return count;
    };
    const before = await eventsOfProducts();
    const created = await over(brand, await start(brand, bytes));
    expect(created.outcomes).toEqual({ create: 0, update: 0, unchanged: 0, skipped: 189, errors: 11, passports: 0 });
    const upserted = await over(brand, await start(brand, bytes, { mode: 'upsert' }));
    expect(upserted.outcomes).toMatchObject({ create: 0, skipped: 0, errors: 11, passports: 0 });
    expect(upserted.outcomes.unchanged + upserted.outcomes.update).toBe(189);
    expect(await eventsOfProducts()).toBe(before);
  }, 240_000);
});

describe('a mapping', () => {
  const odd = 'Ding;Zahl\nHemd;7\n';

  it('that is missing the name is told at the upload and refused at the commit', async () => {
    const { json } = await upload(brand, odd);
    expect(json).toMatchObject({ unmapped: ['Ding', 'Zahl'], unmappedRequired: ['name'] });
    const commit = await brand.call({ method: 'POST', url: `/brand/bulk/files/${json.id}/commit`, payload: {} });
    expect([commit.status, commit.json.code]).toEqual([422, 'name_unmapped']);
  });

  it('can be corrected, looked at, and is kept for files with the same columns', async () => {
    const { json: first } = await upload(brand, odd);
    const mapping = { Ding: 'name', Zahl: 'sku' };
    const looked = await brand.call({
      method: 'POST',
      url: `/brand/bulk/files/${first.id}/validate`,
      payload: { mapping },
    });
    expect(looked.json).toMatchObject({ mapping, validation: { summary: { create: 1, errors: 0 } } });
    const commit = await brand.call({
      method: 'POST',
      url: `/brand/bulk/files/${first.id}/commit`,
      payload: { mapping },
    });
    expect(commit.status).toBe(202);
    expect((await over(brand, commit.json.importId)).outcomes).toMatchObject({ create: 1 });

    const { json: second } = await upload(brand, 'DING;zahl\nHose;8\n');
    expect(second).toMatchObject({ fileType: first.fileType, mapping: { DING: 'name', zahl: 'sku' } });
    const url = `/brand/bulk/mappings/${first.fileType}`;
    expect((await brand.call({ url })).json).toEqual({ fileType: first.fileType, mapping });
    expect((await brand.call({ method: 'DELETE', url })).json).toEqual({ ok: true });
    expect((await brand.call({ url })).status).toBe(404);
    expect((await upload(brand, odd)).json.mapping).toEqual({ Ding: null, Zahl: null });
    const put = await brand.call({ method: 'PUT', url, payload: { mapping: { Ding: 'name' } } });
    expect(put.json.mapping).toEqual({ Ding: 'name' });
    expect((await upload(brand, odd)).json.mapping).toEqual({ Ding: 'name', Zahl: null });
  });

  it('with a field that does not exist is refused wherever it comes', async () => {
    const { json } = await upload(brand, odd);
    const mapping = { Ding: 'colour' };
    const path = 'mapping.Ding';
    for (const answer of [
      await upload(brand, odd, { mapping: JSON.stringify(mapping) }),
      await brand.call({ method: 'POST', url: `/brand/bulk/files/${json.id}/commit`, payload: { mapping } }),
      await brand.call({ method: 'PUT', url: `/brand/bulk/mappings/${json.fileType}`, payload: { mapping } }),
    ]) {
      expect(answer).toMatchObject({ status: 422, json: { errors: [{ path }] } });
    }
  });
});

describe('an upload', () => {
  it('beyond the free plan is refused before anything is written', async () => {
    const free = await service.asBrand({ plan: 'free' });
    const { status, json } = await upload(free, csvOf(51));
    expect([status, json.code]).toEqual([403, 'plan_limit']);
    const kept = await service.database.query('select 1 from service.import_files where organization_id = $1', [
      free.organizationId,
    ]);
    expect(kept.rowCount).toBe(0);
    expect((await upload(free, csvOf(50))).status).toBe(201);
  });

  it('that is no file, no spreadsheet or no multipart is refused with a reason', async () => {
    expect(await upload(brand, Buffer.from('89504e470d0a1a0a00', 'hex'))).toMatchObject({ status: 415 });
    expect(await upload(brand, '')).toMatchObject({ status: 422, json: { code: 'file_unreadable' } });
    expect(await upload(brand, 'name;sku;SKU\na;b;c\n')).toMatchObject({ status: 422 });
    expect(await upload(brand, 'name\n"a\n')).toMatchObject({
      status: 422,
      json: { detail: expect.stringMatching(/^Line 2/) },
    });
    const url = '/brand/bulk/files';
    expect(await brand.call({ method: 'POST', url, payload: { mode: 'create' } })).toMatchObject({ status: 415 });
    const { headers } = multipart('x');
    const cut = await brand.call({ method: 'POST', url, headers, payload: Buffer.from('--a-boundary-that-no') });
    expect(cut).toMatchObject({ status: 400, json: { code: 'malformed_request' } });
    const none =
      '--a-boundary-that-no-file-holds\r\nContent-Disposition: form-data; name="mode"\r\n\r\ncreate\r\n--a-boundary-that-no-file-holds--\r\n';
    expect(await brand.call({ method: 'POST', url, headers, payload: none })).toMatchObject({
      status: 422,
      json: { errors: [{ path: 'file' }] },
    });
    expect(await upload(brand, csvOf(1), { mode: 'replace' })).toMatchObject({
      status: 422,
      json: { errors: [{ path: 'mode' }] },
    });
    expect(await upload(brand, csvOf(1), { mapping: '{' })).toMatchObject({
      status: 422,
      json: { errors: [{ path: 'mapping' }] },
    });
  });

  it('under one key answers one file, and the key is not good for another file', async () => {
    const first = await upload(brand, csvOf(1), { key: 'upload-1' });
    const again = await upload(brand, csvOf(1), { key: 'upload-1' });
    expect(again).toMatchObject({ status: 201, json: { id: first.json.id } });
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(await upload(brand, csvOf(2), { key: 'upload-1' })).toMatchObject({
      status: 422,
      json: { code: 'idempotency_key_reused' },
    });
  });

  it('is another organization’s secret', async () => {
    const stranger = await service.asBrand();
    const id = await start(brand, csvOf(1, ' of ours'));
    await over(brand, id);
    for (const [method, url] of [
      ['GET', `/brand/bulk/files/${id}`],
      ['POST', `/brand/bulk/files/${id}/commit`],
      ['POST', `/brand/bulk/files/${id}/validate`],
      ['GET', `/brand/bulk/imports/${id}`],
      ['GET', `/brand/bulk/imports/${id}/events`],
      ['GET', `/brand/bulk/imports/${id}/errors.xlsx`],
      ['POST', `/brand/bulk/imports/${id}/cancel`],
    ] as const) {
      expect([url, (await stranger.call({ method, url, ...(method === 'POST' && { payload: {} }) })).status]).toEqual([
        url,
        404,
      ]);
    }
    expect((await stranger.call({ url: '/brand/bulk/imports' })).json.data).toEqual([]);
  });
});

describe('an import', () => {
  it('is the only one of its file, however often it is started', async () => {
    const uploaded = await upload(brand, csvOf(3, ' once'));
    const url = `/brand/bulk/files/${uploaded.json.id}/commit`;
    const commits = await Promise.all([1, 2, 3].map(() => brand.call({ method: 'POST', url, payload: {} })));
    expect(new Set(commits.map(({ json }) => json.importId))).toEqual(new Set([uploaded.json.id]));
    await over(brand, uploaded.json.id);
    expect((await brand.call({ method: 'POST', url, payload: {} })).json).toEqual({ importId: uploaded.json.id });
    const types: string[] = [];
    for await (const event of service.eventStore.readStream(`import-${uploaded.json.id}`)) types.push(event.type);
    expect(types).toEqual(['ImportStarted', 'ImportEnded']);
  });

  it('that is cancelled keeps what is done and says which rows', async () => {
    const fresh = await service.asBrand();
    const id = await start(fresh, csvOf(600));
    await expect.poll(async () => (await importOf(fresh, id)).done, { timeout: 60_000 }).toBeGreaterThan(0);
    expect(await fresh.call({ method: 'POST', url: `/brand/bulk/imports/${id}/cancel` })).toMatchObject({
      status: 200,
    });
    const ended = await over(fresh, id);
    expect(ended.state).toBe('cancelled');
    expect(ended.done).toBeLessThan(600);
    expect(ended.done % 25).toBe(0);
    expect(ended.report.rows).toHaveLength(ended.done);
    expect((await productsOf(fresh)).length).toBe(ended.done);
    expect(await fresh.call({ method: 'POST', url: `/brand/bulk/imports/${id}/cancel` })).toMatchObject({
      status: 200,
      json: { state: 'cancelled' },
    });
    const listed = (await fresh.call({ url: '/brand/bulk/imports' })).json.data;
    expect(listed).toMatchObject([{ id, state: 'cancelled', done: ended.done, total: 600 }]);
  }, 120_000);

  it('that is over cannot be cancelled', async () => {
    const id = await start(brand, csvOf(1, ' over'));
    await over(brand, id);
    expect(await brand.call({ method: 'POST', url: `/brand/bulk/imports/${id}/cancel` })).toMatchObject({
      status: 409,
      json: { code: 'import_over', state: 'completed' },
    });
  });

  it('of two organizations at the same moment makes each its own products, of one organization no key twice', async () => {
    const [one, two] = [await service.asBrand(), await service.asBrand()];
    const runs = await Promise.all([start(one, csvOf(60)), start(one, csvOf(60)), start(two, csvOf(60))]);
    const [first, second, foreign] = [
      await over(one, runs[0] ?? ''),
      await over(one, runs[1] ?? ''),
      await over(two, runs[2] ?? ''),
    ];
    expect(foreign.outcomes).toMatchObject({ create: 60, passports: 60 });
    expect(first.outcomes.create + second.outcomes.create).toBe(60);
    expect(first.outcomes.skipped + second.outcomes.skipped).toBe(60);
    for (const each of [one, two]) {
      const keys = (await productsOf(each)).map(({ externalId }) => externalId);
      expect(new Set(keys).size).toBe(60);
      expect(keys).toHaveLength(60);
    }
  }, 120_000);

  it('writes cells that begin like a formula as text', async () => {
    const id = await start(brand, 'name;gtin\n=1+1;x\n+2;x\n-3;x\n@SUM(A1);x\n');
    await over(brand, id);
    const { sheet } = await sheetIn(service, brand, `/brand/bulk/imports/${id}/errors.xlsx`);
    for (const [row, text] of ['=1+1', '+2', '-3', '@SUM(A1)'].entries()) {
      expect(sheet.getCell(row + 2, 1)).toMatchObject({ value: text, type: ExcelJS.ValueType.String });
    }
  });
});

it('the template has the columns, lists to choose from, examples that pass, and explains each column', async () => {
  const { bytes, book } = await sheetIn(service, brand, '/brand/bulk/template.xlsx');
  expect(book.worksheets.map(({ name, state }) => [name, state])).toEqual([
    ['Products', 'visible'],
    ['Examples', 'visible'],
    ['Explanations', 'visible'],
    ['Lists', 'hidden'],
  ]);
  const header = (book.getWorksheet('Products')?.getRow(1).values as string[]).slice(1);
  const mode = book.getWorksheet('Products')?.getCell(2, header.indexOf('category') + 1).dataValidation;
  expect(mode).toMatchObject({ type: 'list' });
  expect(book.getWorksheet('Explanations')?.rowCount).toBe(header.length + 1);
  const empty = await upload(brand, bytes);
  expect(empty.json).toMatchObject({ rowCount: 0, unmapped: [], validation: { rows: [] } });

  for (const name of ['Products', 'Explanations', 'Lists']) book.removeWorksheet(book.getWorksheet(name)?.id ?? 0);
  const filled = await upload(await service.asBrand(), Buffer.from(await book.xlsx.writeBuffer()));
  expect(filled.json.validation.summary).toMatchObject({ create: 2, errors: 0, passports: 2 });
});
