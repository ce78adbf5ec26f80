import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import type { FastifyRequest } from 'fastify';
import { listBatches } from '../../../projections/batches/queries.js';
import { organizationOf, type CommandContext } from '../../core/context.js';
import { access } from '../../http/access.js';
import type { AppDependencies } from '../../http/dependencies.js';
import { keyOf } from '../../http/idempotency.js';
import { callPublish, callRequestChanges, callSendRequest } from './calls.js';
import { detailOf } from './details.js';
import { followLink, saveDraft, submitAnswer, viewRequest } from './factory-link.js';
import { createBatch, loadBatch } from './handlers.js';
import { factoryPages } from './page.js';
import { supplierRequestRoutes } from './supplier-requests.js';
import {
  batchDetail,
  batchList,
  batchParams,
  batchQuery,
  createBatchBody,
  draftBody,
  factoryRequest,
  productionData,
  productionDataBody,
  publishedBatch,
  requestChangesBody,
  sendRequestBody,
  tokenParams,
} from './schemas.js';

export const batchRoutes =
  (deps: AppDependencies): FastifyPluginAsyncZod =>
  async (app) => {
    const tags = ['Batches'];
    const fullBatch = async (context: CommandContext, batchId: string) =>
      detailOf(deps, await loadBatch(deps, organizationOf(context), batchId));

    app.route({
      method: 'GET',
      url: '/brand/batches',
      config: { access: access.read },
      schema: {
        operationId: 'listBatches',
        summary: 'List batches, newest first, of a product or in a state',
        tags,
        querystring: batchQuery,
        response: { 200: batchList },
      },
      handler: ({ member, query: { productId, state, ...page } }) =>
        listBatches(deps.database, member.organizationId, { productId, state }, page),
    });

    app.route({
      method: 'POST',
      url: '/brand/batches',
      config: { access: access.write, creates: true },
      schema: {
        operationId: 'createBatch',
        summary: 'Create a production batch of a product at a factory of tier 1',
        tags,
        body: createBatchBody,
        response: { 201: batchDetail },
        refuses: ['not_found', 'factory_not_tier_1', 'supplier_declined'],
      },
      handler: async (request, reply) => {
        const { productId, factoryId, quantity, poReference, unit } = request.body;
        const batch = await createBatch(deps, request.command(), {
          ...{ productId, factoryId, quantity },
          poReference: poReference || null,
          unit: unit ?? 'piece',
        });
        return reply.code(201).send(await detailOf(deps, batch));
      },
    });

    app.route({
      method: 'GET',
      url: '/brand/batches/:id',
      config: { access: access.read },
      schema: {
        operationId: 'getBatch',
        summary: 'Read a batch with its requests, data, score and passport',
        tags,
        params: batchParams,
        response: { 200: batchDetail },
      },
      handler: async ({ params, member }) => detailOf(deps, await loadBatch(deps, member.organizationId, params.id)),
    });

    app.route({
      method: 'POST',
      url: '/brand/batches/:id/send-request',
      config: { access: access.write },
      schema: {
        operationId: 'sendBatchRequest',
        summary: 'Mail the request to the factory and its sub-suppliers; again, remind those who have not answered',
        tags,
        params: batchParams,
        body: sendRequestBody,
        response: { 200: batchDetail },
        refuses: ['batch_not_draft', 'supplier_declined', 'mail_limit', 'workflow_unavailable'],
      },
      handler: async (request) => {
        const batchId = request.params.id;
        const context = request.command();
        await callSendRequest(deps, context, { batchId, key: keyOf(request), notes: request.body?.notes || null });
        return fullBatch(context, batchId);
      },
    });

    app.route({
      method: 'POST',
      url: '/brand/batches/:id/request-changes',
      config: { access: access.write },
      schema: {
        operationId: 'requestBatchChanges',
        summary: 'Give the batch back to the factory and mail it what to change',
        tags,
        params: batchParams,
        body: requestChangesBody,
        response: { 200: batchDetail },
        refuses: ['batch_not_submitted', 'workflow_unavailable'],
      },
      handler: async (request) => {
        const batchId = request.params.id;
        const context = request.command();
        await callRequestChanges(deps, context, { batchId, key: keyOf(request), notes: request.body.notes });
        return fullBatch(context, batchId);
      },
    });

    app.route({
      method: 'POST',
      url: '/brand/batches/:id/publish',
      config: { access: access.write },
      schema: {
        operationId: 'publishBatch',
        summary: "Publish the batch's passport; repeated, it answers the same",
        tags,
        params: batchParams,
        response: { 200: publishedBatch },
        refuses: ['batch_not_submitted', 'product_deleted', 'workflow_unavailable'],
      },
      handler: (request) => callPublish(deps, request.command(), { batchId: request.params.id }),
    });

    await app.register(factoryRoutes(deps));
    await app.register(factoryPages(deps));
    await app.register(supplierRequestRoutes(deps));
  };

const factoryRoutes =
  (deps: AppDependencies): FastifyPluginAsyncZod =>
  async (app) => {
    const tags = ['Factory link'];

    app.route({
      method: 'GET',
      url: '/factory/requests/:token',
      config: { access: access.link },
      schema: {
        operationId: 'getFactoryRequest',
        summary: 'What the brand asks for; the first look is noted',
        tags,
        params: tokenParams,
        response: { 200: factoryRequest },
        refuses: ['link_withdrawn', 'request_declined'],
      },
      handler: async (request) => {
        const link = await followLink(deps, request.params.token);
        return (await viewRequest(deps, linkContext(request, link), link)).request;
      },
    });

    app.route({
      method: 'PUT',
      url: '/factory/requests/:token/draft',
      config: { access: access.link },
      schema: {
        operationId: 'saveFactoryRequestDraft',
        summary: 'Keep what was typed so far',
        tags,
        params: tokenParams,
        body: draftBody,
        response: { 200: factoryRequest },
        refuses: ['batch_published', 'request_already_submitted', 'link_withdrawn', 'request_declined'],
      },
      handler: async (request) => {
        const link = await followLink(deps, request.params.token);
        return (await saveDraft(deps, link, productionData(request.body))).request;
      },
    });

    app.route({
      method: 'POST',
      url: '/factory/requests/:token/submit',
      config: { access: access.link },
      schema: {
        operationId: 'submitFactoryRequest',
        summary: 'Submit the production data',
        tags,
        params: tokenParams,
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
        const link = await followLink(deps, request.params.token);
        const order = { data: productionData(request.body), key: keyOf(request) };
        return (await submitAnswer(deps, linkContext(request, link), link, order)).request;
      },
    });
  };

/** The holder of a link acts for its request alone. */
const linkContext = (
  request: FastifyRequest,
  { organizationId, requestId }: { organizationId: string; requestId: string },
): CommandContext => request.command({ organizationId, actor: { type: 'factory_link', id: requestId } });
