import formbody from '@fastify/formbody';
import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import type { FastifyRequest } from 'fastify';
import { requestsOfFactory } from '../../../projections/batches/queries.js';
import { access } from '../../http/access.js';
import type { AppDependencies } from '../../http/dependencies.js';
import { keyOf } from '../../http/idempotency.js';
import { html, languageQuery } from '../../http/page.js';
import { pageQuery } from '../../http/schemas.js';
import { factoryOfAccount } from '../suppliers/index.js';
import { followRequest, saveDraft, submitAnswer, viewRequest } from './requests.js';
import { formBody, showRequest, takeForm, type Door } from './request-page.js';
import {
  draftBody,
  factoryRequest,
  productionData,
  productionDataBody,
  supplierRequestList,
  supplierRequestParams,
} from './request-schemas.js';

const tags = ['Factory'];

/** Requests as the account of the factory sees them: the same draft and the same answer as behind the mailed link. */
export const requestRoutes =
  (deps: AppDependencies): FastifyPluginAsyncZod =>
  async (app) => {
    const { database } = deps;

    const follow = async (request: FastifyRequest<{ Params: { id: string } }>) => {
      const standing = await factoryOfAccount(database, request.account.accountId);
      const link = await followRequest(deps, standing, request.params.id);
      return { link, context: request.command({ organizationId: link.organizationId }) };
    };

    const ownDoor = (request: FastifyRequest<{ Params: { id: string } }>): Door => ({
      action: `/supplier/requests/${encodeURIComponent(request.params.id)}`,
      link: async () => (await follow(request)).link,
      context: ({ organizationId }) => request.command({ organizationId }),
    });

    app.route({
      method: 'GET',
      url: '/supplier/requests',
      config: { access: access.account },
      schema: {
        operationId: 'listSupplierRequests',
        summary: 'List what brands have asked of the factory, newest first',
        description: 'Empty until the address of the account is proven.',
        tags,
        querystring: pageQuery,
        response: { 200: supplierRequestList },
      },
      handler: async ({ account, query }) => {
        const { factoryId, isProven } = await factoryOfAccount(database, account.accountId);
        if (!isProven) return { data: [] };
        const { data, ...more } = await requestsOfFactory(database, factoryId, query);
        return {
          data: data.map(({ id, state, role, tier, createdAt, ...rest }) => ({
            ...{ id, state, role, tier, createdAt },
            brand: { name: rest.brandName },
            product: { name: rest.productName, sku: rest.productSku },
            batch: { poReference: rest.poReference, quantity: rest.quantity, unit: rest.unit, state: rest.batchState },
          })),
          ...more,
        };
      },
    });

    app.route({
      method: 'GET',
      url: '/supplier/requests/:id',
      config: { access: access.account, page: true },
      schema: {
        operationId: 'getSupplierRequest',
        summary: 'What the brand asks for; the first look is noted. A signed-in browser gets the form',
        tags,
        params: supplierRequestParams,
        querystring: languageQuery,
        response: { 200: factoryRequest },
        refuses: ['link_withdrawn', 'request_declined'],
      },
      handler: async (request, reply) => {
        // A token is an API client's; a browser came in by its cookie.
        if (request.headers.authorization === undefined) return showRequest(deps, request, reply, ownDoor(request));
        const { link, context } = await follow(request);
        return (await viewRequest(deps, context, link)).request;
      },
    });

    const forms: FastifyPluginAsyncZod = async (pages) => {
      await pages.register(formbody, { bodyLimit: 1024 * 1024 });
      pages.route({
        method: 'POST',
        url: '/supplier/requests/:id',
        config: { access: access.page, page: true },
        schema: {
          summary: 'Keep or submit what was typed, as the form sends it',
          tags,
          params: supplierRequestParams,
          querystring: languageQuery,
          body: formBody,
          response: { 200: html },
        },
        handler: (request, reply) => takeForm(deps, request, reply, ownDoor(request)),
      });
    };
    await app.register(forms);

    app.route({
      method: 'PUT',
      url: '/supplier/requests/:id/draft',
      config: { access: access.account },
      schema: {
        operationId: 'saveSupplierRequestDraft',
        summary: 'Keep what was typed so far',
        tags,
        params: supplierRequestParams,
        body: draftBody,
        response: { 200: factoryRequest },
        refuses: ['batch_published', 'request_already_submitted', 'link_withdrawn', 'request_declined'],
      },
      handler: async (request) => {
        const { link } = await follow(request);
        return (await saveDraft(deps, link, productionData(request.body))).request;
      },
    });

    app.route({
      method: 'POST',
      url: '/supplier/requests/:id/submit',
      config: { access: access.account },
      schema: {
        operationId: 'submitSupplierRequest',
        summary: 'Submit the production data',
        tags,
        params: supplierRequestParams,
        body: productionDataBody,
        response: { 200: factoryRequest },
        refuses: [
          'batch_published',
          'request_already_submitted',
          'link_withdrawn',
          'request_declined',
          'workflow_unavailable',
        ],
      },
      handler: async (request) => {
        const { link, context } = await follow(request);
        const order = { data: productionData(request.body), key: keyOf(request) };
        return (await submitAnswer(deps, context, link, order)).request;
      },
    });
  };
