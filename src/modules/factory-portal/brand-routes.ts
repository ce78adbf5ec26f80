import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import type { FastifyRequest } from 'fastify';
import { organizationById } from '../../../projections/organizations/queries.js';
import { brandsOfFactory } from '../../../projections/suppliers/queries.js';
import { notFound, Refusal, type RefusalCode } from '../../core/errors.js';
import { access } from '../../http/access.js';
import type { AppDependencies } from '../../http/dependencies.js';
import { pageQuery } from '../../http/schemas.js';
import { factoryAccountPages, type AnswerToBrand } from './pages.js';
import { answerInvitation, factoryOfAccount, recordOfFactory } from '../suppliers/index.js';
import { answeredBrand, brandParams, brandsOfFactoryList } from './brand-schemas.js';

const tags = ['Factory'];

/** The brands that a factory works with, as its account sees them. */
export const brandRoutes =
  (deps: AppDependencies): FastifyPluginAsyncZod =>
  async (app) => {
    const { database } = deps;

    const answer = async (request: FastifyRequest, { supplierId, factoryId, action }: AnswerToBrand) => {
      const { organizationId } = await recordOfFactory(deps, { supplierId, factoryId });
      const context = request.command({ organizationId });
      if (action === 'decline') return answerInvitation(deps, context, { type: 'DeclineSupplier', supplierId });
      const supplier = await answerInvitation(deps, context, { type: 'GrantSharing', supplierId, via: 'account' });
      if (supplier.status !== 'declined') return supplier;
      throw new Refusal('supplier_declined', 'You have declined to work with this brand; it has to invite you again.');
    };

    await app.register(factoryAccountPages(deps, answer));

    app.route({
      method: 'GET',
      url: '/supplier/brands',
      config: { access: access.account },
      schema: {
        operationId: 'listBrands',
        summary: 'List the brands that have invited the factory, newest first',
        description: 'Empty until the address of the account is proven.',
        tags,
        querystring: pageQuery,
        response: { 200: brandsOfFactoryList },
      },
      handler: async ({ account, query }) => {
        const { factoryId, isProven } = await factoryOfAccount(database, account.accountId);
        if (!isProven) return { data: [] };
        const { data, ...more } = await brandsOfFactory(database, deps.eventStore.texts, factoryId, query);
        return {
          data: data.map(({ id, brandName, ...record }) => ({ supplierId: id, brand: { name: brandName }, ...record })),
          ...more,
        };
      },
    });

    const answers = [
      {
        action: 'accept',
        sharing: 'granted',
        summary: 'Let a brand see what the factory keeps: products, facilities, certificates, sub-suppliers',
        operationId: 'acceptBrand',
        refuses: ['supplier_declined'] as RefusalCode[],
      },
      {
        action: 'decline',
        sharing: 'declined',
        summary: 'Work with a brand no more: it sees nothing of the factory, and can make no batch there',
        operationId: 'declineBrand',
        refuses: [] as RefusalCode[],
      },
    ] as const;
    for (const { action, sharing, ...said } of answers) {
      app.route({
        method: 'POST',
        url: `/supplier/brands/:supplierId/${action}`,
        config: { access: access.account },
        schema: { ...said, tags, params: brandParams, response: { 200: answeredBrand } },
        handler: async (request) => {
          const { supplierId } = request.params;
          const { factoryId, isProven } = await factoryOfAccount(database, request.account.accountId);
          if (!isProven) throw notFound('supplier', supplierId);
          const { organizationId, factoryName, tier, status, notes } = await answer(request, {
            ...{ supplierId, factoryId, action },
          });
          const brand = await organizationById(database, organizationId);
          return { supplierId, brand: { name: brand?.name ?? '' }, factoryName, tier, state: status, sharing, notes };
        },
      });
    }
  };
