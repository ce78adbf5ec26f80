import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  batchesOfSupplier,
  listBatches,
  openBatchesOfProduct,
  openRequestsOfSupplier,
} from '../../projections/batches/queries.js';
import { organizationById, organizationsOf } from '../../projections/organizations/queries.js';
import type { Page } from '../../projections/page.js';
import { listPassports, passportAt } from '../../projections/passports/queries.js';
import { listProducts, productNames } from '../../projections/products/queries.js';
import { listProposals } from '../../projections/proposals/queries.js';
import {
  hasAnswered,
  invitedSuppliersOfFactory,
  listSuppliers,
  organizationsKnowing,
  supplierOfFactory,
  suppliersByIds,
  suppliersSharedWith,
} from '../../projections/suppliers/queries.js';
import type { DomainEvent } from '../../src/core/events.js';
import { proposalIdOf } from '../../src/modules/proposals/events.js';
import { textsIn } from '../support/private-texts.js';
import { createReadModels, recorded, writeBatch, type ReadModels } from './read-models.js';
import {
  batchCreated,
  organizationCreated,
  passportPublished,
  productCreated,
  STORY,
  supplierInvited,
} from './story.js';

const FIRST: Page = { limit: 50, cursor: null };

/** Another organization with one record of each kind, beside the story's. */
const OTHERS: readonly DomainEvent[] = [
  organizationCreated('org_2', 'Other'),
  supplierInvited('sup_o', { organizationId: 'org_2', factoryId: 'fac_of_sup_1' }),
  productCreated('prd_o', 'org_2'),
  batchCreated('bat_o', { organizationId: 'org_2', productId: 'prd_o', factoryId: 'sup_o' }),
  passportPublished('dpp_o', { organizationId: 'org_2', productId: 'prd_o', batchId: 'bat_o' }),
];

const answeredBy = (supplierId: string): DomainEvent => ({
  type: 'ProductionDataSubmitted',
  data: { batchId: 'bat_x', callId: 'x', requestId: 'req_x', supplierId, role: 'factory', data: {}, submittedAt: 1 },
});

describe('queries of the read models', () => {
  let models: ReadModels;

  beforeAll(async () => {
    models = await createReadModels();
    await writeBatch(models.database, recorded([...STORY, ...OTHERS]));
    await models.database.query(
      `insert into service.accounts (id, email, display_name) values ('usr_1', 'a@brand.example', 'A'), ('usr_2', 'b@brand.example', 'B');
       insert into service.memberships (organization_id, account_id, role) values ('org_1', 'usr_1', 'owner'), ('org_2', 'usr_2', 'auditor');
       insert into service.factories (id, contact_email) values ('fac_of_sup_1', 'one@factory.example')`,
    );
  });
  afterAll(() => models.drop());

  const ids = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id);

  it('names the organizations of an account with its role, and no others', async () => {
    expect(await organizationsOf(models.database, 'usr_1')).toEqual([
      { id: 'org_1', name: 'Brand', plan: 'pro', role: 'owner' },
    ]);
    expect(await organizationsOf(models.database, 'usr_3')).toEqual([]);
  });

  it('finds an organization by its id', async () => {
    expect(await organizationById(models.database, 'org_2')).toEqual({
      id: 'org_2',
      name: 'Other',
      plan: 'free',
      createdAt: 1_000 + STORY.length,
    });
    expect(await organizationById(models.database, 'org_3')).toBeNull();
  });

  it('lists products with every field of the interface, and not those of another organization', async () => {
    const { data, nextCursor } = await listProducts(models.database, 'org_1', FIRST);
    expect(nextCursor).toBeUndefined();
    expect(data).toEqual([
      {
        id: 'prd_1',
        name: 'New',
        sku: null,
        gtin: '1',
        externalId: null,
        categoryId: 'textile_apparel',
        subcategory: 'tshirts',
        weightKg: null,
        weightEstimated: false,
        countryOfManufacture: 'PT',
        ecommerceUrl: 'https://shop.example/"quoted"/\\',
        careInstructions: 'Wash at 30.\nDo not bleach.',
        expectedLifespan: '5 years',
        recyclable: true,
        recyclingInstructions: null,
        materialCount: 0,
        batchCount: 2,
        createdAt: 1_007,
        updatedAt: 1_028,
      },
    ]);
  });

  it('names products of the organization, and not those of another', async () => {
    expect(await productNames(models.database, 'org_1', ['prd_1', 'prd_o', 'prd_none'])).toEqual(
      new Map([['prd_1', { name: 'New', sku: null }]]),
    );
  });

  it('lists suppliers with their address and counts, and not those of another organization', async () => {
    const { data } = await listSuppliers(models.database, 'org_1', FIRST);
    expect(ids(data)).toEqual(['sup_3', 'sup_2', 'sup_1']);
    expect(data[2]).toEqual({
      id: 'sup_1',
      factoryName: 'Factory sup_1',
      country: 'PT',
      tier: 1,
      state: 'confirmed',
      sharing: 'granted',
      contactEmail: 'one@factory.example',
      certificateCount: 0,
      productCount: 0,
      batchCount: 1,
      createdAt: 1_002,
    });
    expect(data[0]).toMatchObject({ contactEmail: null, state: 'invited', sharing: 'asked' });
  });

  it('finds suppliers by id, and not those of another organization', async () => {
    const found = await suppliersByIds(models.database, 'org_1', ['sup_1', 'sup_o']);
    expect([...found.keys()]).toEqual(['sup_1']);
    expect(found.get('sup_1')).toEqual({
      id: 'sup_1',
      factoryId: 'fac_of_sup_1',
      factoryName: 'Factory sup_1',
      country: 'PT',
      tier: 1,
      state: 'confirmed',
      contactEmail: 'one@factory.example',
    });
  });

  it("finds an organization's own record of a factory, and not that of another organization", async () => {
    expect(await supplierOfFactory(models.database, 'org_1', 'fac_of_sup_1')).toBe('sup_1');
    expect(await supplierOfFactory(models.database, 'org_2', 'fac_of_sup_1')).toBe('sup_o');
    expect(await supplierOfFactory(models.database, 'org_2', 'fac_of_sup_2')).toBeNull();
  });

  it("counts a factory's certificates at the record of every brand that it works with", async () => {
    const certificate = (id: string): DomainEvent => ({
      type: 'CertificateRecorded',
      data: { certificateId: id, factoryId: 'fac_of_sup_1', type: 'GOTS', number: id, statedAt: 1 },
    });
    const removed = { certificateId: 'cer_1', factoryId: 'fac_of_sup_1', removedAt: 2 };
    await writeBatch(
      models.database,
      recorded([
        certificate('cer_1'),
        certificate('cer_2'),
        certificate('cer_2'),
        certificate('cer_3'),
        { type: 'CertificateRemoved', data: removed },
        supplierInvited('sup_d', { organizationId: 'org_3', factoryId: 'fac_of_sup_1' }),
        { type: 'SupplierDeclined', data: { supplierId: 'sup_d', organizationId: 'org_3' } },
        {
          ...supplierInvited('sup_n', { organizationId: 'org_4', factoryId: 'fac_of_sup_1' }),
          type: 'SupplierRecorded',
        },
        // There is an account behind it, and that is all; and one that the factory shares with.
        supplierInvited('sup_c', { organizationId: 'org_7', factoryId: 'fac_of_sup_1' }),
        { type: 'SupplierConfirmed', data: { supplierId: 'sup_c', organizationId: 'org_7', via: 'account' } },
        supplierInvited('sup_g', { organizationId: 'org_8', factoryId: 'fac_of_sup_1' }),
        { type: 'SupplierSharingGranted', data: { supplierId: 'sup_g', organizationId: 'org_8', via: 'account' } },
        // Asked and never confirmed, but answered; and one that has declined since.
        supplierInvited('sup_a', { organizationId: 'org_5', factoryId: 'fac_of_sup_1' }),
        answeredBy('sup_a'),
        supplierInvited('sup_r', { organizationId: 'org_6', factoryId: 'fac_of_sup_1' }),
        answeredBy('sup_r'),
        { type: 'SupplierDeclined', data: { supplierId: 'sup_r', organizationId: 'org_6' } },
        {
          ...supplierInvited('sup_r', { organizationId: 'org_6', factoryId: 'fac_of_sup_1' }),
          type: 'SupplierInvitedAgain',
        },
      ]),
    );
    const counts = async (organizationId: string) =>
      (await listSuppliers(models.database, organizationId, FIRST)).data.map(({ id, certificateCount }) => [
        id,
        certificateCount,
      ]);
    expect(await counts('org_1')).toContainEqual(['sup_1', 2]);
    expect(await counts('org_1')).toContainEqual(['sup_2', 0]);
    // Merely invited, with a batch.
    expect(await counts('org_2')).toEqual([['sup_o', 0]]);
    expect(await counts('org_3')).toEqual([['sup_d', 0]]);
    expect(await counts('org_4')).toEqual([['sup_n', 0]]);
    expect(await counts('org_5')).toEqual([['sup_a', 2]]);
    expect(await counts('org_6')).toEqual([['sup_r', 0]]);
    expect(await counts('org_7')).toEqual([['sup_c', 0]]);
    expect(await counts('org_8')).toEqual([['sup_g', 2]]);
    expect(await suppliersSharedWith(models.database, 'fac_of_sup_1')).toEqual([
      { supplierId: 'sup_1', organizationId: 'org_1' },
      { supplierId: 'sup_a', organizationId: 'org_5' },
      { supplierId: 'sup_g', organizationId: 'org_8' },
    ]);
    const answered = ['sup_1', 'sup_a', 'sup_r', 'sup_o'].map((id) => hasAnswered(models.database, id));
    expect(await Promise.all(answered)).toEqual([true, true, false, false]);
    const known = await organizationsKnowing(models.database, 'fac_of_sup_1');
    expect(known.filter(({ isAsked }) => isAsked).map(({ organizationId }) => organizationId)).toEqual([
      ...['org_1', 'org_2', 'org_5', 'org_6', 'org_7', 'org_8'],
    ]);
    expect(known).toHaveLength(8);
  });

  it('lists proposals with the names as they are, in any state or in one', async () => {
    const list = async (organizationId: string, state?: 'proposed' | 'accepted' | 'declined') =>
      (await listProposals(models.database, textsIn(models.database), organizationId, { state }, FIRST)).data;
    const [last, second, first] = await list('org_1');
    expect(first).toEqual({
      id: proposalIdOf('req_1_bat_1', 1),
      ...{ state: 'accepted', materialType: 'cotton_organic', name: 'Spinners', contactEmail: null, country: 'PT' },
      ...{ tier: 2, proposedBy: { supplierId: 'sup_1', factoryName: 'Factory sup_1' }, requestId: 'req_1_bat_1' },
      ...{ batchId: 'bat_1', productId: 'prd_1', productName: 'New', supplierId: 'sup_2' },
      ...{ createdAt: 71, decidedAt: 81 },
    });
    expect([second?.state, second?.supplierId, last?.state]).toEqual(['declined', null, 'proposed']);
    expect(await list('org_1', 'declined')).toEqual([second]);
    expect(await list('org_2')).toEqual([]);
  });

  it('finds the records of a factory that wait for its answer', async () => {
    expect((await invitedSuppliersOfFactory(models.database, 'fac_of_sup_1'))[0]).toEqual({
      ...{ supplierId: 'sup_o', organizationId: 'org_2' },
    });
  });

  it.each([
    ['all', {}, ['bat_3', 'bat_1']],
    ['of a product', { productId: 'prd_1' }, ['bat_3', 'bat_1']],
    ['in a state', { state: 'published' }, ['bat_1']],
    ['of a product in a state', { productId: 'prd_1', state: 'draft' }, ['bat_3']],
    ['of a product of another organization', { productId: 'prd_o' }, []],
    ['of no product', { productId: 'prd_none', state: 'sent' }, []],
  ] as const)('lists batches: %s', async (_name, filter, expected) => {
    expect(ids((await listBatches(models.database, 'org_1', filter, FIRST)).data)).toEqual(expected);
  });

  it('lists a batch with the names as they are now', async () => {
    const { data } = await listBatches(models.database, 'org_1', { state: 'published' }, FIRST);
    expect(data).toEqual([
      {
        id: 'bat_1',
        productName: 'New',
        productSku: null,
        factoryName: 'Factory sup_1',
        poReference: 'PO-1',
        quantity: 1_000,
        unit: 'piece',
        state: 'published',
        preliminary: false,
        createdAt: 1_010,
      },
    ]);
  });

  it('names the batches that involve a supplier with its role, and not for another organization', async () => {
    expect(await batchesOfSupplier(models.database, 'org_1', 'sup_2')).toEqual([
      {
        id: 'bat_1',
        poReference: 'PO-1',
        productName: 'New',
        quantity: 1_000,
        unit: 'piece',
        state: 'published',
        role: 'sub_supplier',
        createdAt: 1_010,
      },
    ]);
    expect(await batchesOfSupplier(models.database, 'org_2', 'sup_2')).toEqual([]);
  });

  it('names the batches of a product that are open, and not for another organization', async () => {
    expect(await openBatchesOfProduct(models.database, 'org_1', 'prd_1')).toEqual(['bat_3']);
    expect(await openBatchesOfProduct(models.database, 'org_2', 'prd_1')).toEqual([]);
  });

  it('names what a factory has not answered yet, and nothing of another factory', async () => {
    await writeBatch(
      models.database,
      recorded([
        supplierInvited('sup_q', { factoryId: 'fac_q' }),
        productCreated('prd_q'),
        batchCreated('bat_q', { productId: 'prd_q', factoryId: 'sup_q' }),
        {
          type: 'DppRequestSent',
          data: {
            batchId: 'bat_q',
            organizationId: 'org_1',
            callId: 'q',
            askedAt: 1,
            notes: null,
            requests: [{ requestId: 'req_q', supplierId: 'sup_q', role: 'factory', factoryName: 'Q', tier: 1 }],
            reminded: [],
          },
        },
      ]),
    );
    expect(await openRequestsOfSupplier(models.database, 'sup_q')).toEqual([
      {
        requestId: 'req_q',
        batchId: 'bat_q',
        productName: 'prd_q',
        brandName: 'Brand',
        poReference: 'PO-1',
        quantity: 1_000,
        unit: 'piece',
        state: 'pending',
        createdAt: 1_003,
      },
    ]);
    const answered = { batchId: 'bat_q', callId: 'q', requestId: 'req_q', supplierId: 'sup_q', role: 'factory' };
    await writeBatch(
      models.database,
      recorded([{ type: 'ProductionDataSubmitted', data: { ...answered, data: {}, submittedAt: 1 } }]),
    );
    expect(await openRequestsOfSupplier(models.database, 'sup_q')).toEqual([]);
    // Both requests of the story's published batch are closed, answered or not.
    expect(await openRequestsOfSupplier(models.database, 'sup_2')).toEqual([]);
  });

  it('lists passports with every field of the interface, and not those of another organization', async () => {
    const { data } = await listPassports(models.database, 'org_1', {}, FIRST);
    expect(data).toEqual([
      {
        id: 'dpp_1',
        gtin: '4006381333931',
        serial: 'S-dpp_1',
        qrUrl: 'https://dpp.example/p/4006381333931/S-dpp_1',
        publishedAt: 5_000,
        updatedAt: 6_000,
        version: 2,
        preliminary: false,
        co2PerUnit: 2.5,
        batchId: 'bat_1',
        poReference: 'PO-1',
        quantity: 1_000,
        unit: 'piece',
        productId: 'prd_1',
        productName: 'New',
        productSku: null,
        factoryName: 'Factory sup_1',
      },
    ]);
    expect((await listPassports(models.database, 'org_1', { productId: 'prd_1' }, FIRST)).data).toEqual(data);
    expect(await listPassports(models.database, 'org_1', { productId: 'prd_o' }, FIRST)).toEqual({ data: [] });
  });

  it('finds a passport by its address', async () => {
    expect(await passportAt(models.database, '04006381333931', 'S-dpp_1')).toEqual({ dppId: 'dpp_1' });
    expect(await passportAt(models.database, '04006381333931', 'S-none')).toBeNull();
  });

  it.each([
    ['products', (page: Page) => listProducts(models.database, 'org_1', page)],
    ['suppliers', (page: Page) => listSuppliers(models.database, 'org_1', page)],
    ['batches', (page: Page) => listBatches(models.database, 'org_1', {}, page)],
    ['passports', (page: Page) => listPassports(models.database, 'org_1', {}, page)],
  ] as const)('refuses a cursor for %s that it has not made', async (_name, list) => {
    await expect((list as (page: Page) => Promise<unknown>)({ limit: 1, cursor: '%' })).rejects.toMatchObject({
      code: 'invalid_input',
      errors: [{ path: 'cursor' }],
    });
  });
});
