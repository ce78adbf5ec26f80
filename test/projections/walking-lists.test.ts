import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listBatches } from '../../projections/batches/queries.js';
import type { Page, Paged } from '../../projections/page.js';
import { listPassports } from '../../projections/passports/queries.js';
import { listProducts } from '../../projections/products/queries.js';
import { listSuppliers } from '../../projections/suppliers/queries.js';
import type { DomainEvent } from '../../src/core/events.js';
import { createReadModels, recorded, writeBatch, type ReadModels } from './read-models.js';
import { batchCreated, passportPublished, productCreated, supplierInvited } from './story.js';

describe('walking a list by its cursors', () => {
  let models: ReadModels;
  beforeAll(async () => {
    models = await createReadModels();
  });
  afterAll(() => models.drop());

  const made = (from: number, to: number): DomainEvent[] =>
    Array.from({ length: to - from }, (_, index) => index + from).flatMap((number) => [
      productCreated(`prd_${number}`),
      supplierInvited(`sup_${number}`),
      batchCreated(`bat_${number}`, { productId: `prd_${number}`, factoryId: `sup_${number}` }),
      passportPublished(`dpp_${number}`, {
        productId: `prd_${number}`,
        batchId: `bat_${number}`,
        publishedAt: 5_000 + Math.floor(number / 7),
      }),
    ]);

  it.each(['products', 'suppliers', 'batches', 'passports'] as const)(
    'meets each of the %s once, while others are added',
    async (name) => {
      const db = models.database;
      const list: Record<typeof name, (page: Page) => Promise<Paged<{ id: string }>>> = {
        products: (page) => listProducts(db, 'org_1', page),
        suppliers: (page) => listSuppliers(db, 'org_1', page),
        batches: (page) => listBatches(db, 'org_1', {}, page),
        passports: (page) => listPassports(db, 'org_1', {}, page),
      };
      const prefix = { products: 'prd', suppliers: 'sup', batches: 'bat', passports: 'dpp' }[name];
      await db.query('truncate read.products, read.suppliers, read.batches, read.supplier_batches, read.passports');
      // Several to a millisecond, so that the time alone does not order them.
      const older = recorded(made(0, 60)).map((event, index) => ({
        ...event,
        metadata: { ...event.metadata, recordedAt: 1_000 + Math.floor(index / 20) },
      }));
      await writeBatch(db, older);

      const met: string[] = [];
      let cursor: string | null = null;
      let added = 60;
      do {
        const page: Paged<{ id: string }> = await list[name]({ limit: 7, cursor });
        expect(page.data.length).toBeLessThanOrEqual(7);
        met.push(...page.data.map(({ id }) => id));
        cursor = page.nextCursor ?? null;
        // Newer than everything so far, passports too.
        const newer = made(added, added + 2).map((event) =>
          event.type === 'PassportPublished' ? { ...event, data: { ...event.data, publishedAt: 9_000 } } : event,
        );
        await writeBatch(db, recorded(newer, 2_000 + added));
        added += 2;
      } while (cursor !== null);
      expect([...met].sort()).toEqual(Array.from({ length: 60 }, (_, number) => `${prefix}_${number}`).sort());
      expect(new Set(met).size).toBe(60);
      expect((await list[name]({ limit: 1_000, cursor: null })).data).toHaveLength(added);
    },
  );
});
