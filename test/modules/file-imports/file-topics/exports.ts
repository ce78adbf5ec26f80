import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { fixture, over, productsOf, start, upload, type Topic } from '../files.js';

export const exports = ({ service }: Topic): void => {
  describe("an export of a shop's", () => {
    it('makes a product for each handle, whatever its variants; those count towards no plan', async () => {
      const free = await service().asBrand({ plan: 'free' });
      const shop = await readFile(fixture('exports/shopify.csv'), 'utf8');
      const sizes = Array.from({ length: 60 }, (_, index) => `gift-card,,,,,,,,Size,${index}\n`).join('');
      const { status, json } = await upload(free, shop + sizes);
      expect(status).toBe(201);
      expect(json).toMatchObject({
        rowCount: 66,
        mapping: { Handle: 'external_id', 'Variant Grams': 'weight_kg', Vendor: null },
        validation: { summary: { create: 3, skipped: 62, errors: 1, passports: 3 } },
      });
      expect(json.notes).toContain('The columns are those of an export from Shopify.');
      expect(json.columns[0]).toMatchObject({ header: 'Handle', how: 'system' });
      expect(json.validation.rows[1]).toMatchObject({
        ...{ row: 3, outcome: 'skipped', errors: [] },
        warnings: [
          { code: 'variant_row', message: expect.stringMatching(/^Row 3: A further variant of "classic-tee"/) },
        ],
      });

      const run = await over(free, await start(free, shop + sizes));
      expect(run.outcomes).toMatchObject({ create: 3, skipped: 62, errors: 1, passports: 3 });
      const products = await productsOf(free);
      expect(products.map(({ externalId }) => externalId).toSorted()).toEqual([
        'classic-tee',
        'rain-jacket',
        'wool-beanie',
      ]);
      const again = await over(free, await start(free, shop, { mode: 'upsert' }));
      expect(again.outcomes).toMatchObject({ create: 0, update: 0, unchanged: 3, skipped: 2, errors: 1 });
    });
  });
};
