import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { access } from '../../http/access.js';
import type { AppDependencies } from '../../http/dependencies.js';
import { listOf } from '../../http/schemas.js';
import { organizationsOf } from '../../../projections/organizations/queries.js';
import { changePlan, createOrganization, readOrganization } from './handlers.js';
import {
  createBody,
  organization,
  organizationListItem,
  organizationParams,
  ownOrganization,
  planBody,
} from './schemas.js';

export const organizationRoutes =
  (deps: AppDependencies): FastifyPluginAsyncZod =>
  async (app) => {
    const tags = ['Organizations'];

    app.post(
      '/organizations',
      {
        config: { access: access.account, creates: true },
        schema: {
          operationId: 'createOrganization',
          summary: 'Make an organization and become its owner',
          tags,
          body: createBody,
          response: { 201: ownOrganization },
        },
      },
      async (request, reply) => {
        const made = await createOrganization(deps, request.command(), {
          name: request.body.name,
          ownerId: request.account.accountId,
        });
        return reply.code(201).send({ ...made, role: 'owner' });
      },
    );

    app.get(
      '/organizations',
      {
        config: { access: access.account },
        schema: {
          operationId: 'listOrganizations',
          summary: "The caller's organizations",
          tags,
          response: { 200: listOf(organizationListItem) },
        },
      },
      async (request) => ({ data: await organizationsOf(deps.database, request.account.accountId) }),
    );

    app.get(
      '/organizations/:id',
      {
        config: { access: access.ofOrganization('auditor') },
        schema: {
          operationId: 'getOrganization',
          summary: "One of the caller's organizations",
          tags,
          params: organizationParams,
          response: { 200: ownOrganization },
        },
      },
      async ({ member: { organizationId, role } }) => ({
        ...(await readOrganization(deps.eventStore, organizationId)),
        role,
      }),
    );

    app.put(
      '/admin/organizations/:id/plan',
      {
        config: { access: access.operator },
        schema: {
          operationId: 'changePlan',
          summary: 'Change the plan of an organization',
          tags: ['Operator'],
          params: organizationParams,
          body: planBody,
          response: { 200: organization },
        },
      },
      async (request) =>
        changePlan(deps.eventStore, request.command(), {
          organizationId: request.params.id,
          plan: request.body.plan,
        }),
    );
  };
