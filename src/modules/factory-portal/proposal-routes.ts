import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { access } from '../../http/access.js';
import type { AppDependencies } from '../../http/dependencies.js';
import { proposal } from '../../http/proposal-schemas.js';
import { propose } from '../proposals/index.js';
import { factoryOfAccount } from '../suppliers/index.js';
import { proposeBody, type ProposeBody } from './proposal-schemas.js';
import { supplierRequestParams, tokenParams } from './request-schemas.js';
import { followLink, followRequest } from './requests.js';

/** Sub-suppliers that a factory names. Answers hold addresses, so none is kept under its key. */
export const proposalRoutes =
  (deps: AppDependencies): FastifyPluginAsyncZod =>
  async (app) => {
    const summary = 'Name the supplier behind a material; named again, the proposal that is there';
    const made = { 200: proposal, 201: proposal };

    const take = async (
      request: FastifyRequest,
      reply: FastifyReply,
      link: { readonly organizationId: string; readonly batchId: string; readonly requestId: string },
    ) => {
      const { organizationId, requestId } = link;
      const byLink = { actor: { type: 'factory_link', id: requestId } } as const;
      const isLink = request.routeOptions.config.access?.kind === 'link';
      const context = request.command({ organizationId, ...(isLink ? byLink : {}) });
      const { item, isNew } = await propose(deps, context, link, request.body as ProposeBody);
      return reply.code(isNew ? 201 : 200).send(item);
    };

    app.route({
      method: 'POST',
      url: '/factory/requests/:token/proposals',
      config: { access: access.link, creates: 'again' },
      schema: {
        operationId: 'proposeSupplierByLink',
        summary,
        tags: ['Factory link'],
        params: tokenParams,
        body: proposeBody,
        response: { ...made },
        refuses: [
          'batch_published',
          'request_already_submitted',
          'proposal_limit',
          'link_withdrawn',
          'request_declined',
        ],
      },
      handler: async (request, reply) => take(request, reply, await followLink(deps, request.params.token)),
    });

    app.route({
      method: 'POST',
      url: '/supplier/requests/:id/proposals',
      config: { access: access.account, creates: 'again' },
      schema: {
        operationId: 'proposeSupplier',
        summary,
        tags: ['Factory'],
        params: supplierRequestParams,
        body: proposeBody,
        response: { ...made },
        refuses: [
          'batch_published',
          'request_already_submitted',
          'proposal_limit',
          'link_withdrawn',
          'request_declined',
        ],
      },
      handler: async (request, reply) => {
        const standing = await factoryOfAccount(deps.database, request.account.accountId);
        return take(request, reply, await followRequest(deps, standing, request.params.id));
      },
    });
  };
