import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { eventually } from '../../support/brand-story.js';
import type { Answer, Brand, TestService } from '../../support/service.js';

/** What the topics of the file imports share: one service, one brand, there once the tests run. */
export interface Topic {
  readonly service: () => TestService;
  readonly brand: () => Brand;
}

export const productsOf = async (of: Brand) =>
  (await of.call({ url: '/brand/products' })).json.data as { id: string; name: string; externalId: string | null }[];

export const fixture = (name: string): string =>
  join(import.meta.dirname, '..', '..', 'fixtures', 'spreadsheets', name);

/** A multipart body: the file and what is told beside it. */
export function multipart(
  content: Buffer | string,
  fields: Readonly<Record<string, string>> = {},
  filename = 'catalogue.xlsx',
): { payload: Buffer; headers: Record<string, string> } {
  const boundary = 'a-boundary-that-no-file-holds';
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const payload = Buffer.concat([
    Buffer.from(parts.join('')),
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
    ),
    Buffer.from(content),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { payload, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
}

export const upload = (
  brand: Brand,
  content: Buffer | string,
  { key, ...fields }: Readonly<Record<string, string>> = {},
): Promise<Answer> => {
  const { payload, headers } = multipart(content, fields);
  return brand.call({
    method: 'POST',
    url: '/brand/bulk/files',
    payload,
    headers: { ...headers, ...(key !== undefined && { 'idempotency-key': key }) },
  });
};

/** Uploads and starts the import; answers its id. */
export async function start(
  brand: Brand,
  content: Buffer | string,
  fields: Record<string, string> = {},
): Promise<string> {
  const uploaded = await upload(brand, content, fields);
  if (uploaded.status !== 201) throw new Error(`the upload answered ${uploaded.status}: ${uploaded.body}`);
  const url = `/brand/bulk/files/${uploaded.json.id}/commit`;
  const { status, json, body } = await brand.call({ method: 'POST', url, payload: {} });
  if (status !== 202) throw new Error(`the commit answered ${status}: ${body}`);
  return json.importId as string;
}

export const importOf = async (brand: Brand, id: string) =>
  (await brand.call({ url: `/brand/bulk/imports/${id}` })).json;

// eslint-disable-next-line @typescript-eslint/no-explicit-any
export const over = (brand: Brand, id: string, withinMs = 120_000): Promise<any> =>
  eventually(
    () => importOf(brand, id),
    (run) => run.endedAt !== null,
    withinMs,
    // Seconds pass, and each look takes from the import's own time.
    250,
  );

/** The header and the rows of a workbook as an answer holds it. */
export async function sheetIn(service: TestService, brand: Brand, url: string, sheet = 0) {
  const answer = await service.app.inject({ method: 'GET', url, headers: brand.headers });
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${answer.body}`);
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(answer.rawPayload as unknown as ArrayBuffer);
  const found = book.worksheets[sheet];
  if (found === undefined) throw new Error('the workbook has no such sheet');
  return { bytes: answer.rawPayload, book, sheet: found };
}

export const csvOf = (count: number, more = ''): string =>
  `external_id;name;material_1_type;material_1_percent;weight_kg\n${Array.from(
    { length: count },
    (_, index) => `K-${index};Shirt ${index}${more};cotton;100;0,2\n`,
  ).join('')}`;
