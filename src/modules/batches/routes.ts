import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { listBatches } from '../../../projections/batches/queries.js';
import { organizationOf, type CommandContext } from '../../core/context.js';
import { access } from '../../http/access.js';
import type { AppDependencies } from '../../http/dependencies.js';
import { keyOf } from '../../http/idempotency.js';
import { callRequestChanges, callSendRequest } from './calls.js';
import { detailOf } from './details.js';
import { createBatch, loadBatch } from './handlers.js';
import {
  batchDetail,
  batchList,
  batchParams,
  batchQuery,
  createBatchBody,
  requestChangesBody,
  sendRequestBody,
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
  };
