import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { listSuppliers } from '../../../projections/suppliers/queries.js';
import { access } from '../../http/access.js';
import type { AppDependencies } from '../../http/dependencies.js';
import { pageQuery } from '../../http/schemas.js';
import { emailOfAccount } from '../accounts/index.js';
import { inviteSupplier, readSupplier, type CatalogueReader } from './handlers.js';
import { inviteBody, supplierDetail, supplierList, supplierParams } from './schemas.js';

const tags = ['Suppliers'];

export const supplierRoutes =
  (deps: AppDependencies & CatalogueReader): FastifyPluginAsyncZod =>
  async (app) => {
    const supplierDeps = { ...deps, linkKey: deps.config.LINK_KEY };

    app.route({
      method: 'GET',
      url: '/brand/suppliers',
      config: { access: access.read },
      schema: {
        operationId: 'listSuppliers',
        summary: 'List suppliers, newest first',
        tags,
        querystring: pageQuery,
        response: { 200: supplierList },
      },
      handler: ({ member, query }) => listSuppliers(deps.database, member.organizationId, query),
    });

    app.route({
      method: 'POST',
      url: '/brand/suppliers/invite',
      config: { access: access.write, creates: true },
      schema: {
        operationId: 'inviteSupplier',
        summary: 'Invite a factory by mail; an address invited before keeps its one record',
        tags,
        body: inviteBody,
        response: { 200: supplierDetail, 201: supplierDetail },
        refuses: ['mail_limit'],
      },
      handler: async (request, reply) => {
        const { accountId } = request.member;
        const inviterEmail = accountId === null ? null : await emailOfAccount(deps.database, accountId);
        const order = { body: request.body, inviterEmail };
        const { detail, isNew } = await inviteSupplier(supplierDeps, request.command(), order);
        return reply.code(isNew ? 201 : 200).send(detail);
      },
    });

    app.route({
      method: 'GET',
      url: '/brand/suppliers/:id',
      config: { access: access.read },
      schema: {
        operationId: 'getSupplier',
        summary: 'Read a supplier with its catalogue and the batches it was involved in',
        tags,
        params: supplierParams,
        response: { 200: supplierDetail },
      },
      handler: ({ member, params }) =>
        readSupplier(supplierDeps, { supplierId: params.id, organizationId: member.organizationId }),
    });
  };
