import { createHash } from 'node:crypto';
import type { QueryConfig } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as batches from '../../projections/batches/queries.js';
import * as deliveries from '../../projections/deliveries/queries.js';
import * as factories from '../../projections/factories/queries.js';
import * as organizations from '../../projections/organizations/queries.js';
import type { Page } from '../../projections/page.js';
import * as passports from '../../projections/passports/queries.js';
import * as products from '../../projections/products/queries.js';
import * as proposals from '../../projections/proposals/queries.js';
import * as suppliers from '../../projections/suppliers/queries.js';
import * as webhooks from '../../projections/webhooks/queries.js';
import type { Queryable } from '../../src/infrastructure/postgres/database.js';
import { textsIn } from '../support/private-texts.js';
import { createReadModels, type ReadModels } from './read-models.js';

const ROWS = 100_000;
/** What a bounded answer (one factory's requests, one account's organizations) may sort. */
const OWN_ROWS = 1_000;

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
const SESSION = { sessionId: md5('session 7'), accountId: 'usr_7' };
const REPLAY = { from: 50_000, to: 51_000 };
const PART = { after: null, limit: 100 };
/** Alone and together, common and rare. */
const DELIVERY_FILTERS: readonly deliveries.DeliveryFilter[] = [
  { state: 'delivered' },
  { state: 'retrying' },
  { event: 'dpp.published' },
  { event: 'request.sent' },
  { from: 10_000, to: 90_000 },
  { state: 'failed', event: 'dpp.published' },
  { state: 'retrying', event: 'request.sent', from: 10_000 },
  { state: 'failed', event: 'dpp.published', from: 10_000, to: 90_000 },
];

const STOPPED_FILTERS: readonly deliveries.DeliveryFilter[] = [
  {},
  { state: 'cancelled' },
  { state: 'cancelled', event: 'request.sent', from: 10_000 },
  { state: 'retrying' },
];

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Half of the rows belong to one big organization; products, suppliers and states are spread over the others. */
const FILL = `
  insert into read.organizations select 'org_' || i, 'Brand ' || i, 'pro', i from generate_series(0, ${ROWS}) i;
  insert into read.products (id, organization_id, name, category_id, weight_estimated, material_count, materials, created_at, updated_at)
    select 'prd_' || i, case when i % 2 = 0 then 'org_0' else 'org_' || i % 500 end, 'Product ' || i, 'textile_apparel', false, 2, '[]', i, i
      from generate_series(1, ${ROWS}) i;
  insert into read.suppliers (id, organization_id, factory_id, factory_name, tier, created_at, updated_at)
    select 'sup_' || i, case when i % 2 = 0 then 'org_0' else 'org_' || i % 500 end, 'fac_' || i % 20000, 'Factory ' || i, 1, i, i
      from generate_series(1, ${ROWS}) i;
  insert into read.batches
    select 'bat_' || i, case when i % 2 = 0 then 'org_0' else 'org_' || i % 500 end,
           case when i % 4 = 0 then 'prd_2' else 'prd_' || i end, 'sup_' || i, 'PO', 1, 'piece',
           case when i % 1000 = 0 then 'draft' when i % 3 = 0 then 'sent' else 'published' end, false, i
      from generate_series(1, ${ROWS}) i;
  insert into read.requests (batch_id, id, organization_id, supplier_id, role, tier, mail, created_at)
    select 'bat_' || i, 'req_' || i, 'org_0', 'sup_' || i, 'factory', 1, 'emailed', i
      from generate_series(1, ${ROWS}) i;
  insert into read.supplier_batches
    select 'bat_' || i, case when i % 2 = 0 then 'sup_2' else 'sup_' || i end, 'factory', i from generate_series(1, ${ROWS}) i;
  insert into read.passports
    select 'dpp_' || i, case when i % 2 = 0 then 'org_0' else 'org_' || i % 500 end, 'bat_' || i,
           case when i % 4 = 0 then 'prd_2' else 'prd_' || i end, '4006381333931', '04006381333931', 'S' || i, '', i, i, 1, null, false
      from generate_series(1, ${ROWS}) i;
  insert into read.proposals (id, organization_id, request_id, batch_id, product_id, product_name, proposed_by, material_type, name, factory_id, tier, state, created_at)
    select 'pro_' || i, case when i % 2 = 0 then 'org_0' else 'org_' || i % 500 end, 'req_' || i, 'bat_' || i, 'prd_' || i, 'P', 'sup_' || i,
           'linen', 'N', 'fac_' || i % 20000, 2, case when i % 1000 = 0 then 'proposed' when i % 3 = 0 then 'declined' else 'accepted' end, i
      from generate_series(1, ${ROWS}) i;
  insert into read.webhooks select 'whk_' || i, 'org_' || i / 20, 'https://hooks.example/' || i, 'dpp.published', true, false, i
      from generate_series(0, ${ROWS}) i;
  insert into read.deliveries
    select 'dlv_' || i, case when i % 2 = 0 then 'whk_0' else 'whk_' || i % 500 end,
           case when i % 500 = 0 then 'request.sent' when i % 3 = 0 then 'batch.created' else 'dpp.published' end,
           case when i % 1000 = 0 then 'retrying' when i % 10 = 0 then 'failed' else 'delivered' end, null, i
      from generate_series(1, ${ROWS}) i;
  insert into read.deliveries
    select 'dls_' || i, 'whk_stopped', case when i % 2 = 0 then 'request.sent' else 'dpp.published' end,
           case i % 3 when 0 then 'cancelled' when 1 then 'retrying' else 'pending' end, i, i
      from generate_series(1, 30000) i;
  insert into read.delivery_attempts select 'dlv_' || i, 1, i, 30, 200, null, 'ok'
      from generate_series(1, ${ROWS}) i;
  insert into read.factories (id, certificate_count, product_count) select 'fac_' || i, 2, 3 from generate_series(0, 20000) i;
  insert into read.certificates select 'cer_' || i, 'fac_' || i % 20000 from generate_series(0, 40000) i;
  insert into service.factories (id, contact_email) select 'fac_' || i, i || '@factory.example' from generate_series(0, 20000) i;
  insert into service.accounts (id, email, display_name) select 'usr_' || i, i || '@brand.example', 'U' from generate_series(1, 20000) i;
  insert into service.memberships (organization_id, account_id, role) select 'org_' || i, 'usr_' || i, 'owner' from generate_series(1, 20000) i;
  insert into service.sessions (id, account_id, expires_at) select md5('session ' || i)::uuid, 'usr_' || i, now() + interval '1 day' from generate_series(1, 20000) i;
  insert into service.api_keys (id, organization_id, name, scopes, key_hash) select 'key_' || i, 'org_' || i, 'ERP', '{read}', sha256(('key ' || i)::bytea) from generate_series(1, 20000) i;`;

/** All but those that are a constraint's. */
const INDEXES = `
  select c.oid::regclass::text as name, pg_get_indexdef(c.oid) as definition
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where n.nspname in ('read', 'service') and c.relkind = 'i'
     and not exists (select 1 from pg_constraint k where k.conindid = c.oid)`;

type Plans = { readonly nodes: readonly PlanNode[] };

describe(`the plan of every query at ${ROWS.toLocaleString('en')} rows`, () => {
  let models: ReadModels;

  beforeAll(async () => {
    models = await createReadModels();
    const { database } = models;
    // To build an index once is half the work of adding each row to it.
    const { rows: indexes } = await database.query<{ name: string; definition: string }>(INDEXES);
    for (const { name } of indexes) await database.query(`drop index ${name}`);
    await database.query(FILL);
    for (const { definition } of indexes) await database.query(definition);
    await models.database.query('vacuum analyze');
  }, 120_000);
  afterAll(() => models.drop());

  /** Runs the query as its caller does and reads how each of its statements was carried out. */
  const plansOf = async (run: (db: Queryable) => Promise<unknown>): Promise<Plans[]> => {
    const plans: Plans[] = [];
    const explaining = {
      query: async (asked: string | QueryConfig, given: unknown[]) => {
        const { text, values = given } = typeof asked === 'string' ? { text: asked } : asked;
        const { rows } = await models.database.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
          `explain (analyze, format json) ${text}`,
          values,
        );
        const root = rows[0]?.['QUERY PLAN'][0].Plan;
        if (root !== undefined) plans.push({ nodes: nodesOf(root) });
        return models.database.query(text, values);
      },
    } as unknown as Queryable;
    await run(explaining);
    return plans;
  };

  const FIRST: Page = { limit: 50, cursor: null };
  const ALL: Page = { limit: 1_000, cursor: null };
  const DEEP: Page = { limit: 50, cursor: Buffer.from('20000/x').toString('base64url') };

  const pages: [string, (db: Queryable, page: Page) => Promise<unknown>][] = [
    ['products', (db, page) => products.listProducts(db, 'org_0', page)],
    ['products of a small organization', (db, page) => products.listProducts(db, 'org_7', page)],
    ['suppliers', (db, page) => suppliers.listSuppliers(db, 'org_0', page)],
    ['suppliers of a small organization', (db, page) => suppliers.listSuppliers(db, 'org_7', page)],
    ['brands of a factory', (db, page) => suppliers.brandsOfFactory(db, textsIn(db), 'fac_8', page)],
    ['batches', (db, page) => batches.listBatches(db, 'org_0', {}, page)],
    ['batches of a small organization', (db, page) => batches.listBatches(db, 'org_7', {}, page)],
    ['batches of a product', (db, page) => batches.listBatches(db, 'org_0', { productId: 'prd_2' }, page)],
    ['batches in a rare state', (db, page) => batches.listBatches(db, 'org_0', { state: 'draft' }, page)],
    ['batches in a common state', (db, page) => batches.listBatches(db, 'org_0', { state: 'published' }, page)],
    [
      'batches of a product in a rare state',
      (db, page) => batches.listBatches(db, 'org_0', { productId: 'prd_2', state: 'draft' }, page),
    ],
    [
      'batches of a product in a common state',
      (db, page) => batches.listBatches(db, 'org_0', { productId: 'prd_2', state: 'published' }, page),
    ],
    ['proposals', (db, page) => proposals.listProposals(db, textsIn(db), 'org_0', {}, page)],
    ['proposals of a small organization', (db, page) => proposals.listProposals(db, textsIn(db), 'org_7', {}, page)],
    [
      'proposals in a rare state',
      (db, page) => proposals.listProposals(db, textsIn(db), 'org_0', { state: 'proposed' }, page),
    ],
    [
      'proposals in a common state',
      (db, page) => proposals.listProposals(db, textsIn(db), 'org_0', { state: 'accepted' }, page),
    ],
    ['passports', (db, page) => passports.listPassports(db, 'org_0', {}, page)],
    ['passports of a product', (db, page) => passports.listPassports(db, 'org_0', { productId: 'prd_2' }, page)],
    ['webhooks', (db, page) => webhooks.listWebhooks(db, textsIn(db), 'org_0', page)],
    ['deliveries', (db, page) => deliveries.listDeliveries(db, textsIn(db), 'whk_0', {}, page, null)],
    [
      'deliveries of a quiet webhook',
      (db, page) => deliveries.listDeliveries(db, textsIn(db), 'whk_7', {}, page, null),
    ],
    ...DELIVERY_FILTERS.map((filter): [string, (db: Queryable, page: Page) => Promise<unknown>] => [
      `deliveries by ${JSON.stringify(filter)}`,
      (db, page) => deliveries.listDeliveries(db, textsIn(db), 'whk_0', filter, page, null),
    ]),
    // Very many wait that were stopped, and are not ended yet.
    ...STOPPED_FILTERS.map((filter): [string, (db: Queryable, page: Page) => Promise<unknown>] => [
      `deliveries of a stopped webhook by ${JSON.stringify(filter)}`,
      (db, page) => deliveries.listDeliveries(db, textsIn(db), 'whk_stopped', filter, page, ROWS),
    ]),
  ];

  it.each(pages)(
    'list of %s: first page, whole list and a deep page read no more than they answer',
    async (_name, list) => {
      for (const page of [FIRST, ALL, DEEP]) {
        for (const { nodes } of await plansOf((db) => list(db, page))) {
          const kinds = nodes.map((node) => node['Node Type']);
          expect(kinds).not.toContain('Seq Scan');
          expect(kinds.filter((kind) => /Sort|Hash|Bitmap/.test(kind))).toEqual([]);
          for (const node of nodes) {
            expect(node['Actual Rows']).toBeLessThanOrEqual(page.limit + 1);
            expect(node['Rows Removed by Filter'] ?? 0).toBe(0);
          }
        }
      }
    },
  );

  const answers: [string, (db: Queryable) => Promise<unknown>][] = [
    ['organizations of an account', (db) => organizations.organizationsOf(db, 'usr_7')],
    ['an organization', (db) => organizations.organizationById(db, 'org_7')],
    ['a session', (db) => organizations.openSession(db, SESSION, 'org_7')],
    ['the holder of an API key', (db) => organizations.keyHolder(db, sha256('key 7'))],
    ['names of products', (db) => products.productNames(db, 'org_0', ['prd_2', 'prd_4', 'prd_7'])],
    [
      'products that rows of an import name',
      (db) =>
        products.importableProducts(
          db,
          textsIn(db),
          'org_0',
          Array.from({ length: 300 }, (_, index) => `prd_${2 * index + 2}`),
        ),
    ],
    ['suppliers by id', (db) => suppliers.suppliersByIds(db, 'org_0', ['sup_2', 'sup_4', 'sup_7'])],
    ['the supplier of a factory', (db) => suppliers.supplierOfFactory(db, 'org_0', 'fac_8')],
    ['invited suppliers of a factory', (db) => suppliers.invitedSuppliersOfFactory(db, 'fac_8')],
    ['suppliers that work with a factory', (db) => suppliers.suppliersSharedWith(db, 'fac_8')],
    ['organizations that know a factory', (db) => suppliers.organizationsKnowing(db, 'fac_8')],
    ['whether a supplier has answered', (db) => suppliers.hasAnswered(db, 'sup_8')],
    ['the factory of a certificate', (db) => factories.factoryOfCertificate(db, 'cer_7')],
    ['whether an account works with a factory', (db) => suppliers.isSharedWith(db, 'usr_8', 'fac_8')],
    ['batches of a supplier with very many', (db) => batches.batchesOfSupplier(db, 'org_0', 'sup_2')],
    ['open batches of a product', (db) => batches.openBatchesOfProduct(db, 'org_0', 'prd_7')],
    ['requests of a factory', (db) => batches.requestsOfFactory(db, 'fac_8', FIRST)],
    ['open requests of a supplier', (db) => batches.openRequestsOfSupplier(db, 'sup_8')],
    ['requests of suppliers', (db) => batches.requestsOfSuppliers(db, ['sup_8'])],
    ['waiting deliveries', (db) => deliveries.waitingDeliveries(db, 'whk_0', null, 100)],
    [
      'a later part of the waiting deliveries',
      (db) => deliveries.waitingDeliveries(db, 'whk_0', { state: 'retrying', createdAt: 50_000, id: 'dlv_50000' }, 100),
    ],
    ['waiting deliveries of a quiet webhook', (db) => deliveries.waitingDeliveries(db, 'whk_7', null, 100)],
    ['the count of a replay', (db) => deliveries.countReplayed(db, 'whk_0', REPLAY, null)],
    ['a part of a replay', (db) => deliveries.replayedDeliveries(db, 'whk_0', REPLAY, null, PART)],
    [
      'a later part of a long replay',
      (db) =>
        deliveries.replayedDeliveries(db, 'whk_0', { from: 0, to: ROWS }, ROWS, {
          ...PART,
          after: { createdAt: 60_000, id: 'dlv_60000' },
        }),
    ],
    ['a passport by its address', (db) => passports.passportAt(db, '04006381333931', 'S7')],
  ];

  it.each(answers)('%s: read by index, and nothing but its own rows', async (_name, ask) => {
    for (const { nodes } of await plansOf(ask)) {
      expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan');
      for (const node of nodes) {
        expect(node['Actual Rows'] * node['Actual Loops']).toBeLessThanOrEqual(OWN_ROWS);
        expect(node['Rows Removed by Filter'] ?? 0).toBeLessThanOrEqual(OWN_ROWS);
      }
    }
  });

  it('covers every query of the read models', () => {
    const named = [...pages, ...answers].map(([, ask]) => ask.toString()).join('\n');
    for (const module of [
      ...[organizations, products, suppliers, factories, batches, proposals, passports, webhooks, deliveries],
    ]) {
      for (const [name, value] of Object.entries(module)) {
        if (typeof value === 'function') expect(named).toContain(name);
      }
    }
  });
});
