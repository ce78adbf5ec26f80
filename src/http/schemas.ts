import { z } from 'zod';
import type { IdPrefix } from '../core/ids.js';
import { holdsWebAddress } from '../core/web-address.js';

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

/** A name that stands in mails to others, where an address of the web would become a link. */
export const mailedName = (max = 200) =>
  name(max).refine((value) => !holdsWebAddress(value), {
    error: 'must not hold a web address',
    // One thing wrong is enough to say of a name.
    when: ({ issues }) => issues.length === 0,
  });

/** Free text of the interface: notes, instructions. */
export const freeText = text(5_000);

/**
 * An opaque id in a path, a query or a body. Anything that could be one passes: an id that names nothing is answered with
 * 404 by whoever looks it up.
 */
export const id = (prefix: IdPrefix) =>
  line(100)
    .min(1)
    .meta({ description: 'An opaque id', examples: [`${prefix}_019abf5e-8c3a-7d41-9b52-3f6a0c1d2e4f`] });

/** A date of the calendar, `YYYY-MM-DD`. */
export const day = z.iso.date();

/** An e-mail address in the form in which it is kept and compared. */
export const email = line(254)
  .trim()
  .toLowerCase()
  .pipe(z.email())
  .meta({ format: 'email', examples: ['ana@nordfaden.example'] });

/** An absolute http or https address. */
export const httpUrl = line(2_000)
  .pipe(z.url({ protocol: /^https?$/ }))
  .meta({ format: 'uri' });

/** `limit` and `cursor` of every list; the parsed query is the `Page` that list queries take. */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1_000).default(1_000),
  cursor: line(500).nullable().default(null).describe('`nextCursor` of the page before'),
});

export const listOf = <Item extends z.ZodType>(item: Item) =>
  z
    .object({
      data: z.array(item),
      nextCursor: z.string().optional().describe('There is more: what `cursor` of the next call is'),
    })
    .describe('A page of the list');

export const ok = z.object({ ok: z.literal(true) }).meta({ id: 'Ok', description: 'Done' });

/** Milliseconds since the Unix epoch. */
export const timestamp = z
  .int()
  .min(0)
  .meta({ id: 'Timestamp', description: 'Milliseconds since the Unix epoch', examples: [1763798400000] });

/** How many there are of something. */
export const count = z.int().min(0);

/** 1 makes the product; each further one supplies the one before it. */
export const tier = z
  .int()
  .min(1)
  .max(9)
  .meta({ id: 'Tier', description: '1 makes the product, 2 supplies it, and so on', examples: [1] });

/** Pieces, or whatever the unit is. */
export const quantity = z.int().min(1).max(1_000_000_000);
