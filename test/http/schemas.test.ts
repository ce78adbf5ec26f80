import { describe, expect, test } from 'vitest';
import { day, email, httpUrl, id, line, name, pageQuery, text } from '../../src/http/schemas.js';
import { countryCode } from '../../src/http/vocabulary.js';

const accepts = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success;

describe('text', () => {
  test('keeps markup, newlines and every script as they were sent', () => {
    const sent = '<b>fett</b>\r\n織物 👩‍👩‍👧 é';
    expect(text(100).parse(sent)).toBe(sent);
  });
  test.each([
    ['NUL', 'a\0b'],
    ['a lone high surrogate', 'a\ud800'],
    ['a lone low surrogate', '\udc00b'],
    ['too many characters', 'x'.repeat(11)],
    ['a number', 7],
    ['null', null],
  ])('refuses %s', (_what, value) => {
    expect(accepts(text(10), value)).toBe(false);
  });
  test('takes as many characters as the bound says', () => {
    expect(accepts(text(10), 'x'.repeat(10))).toBe(true);
  });
});

describe('one line', () => {
  test.each(['a\rb', 'a\nb', 'Bcc: x\r\n'])('refuses %j', (value) => {
    expect(accepts(line(50), value)).toBe(false);
    expect(accepts(name(), value)).toBe(false);
  });
  test('a name is not blank and loses the blanks around it', () => {
    expect(accepts(name(), '   ')).toBe(false);
    expect(name().parse('  Nordfaden ')).toBe('Nordfaden');
  });
});

describe('ids', () => {
  test('take anything that could be one: unknown ids are 404, not 422', () => {
    expect(accepts(id('prd'), 'prd_019abf5e-0000-7000-8000-000000000000')).toBe(true);
    expect(accepts(id('prd'), 'something')).toBe(true);
  });
  test.each(['', 'x'.repeat(101), 'a\0', 7])('refuse %j', (value) => {
    expect(accepts(id('prd'), value)).toBe(false);
  });
});

test('days are days of the calendar', () => {
  expect(accepts(day, '2028-02-29')).toBe(true);
  for (const wrong of ['2027-02-29', '2026-13-01', '26-01-01', '2026-1-1', '2026-01-01T00:00:00Z']) {
    expect(accepts(day, wrong), wrong).toBe(false);
  }
});

test('countries are taken in either case and kept in upper case', () => {
  expect(countryCode.parse('pt')).toBe('PT');
  for (const wrong of ['', 'P', 'PRT', 'ZZ', 'P\0']) expect(accepts(countryCode, wrong), wrong).toBe(false);
});

test('addresses are trimmed and in lower case', () => {
  expect(email.parse('  Ana@Example.COM ')).toBe('ana@example.com');
  for (const wrong of ['ana', 'a@b', 'a@b.c\r\nBcc: d@e.f', 'x'.repeat(250) + '@e.com']) {
    expect(accepts(email, wrong), wrong).toBe(false);
  }
});

test('links are http or https', () => {
  expect(accepts(httpUrl, 'https://example.com/a?b=c')).toBe(true);
  for (const wrong of ['javascript:alert(1)', 'ftp://example.com', 'example.com', 'https://a b']) {
    expect(accepts(httpUrl, wrong), wrong).toBe(false);
  }
});

test('a page has 1 to 1000 items, 1000 when nothing is said', () => {
  expect(pageQuery.parse({})).toEqual({ limit: 1000, cursor: null });
  expect(pageQuery.parse({ limit: '50', cursor: 'abc' })).toEqual({ limit: 50, cursor: 'abc' });
  for (const limit of ['0', '1001', '-1', '1.5', 'x', '', ['1', '2']]) {
    expect(accepts(pageQuery, { limit }), String(limit)).toBe(false);
  }
});
