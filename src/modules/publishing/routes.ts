import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { access } from '../../http/access.js';
import type { AppDependencies } from '../../http/dependencies.js';
import { callPublish } from './calls.js';
import { publishPreliminaryBatch } from './preliminary.js';
import { batchParams, productParams, publishedBatch, publishedPassport } from './schemas.js';

export const publishingRoutes =
  (deps: AppDependencies): FastifyPluginAsyncZod =>
  async (app) => {
    const publishingDeps = { ...deps, consumerUrl: deps.config.CONSUMER_URL };

    app.route({
      method: 'POST',
      url: '/brand/products/:id/publish',
      config: { access: access.write },
      schema: {
        operationId: 'publishProduct',
        summary: 'Publish a preliminary passport on the data of the product alone; repeated, it answers the same',
        tags: ['Products'],
        params: productParams,
        response: { 200: publishedPassport },
        refuses: ['no_composition', 'product_deleted'],
      },
      handler: (request) => publishPreliminaryBatch(publishingDeps, request.command(), request.params.id),
    });

    app.route({
      method: 'POST',
      url: '/brand/batches/:id/publish',
      config: { access: access.write },
      schema: {
        operationId: 'publishBatch',
        summary: "Publish the batch's passport; repeated, it answers the same",
        tags: ['Batches'],
        params: batchParams,
        response: { 200: publishedBatch },
        refuses: ['batch_not_submitted', 'product_deleted', 'workflow_unavailable'],
      },
      handler: (request) => callPublish(deps, request.command(), request.params.id),
    });
  };
