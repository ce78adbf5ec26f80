import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import type { FastifyRequest } from 'fastify';
import type { CommandContext } from '../../core/context.js';
import { access } from '../../http/access.js';
import type { AppDependencies } from '../../http/dependencies.js';
import { keyOf } from '../../http/idempotency.js';
import { draftBody, factoryRequest, productionData, productionDataBody, tokenParams } from './request-schemas.js';
import { followLink, saveDraft, submitAnswer, viewRequest } from './requests.js';

/** What is behind a mailed link, as data. */
export const linkRoutes =
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
