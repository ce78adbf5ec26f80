import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { keyIdsOf, openText, sealText, type TextKey } from '../../../src/infrastructure/private-texts/sealing.js';

const newKey = (): TextKey => ({ id: randomUUID(), bytes: randomBytes(32) });
const [brand, mill] = [newKey(), newKey()];
const PLACE = 'batch-1/3/ChangesRequested/notes';

describe('a sealed text', () => {
  it.each(['Call Mrs Yılmaz, +90 555', '', 'x'.repeat(5_000), 'sealed:1:a:b', '[erased]', '\u{1F9F5}\n\0'])(
    'opens to what it was: %j',
    (text) => {
      const sealed = sealText(text, [brand, mill], PLACE);
      expect(keyIdsOf(sealed)).toEqual([brand.id, mill.id]);
      expect(openText(sealed, [brand, mill])).toBe(text);
      if (text.length > 10) expect(sealed).not.toContain(text);
    },
  );

  it('is the same when it is sealed again, so that a retry sends the same bytes', () =>
    expect(sealText('again', [brand], PLACE)).toBe(sealText('again', [brand], PLACE)));

  it('does not show that the same text stands at another place, or for somebody else', () => {
    const bodies = [
      sealText('again', [brand], PLACE),
      sealText('again', [brand], 'batch-1/4/ChangesRequested/notes'),
      sealText('again', [brand, mill], PLACE),
    ].map((sealed) => sealed.split(':').at(-1));
    expect(new Set(bodies.map((body) => body?.slice(0, 16)))).toHaveLength(3);
    expect(new Set(bodies.map((body) => body?.slice(-6)))).toHaveLength(3);
  });

  it('opens with all of its keys only, and only unchanged', () => {
    const sealed = sealText('the whole text', [brand, mill], PLACE);
    const changed = `${sealed.slice(0, -8)}${sealed.at(-8) === 'A' ? 'B' : 'A'}${sealed.slice(-7)}`;
    expect(() => openText(changed, [brand, mill])).toThrow();
    expect(() => openText(sealed, [brand])).toThrow();
    expect(() => openText(sealed, [{ ...brand, bytes: randomBytes(32) }, mill])).toThrow();
  });

  it('is known by its form', () => {
    expect(keyIdsOf('Please hurry')).toBeNull();
    expect(keyIdsOf('')).toBeNull();
  });
});
