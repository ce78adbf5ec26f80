import { expect } from 'vitest';
import type { TestService } from './service.js';

/**
 * Where one of the texts stands: in a table (as text, or as the bytes of a column), in the event log, or in one of the lines of a
 * log.
 */
export async function tracesOf(
  { database, eventStore }: Pick<TestService, 'database' | 'eventStore'>,
  texts: readonly string[],
  lines: readonly string[] = [],
): Promise<string[]> {
  const found: string[] = [];
  const forms = texts.flatMap((text) => [
    text,
    Buffer.from(text).toString('hex'),
    Buffer.from(text).toString('base64').replace(/=+$/, ''),
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(text),
  ]);
  const { rows: tables } = await database.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  expect(tables.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['service.accounts', 'service.member_mails', 'service.account_links', 'read.suppliers']),
  );
  for (const { name } of tables) {
    const { rows } = await database.query<{ row: string }>(`select t::text as row from ${name} t`);
    for (const { row } of rows) {
      if (forms.some((form) => row.toLowerCase().includes(form.toLowerCase()))) found.push(name);
    }
  }
  for await (const event of eventStore.readAllRaw({ after: null })) {
    const whole = JSON.stringify(event, (_key, value: unknown) =>
      typeof value === 'bigint'
        ? value.toString()
        : value instanceof Uint8Array
          ? Buffer.from(value).toString('utf8')
          : value,
    );
    if (forms.some((form) => whole.toLowerCase().includes(form.toLowerCase()))) found.push(event.stream);
  }
  for (const line of lines) {
    if (forms.some((form) => line.toLowerCase().includes(form.toLowerCase()))) found.push(`log: ${line}`);
  }
  return [...new Set(found)];
}
