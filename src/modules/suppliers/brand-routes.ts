import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import type { FastifyRequest } from 'fastify';
import { organizationById } from '../../../projections/organizations/queries.js';
import { brandsOfFactory } from '../../../projections/suppliers/queries.js';
import { notFound } from '../../core/errors.js';
import { access } from '../../http/access.js';
import type { AppDependencies } from '../../http/dependencies.js';
import { pageQuery, problemResponses } from '../../http/schemas.js';
import { factoryAccountPages } from '../factories/pages.js';
import { factoryOfAccount } from '../factories/standing.js';
import { answerInvitation, recordOfFactory } from './handlers.js';
import { brandParams, brandsOfFactoryList, declinedBrand } from './schemas.js';

const tags = ['Factory'];

/** The brands that a factory works with, as its account sees them. */
export const brandRoutes =
  (deps: AppDependencies): FastifyPluginAsyncZod =>
  async (app) => {
    const { database } = deps;

    const decline = async (request: FastifyRequest, order: { supplierId: string; factoryId: string }) => {
      const { organizationId } = await recordOfFactory(deps, order);
      const context = request.command({ organizationId });
      return answerInvitation(deps, context, { type: 'DeclineSupplier', supplierId: order.supplierId });
    };

    await app.register(factoryAccountPages(deps, decline));

    app.route({
      method: 'GET',
      url: '/supplier/brands',
      config: { access: access.account },
      schema: {
        summary: 'List the brands that have invited the factory, newest first',
        description: 'Empty until the address of the account is proven.',
        tags,
        querystring: pageQuery,
        response: { 200: brandsOfFactoryList, ...problemResponses(422) },
      },
      handler: async ({ account, query }) => {
        const { factoryId, isProven } = await factoryOfAccount(database, account.accountId);
        if (!isProven) return { data: [] };
        const { data, ...more } = await brandsOfFactory(database, factoryId, query);
        return {
          data: data.map(({ id, brandName, ...record }) => ({ supplierId: id, brand: { name: brandName }, ...record })),
          ...more,
        };
      },
    });

    app.route({
      method: 'POST',
      url: '/supplier/brands/:supplierId/decline',
      config: { access: access.account },
      schema: {
        summary: 'Work with a brand no more: it sees nothing of the factory, and can make no batch there',
        tags,
        params: brandParams,
        response: { 200: declinedBrand, ...problemResponses(404) },
      },
      handler: async (request) => {
        const { supplierId } = request.params;
        const { factoryId, isProven } = await factoryOfAccount(database, request.account.accountId);
        if (!isProven) throw notFound('supplier', supplierId);
        const declined = await decline(request, { supplierId, factoryId });
        const { organizationId } = declined;
        const brand = await organizationById(database, organizationId);
        const { factoryName, tier, status, notes } = declined;
        return { supplierId, brand: { name: brand?.name ?? '' }, factoryName, tier, state: status, notes };
      },
    });
  };
