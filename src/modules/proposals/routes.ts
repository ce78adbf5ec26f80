import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { listProposals } from '../../../projections/proposals/queries.js';
import { access } from '../../http/access.js';
import type { AppDependencies } from '../../http/dependencies.js';
import { proposal } from '../../http/proposal-schemas.js';
import { emailOfAccount } from '../accounts/store.js';
import { followLink, followRequest } from '../batches/factory-link.js';
import { factoryOfAccount } from '../factories/standing.js';
import { acceptProposal, declineProposal } from './acceptance.js';
import { propose } from './handlers.js';
import {
  brandProposal,
  linkParams,
  proposalList,
  proposalParams,
  proposalQuery,
  proposeBody,
  requestParams,
  type ProposeBody,
} from './schemas.js';

/** Sub-suppliers that factories name and brands take up. Answers hold addresses, so none is kept under its key. */
export const proposalRoutes =
  (deps: AppDependencies): FastifyPluginAsyncZod =>
  async (app) => {
    const { database } = deps;
    const supplierDeps = { ...deps, linkKey: deps.config.LINK_KEY, baseUrl: deps.config.BASE_URL };
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
        params: linkParams,
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
        params: requestParams,
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
        const standing = await factoryOfAccount(database, request.account.accountId);
        return take(request, reply, await followRequest(deps, standing, request.params.id));
      },
    });

    const tags = ['Suppliers'];

    app.route({
      method: 'GET',
      url: '/brand/proposals',
      config: { access: access.read },
      schema: {
        operationId: 'listProposals',
        summary: 'List the suppliers that factories have named behind materials, newest first',
        tags,
        querystring: proposalQuery,
        response: { 200: proposalList },
      },
      handler: ({ member, query: { state, ...page } }) =>
        listProposals(database, deps.eventStore.texts, member.organizationId, { state }, page),
    });

    app.route({
      method: 'POST',
      url: '/brand/proposals/:id/accept',
      config: { access: access.write, creates: 'again' },
      schema: {
        operationId: 'acceptProposal',
        summary: "Take the supplier up: it is invited and becomes one of the material's; the next request asks it",
        tags,
        params: proposalParams,
        response: { 200: brandProposal },
        refuses: [
          'invalid_input',
          'proposal_decided',
          'proposal_void',
          'supplier_declined',
          'material_suppliers_limit',
          'mail_limit',
        ],
      },
      handler: async (request) => {
        const { accountId } = request.member;
        const acceptorEmail = accountId === null ? null : await emailOfAccount(database, accountId);
        return acceptProposal(supplierDeps, request.command(), { proposalId: request.params.id, acceptorEmail });
      },
    });

    app.route({
      method: 'POST',
      url: '/brand/proposals/:id/decline',
      config: { access: access.write, creates: 'again' },
      schema: {
        operationId: 'declineProposal',
        summary: 'Do not take the supplier up',
        tags,
        params: proposalParams,
        response: { 200: brandProposal },
        refuses: ['proposal_decided'],
      },
      handler: (request) => declineProposal(supplierDeps, request.command(), { proposalId: request.params.id }),
    });
  };
