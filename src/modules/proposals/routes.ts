import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { listProposals } from '../../../projections/proposals/queries.js';
import { access } from '../../http/access.js';
import type { AppDependencies } from '../../http/dependencies.js';
import { emailOfAccount } from '../accounts/index.js';
import { acceptProposal, declineProposal } from './acceptance.js';
import { brandProposal, proposalList, proposalParams, proposalQuery } from './schemas.js';

/** Sub-suppliers that factories have named, for the brand to take up. Answers hold addresses, so none is kept under its key. */
export const proposalRoutes =
  (deps: AppDependencies): FastifyPluginAsyncZod =>
  async (app) => {
    const { database } = deps;
    const supplierDeps = { ...deps, linkKey: deps.config.LINK_KEY };
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
