import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { RefusalCode } from '../../core/errors.js';
import { access } from '../../http/access.js';
import { catalogueProduct, certificate, facility, subSupplier } from '../../http/catalogue-schemas.js';
import type { AppDependencies } from '../../http/dependencies.js';
import { ok, pageQuery } from '../../http/schemas.js';
import {
  certificateEntries,
  facilityEntries,
  productEntries,
  subSupplierEntries,
  type EntryHandlers,
} from './catalogue.js';
import { brandRoutes } from './brand-routes.js';
import { certificateFileRoutes } from './file-routes.js';
import { joinRoutes } from './join-routes.js';
import { linkRoutes } from './link-routes.js';
import { proposalRoutes } from './proposal-routes.js';
import { factoryPages } from './request-page.js';
import { requestRoutes } from './request-routes.js';
import * as schemas from './schemas.js';
import { factoryOfAccount } from '../suppliers/index.js';

const tags = ['Factory'];

/** The side of the factory: what it keeps in its account, the same for every brand that works with it. */
export const factoryPortalRoutes =
  (deps: AppDependencies): FastifyPluginAsyncZod =>
  async (app) => {
    entryRoutes(app, deps, {
      ...{
        path: '/supplier/products',
        what: 'product',
        id: ['CatalogueProduct', 'CatalogueProducts'],
        params: schemas.productParams,
      },
      ...{ create: schemas.createProductBody, change: schemas.changeProductBody },
      ...{ item: catalogueProduct, list: schemas.productList, entries: productEntries },
    });
    entryRoutes(app, deps, {
      ...{
        path: '/supplier/facilities',
        what: 'facility',
        id: ['Facility', 'Facilities'],
        params: schemas.facilityParams,
      },
      ...{ create: schemas.createFacilityBody, change: schemas.changeFacilityBody },
      ...{ item: facility, list: schemas.facilityList, entries: facilityEntries },
    });
    entryRoutes(app, deps, {
      ...{
        path: '/supplier/certificates',
        what: 'certificate',
        id: ['Certificate', 'Certificates'],
        params: schemas.certificateParams,
      },
      ...{ create: schemas.createCertificateBody, change: schemas.changeCertificateBody },
      ...{ item: certificate, list: schemas.certificateList, entries: certificateEntries },
    });
    entryRoutes(app, deps, {
      ...{
        path: '/supplier/sub-suppliers',
        what: 'sub-supplier',
        id: ['SubSupplier', 'SubSuppliers'],
        params: schemas.subSupplierParams,
      },
      ...{ create: schemas.createSubSupplierBody, change: schemas.changeSubSupplierBody },
      ...{ item: subSupplier, list: schemas.subSupplierList, entries: subSupplierEntries },
    });
    for (const routes of [
      certificateFileRoutes,
      brandRoutes,
      linkRoutes,
      requestRoutes,
      proposalRoutes,
      factoryPages,
    ]) {
      await app.register(routes(deps));
    }
    await app.register(joinRoutes({ ...deps, linkKey: deps.config.LINK_KEY }));
  };

interface Kind<Create extends z.ZodType, Change extends z.ZodType, Item extends z.ZodType> {
  readonly path: string;
  readonly what: string;
  /** In operation ids: of one, of many. */
  readonly id: readonly [string, string];
  readonly params: z.ZodObject<{ id: z.ZodType<string, string> }>;
  readonly create: Create;
  readonly change: Change;
  readonly item: Item;
  readonly list: z.ZodType;
  readonly entries: EntryHandlers<z.output<Item>, z.output<Create>, z.output<Change>>;
}

function entryRoutes<Create extends z.ZodType, Change extends z.ZodType, Item extends z.ZodType>(
  app: FastifyInstance,
  deps: AppDependencies,
  { path, what, id: [one, many], params, create, change, item, list, entries }: Kind<Create, Change, Item>,
): void {
  const catalogueDeps = { ...deps, baseUrl: deps.config.BASE_URL };
  // Named, as each kind's own type would be the handlers' to prove.
  const changed: Record<number, z.ZodType> = { 200: item };
  const made: Record<number, z.ZodType> = { 200: item, 201: item };
  const taken: RefusalCode[] = path === '/supplier/certificates' ? ['certificate_exists'] : [];
  const own = async ({ account }: FastifyRequest): Promise<string> =>
    (await factoryOfAccount(deps.database, account.accountId)).factoryId;
  const refOf = async (request: FastifyRequest) => ({
    factoryId: await own(request),
    id: (request.params as { readonly id: string }).id,
  });

  app.route({
    method: 'GET',
    url: path,
    config: { access: access.account },
    schema: {
      operationId: `list${many}`,
      summary: `List the factory's own entries of the kind "${what}", newest first`,
      tags,
      querystring: pageQuery,
      response: { 200: list },
    },
    handler: async (request) =>
      entries.list(catalogueDeps, await own(request), request.query as z.output<typeof pageQuery>),
  });

  app.route({
    method: 'POST',
    url: path,
    config: { access: access.account, creates: true },
    schema: {
      operationId: `create${one}`,
      summary: `Add a ${what} to the factory's catalogue`,
      tags,
      body: create,
      response: made,
      refuses: ['catalogue_full', ...taken],
    },
    handler: async (request, reply) => {
      const body = request.body as z.output<Create>;
      const made = await entries.create(catalogueDeps, request.command(), await own(request), body);
      return reply.code(made.isNew ? 201 : 200).send(made.item);
    },
  });

  app.route({
    method: 'PATCH',
    url: `${path}/:id`,
    config: { access: access.account },
    schema: {
      operationId: `update${one}`,
      summary: `Change a ${what}; what is not named stays`,
      tags,
      params,
      body: change,
      response: changed,
      refuses: taken,
    },
    handler: async (request) =>
      entries.change(catalogueDeps, request.command(), await refOf(request), request.body as z.output<Change>),
  });

  app.route({
    method: 'DELETE',
    url: `${path}/:id`,
    config: { access: access.account },
    schema: {
      operationId: `delete${one}`,
      summary: `Remove a ${what} from the factory's catalogue`,
      tags,
      params,
      response: { 200: ok },
    },
    handler: async (request) => {
      await entries.remove(catalogueDeps, request.command(), await refOf(request));
      return { ok: true as const };
    },
  });
}
