import countries from 'i18n-iso-countries/index.js';
import { z } from 'zod';
import type { IdPrefix } from '../core/ids.js';

const CONTROL = /[\r\n]/;

/** Text of any number of lines, at most `max` characters. NUL and lone surrogates are refused: no store keeps them. */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes('\0'), 'must not contain NUL')
    .refine((value) => value.isWellFormed(), 'must be well-formed Unicode');

/** Text of one line. */
export const line = (max: number) => text(max).refine((value) => !CONTROL.test(value), 'must be one line');

/** A name: one line that says something, without the blanks around it. */
export const name = (max = 200) => line(max).trim().min(1, 'must not be blank');

/** Free text of the interface: notes, instructions. */
export const freeText = text(5_000);

/**
 * An opaque id in a path, a query or a body. Anything that could be one passes: an id that names nothing is answered with
 * 404 by whoever looks it up.
 */
export const id = (prefix: IdPrefix) => line(100).min(1).describe(`An id such as \`${prefix}_019abf5e-...\``);

/** A date of the calendar, `YYYY-MM-DD`. */
export const day = z.iso.date();

const COUNTRIES = new Set(Object.keys(countries.getAlpha2Codes()));

/** ISO 3166-1 alpha-2, taken in either case and kept in upper case. */
export const countryCode = z
  .string()
  .max(2)
  .toUpperCase()
  .refine((code) => COUNTRIES.has(code), 'must be a 2-letter country code');

/** An e-mail address in the form in which it is kept and compared. */
export const email = line(254).trim().toLowerCase().pipe(z.email());

/** An absolute http or https address. */
export const httpUrl = line(2_000).pipe(z.url({ protocol: /^https?$/ }));

/** `limit` and `cursor` of every list; the parsed query is the `Page` that list queries take. */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1_000).default(1_000),
  cursor: line(500).nullable().default(null).describe('`nextCursor` of the page before'),
});

export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ data: z.array(item), nextCursor: z.string().optional() });

export const ok = z.object({ ok: z.literal(true) });

/** Milliseconds since the Unix epoch. */
export const timestamp = z.int().describe('Milliseconds since the Unix epoch');

export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string(),
    requestId: z.string(),
    errors: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })).optional(),
    state: z.string().optional(),
    allowed: z.array(z.string()).optional(),
  })
  .meta({ id: 'Problem' });

/** The problems that a route answers by itself; those of its access, its body and the servers behind it are added. */
export const problemResponses = <Status extends number>(...statuses: readonly Status[]) =>
  Object.fromEntries(statuses.map((status) => [status, problem])) as Record<Status, typeof problem>;
