import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { listWebhooks } from '../../../projections/webhooks/queries.js';
import { access } from '../../http/access.js';
import type { AppDependencies } from '../../http/dependencies.js';
import { ok, pageQuery } from '../../http/schemas.js';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  readDeliveries,
  readDelivery,
  readWebhook,
  redeliver,
  replay,
  rotateSecret,
  testWebhook,
} from './handlers.js';
import {
  changeWebhookBody,
  createWebhookBody,
  deliveriesQuery,
  deliveryDetail,
  deliveryList,
  deliveryParams,
  replayBody,
  replayStarted,
  testStarted,
  webhookDetail,
  webhookList,
  webhookParams,
  webhookWithSecret,
} from './schemas.js';
import { secretSealer } from './secrets.js';
import { webhookTargets } from '../../infrastructure/webhook-sender/address-rules.js';

const tags = ['Webhooks'];

export const webhookRoutes =
  (app: AppDependencies): FastifyPluginAsyncZod =>
  async (fastify) => {
    const { config, database, eventStore } = app;
    const deps = {
      ...{ database, eventStore },
      sealer: secretSealer(config.ENCRYPTION_KEY),
      targets: webhookTargets(config),
    };

    fastify.route({
      method: 'GET',
      url: '/brand/webhooks',
      config: { access: access.read },
      schema: {
        operationId: 'listWebhooks',
        summary: 'List webhooks, newest first',
        tags,
        querystring: pageQuery,
        response: { 200: webhookList },
      },
      handler: ({ member, query }) => listWebhooks(database, eventStore.texts, member.organizationId, query),
    });

    fastify.route({
      method: 'POST',
      url: '/brand/webhooks',
      config: { access: access.webhooks, creates: true, showsSecret: true },
      schema: {
        operationId: 'createWebhook',
        summary: 'Register a webhook; the answer holds its secret, this once',
        tags,
        body: createWebhookBody,
        response: { 201: webhookWithSecret },
        refuses: ['webhook_limit', 'address_refused'],
      },
      handler: async (request, reply) =>
        reply.code(201).send(await createWebhook(deps, request.command(), request.body)),
    });

    fastify.route({
      method: 'GET',
      url: '/brand/webhooks/:id',
      config: { access: access.read },
      schema: {
        operationId: 'getWebhook',
        summary: 'Read a webhook',
        tags,
        params: webhookParams,
        response: { 200: webhookDetail },
      },
      handler: ({ member: { organizationId, plan }, params }) =>
        readWebhook(deps, { webhookId: params.id, organizationId, plan }),
    });

    fastify.route({
      method: 'PATCH',
      url: '/brand/webhooks/:id',
      config: { access: access.webhooks },
      schema: {
        operationId: 'updateWebhook',
        summary: 'Change address, events or whether it is active; a pause ends what waits',
        tags,
        params: webhookParams,
        body: changeWebhookBody,
        response: { 200: webhookDetail },
        refuses: ['address_refused'],
      },
      handler: (request) => {
        const { url, events, active } = request.body;
        return changeWebhook(deps, request.command(), request.params.id, {
          ...(url === undefined ? {} : { url }),
          ...(events === undefined ? {} : { events }),
          ...(active === undefined ? {} : { active }),
        });
      },
    });

    fastify.route({
      method: 'DELETE',
      url: '/brand/webhooks/:id',
      config: { access: access.endWebhook },
      schema: {
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook; what waits for it is not sent any more',
        tags,
        params: webhookParams,
        response: { 200: ok },
      },
      handler: async (request) => {
        await deleteWebhook(deps, request.command(), request.params.id);
        return { ok: true as const };
      },
    });

    fastify.route({
      method: 'POST',
      url: '/brand/webhooks/:id/rotate-secret',
      config: { access: access.webhooks, creates: true, showsSecret: true },
      schema: {
        operationId: 'rotateWebhookSecret',
        summary: 'Make a new secret; for 24 hours deliveries carry signatures of both',
        tags,
        params: webhookParams,
        response: { 200: webhookWithSecret },
      },
      handler: (request) => rotateSecret(deps, request.command(), request.params.id),
    });

    fastify.route({
      method: 'POST',
      url: '/brand/webhooks/:id/test',
      config: { access: access.webhooks, creates: true },
      schema: {
        operationId: 'testWebhook',
        summary: 'Send `webhook.test` once, also to a webhook that is paused',
        tags,
        params: webhookParams,
        response: { 202: testStarted },
      },
      handler: async (request, reply) =>
        reply.code(202).send(await testWebhook(deps, request.command(), request.params.id)),
    });

    fastify.route({
      method: 'POST',
      url: '/brand/webhooks/:id/replay',
      config: { access: access.webhooks, creates: true },
      schema: {
        operationId: 'replayDeliveries',
        summary: 'Send the deliveries of a time range again, and those that a pause held back',
        tags,
        params: webhookParams,
        body: replayBody,
        response: { 202: replayStarted },
        refuses: ['webhook_paused'],
      },
      handler: async (request, reply) => {
        const { from, to } = request.body;
        return reply.code(202).send(await replay(deps, request.command(), { webhookId: request.params.id, from, to }));
      },
    });

    fastify.route({
      method: 'GET',
      url: '/brand/webhooks/:id/deliveries',
      config: { access: access.read },
      schema: {
        operationId: 'listDeliveries',
        summary: 'List the deliveries of a webhook with their attempts, newest first',
        tags,
        params: webhookParams,
        querystring: deliveriesQuery,
        response: { 200: deliveryList },
      },
      handler: ({ member: { organizationId }, params, query }) => {
        const { limit, cursor, ...filter } = query;
        return readDeliveries(deps, { webhookId: params.id, organizationId }, filter, { limit, cursor });
      },
    });

    fastify.route({
      method: 'GET',
      url: '/brand/deliveries/:id',
      config: { access: access.read },
      schema: {
        operationId: 'getDelivery',
        summary: 'Read a delivery with its attempts, also after its webhook was deleted',
        tags,
        params: deliveryParams,
        response: { 200: deliveryDetail },
      },
      handler: ({ member, params }) =>
        readDelivery(deps, { organizationId: member.organizationId, deliveryId: params.id }),
    });

    fastify.route({
      method: 'POST',
      url: '/brand/deliveries/:id/redeliver',
      config: { access: access.webhooks, creates: true },
      schema: {
        operationId: 'redeliver',
        summary: 'Send a delivery once more: same bytes, same id',
        tags,
        params: deliveryParams,
        response: { 202: deliveryDetail },
        refuses: ['delivery_under_way', 'webhook_paused', 'webhook_deleted'],
      },
      handler: async (request, reply) =>
        reply.code(202).send(await redeliver(deps, request.command(), request.params.id)),
    });
  };
