import type { ImportMode } from '../../../src/modules/imports/contract.js';
import type { Brand, TestService } from '../../support/service.js';

export interface Row {
  readonly row: number;
  readonly outcome: string;
  readonly productId?: string;
  readonly dppId?: string;
  readonly errors: readonly { code: string; field: string; message: string }[];
  readonly warnings: readonly { code: string; field: string; message: string; from?: string; to?: string }[];
}

export interface Imported {
  readonly summary: Readonly<Record<string, number>>;
  readonly rows: readonly Row[];
}

let counter = 0;
export const unique = (stem: string): string => `${stem}-${(counter += 1)}`;

/** A row with everything that a passport needs. */
export const tee = (row: object = {}) => ({
  name: 'Organic tee',
  externalId: unique('tee'),
  weightKg: 0.18,
  materials: [
    { materialType: 'cotton_organic', percentage: 95, originCountry: 'TR' },
    { materialType: 'elastane', percentage: 5, originCountry: 'CN' },
  ],
  ...row,
});

export const summary = (counts: object) => ({
  ...{ create: 0, update: 0, unchanged: 0, skipped: 0, errors: 0, passports: 0 },
  ...counts,
});

async function call(as: Brand, path: string, payload: object, headers: Record<string, string> = {}): Promise<Imported> {
  const answer = await as.call({ method: 'POST', url: `/brand/bulk/${path}`, payload, headers });
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.body}`);
  return answer.json as Imported;
}

export const validate = (as: Brand, rows: readonly unknown[], mode: ImportMode = 'create'): Promise<Imported> =>
  call(as, 'validate', { mode, rows });

export const commit = (
  as: Brand,
  rows: readonly unknown[],
  mode: ImportMode = 'create',
  headers: Record<string, string> = {},
): Promise<Imported> => call(as, 'commit', { mode, rows }, headers);

/** What is the same before and after: everything but the ids of what the call itself makes. */
export const comparable = ({ summary: counts, rows }: Imported) => ({
  counts,
  rows: rows.map(({ row, outcome, errors, warnings }) => ({ row, outcome, errors, warnings })),
});

/** Validates, sees that nothing was written, commits, and sees that both said the same. */
export async function imports(
  service: TestService,
  as: Brand,
  rows: readonly unknown[],
  mode: ImportMode = 'create',
): Promise<Imported> {
  const before = await eventsOf(service, as);
  const planned = await validate(as, rows, mode);
  if ((await eventsOf(service, as)).length !== before.length) throw new Error('a validation has written');
  const done = await commit(as, rows, mode);
  const [said, did] = [comparable(planned), comparable(done)].map((answer) => JSON.stringify(answer, null, 1));
  if (said !== did) throw new Error(`validate said ${said}, commit ${did}`);
  return done;
}

/** The events of an organization, oldest first. */
export async function eventsOf(service: TestService, { organizationId }: Brand) {
  const events = [];
  for await (const event of service.eventStore.readAll({ after: null })) {
    if (event.metadata.organizationId === organizationId) events.push(event);
  }
  return events;
}
