import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { access } from '../../http/access.js';
import type { AppDependencies } from '../../http/dependencies.js';
import { listOf, ok } from '../../http/schemas.js';
import { negotiateLocale } from '../../pages/index.js';
import { changeRole, inviteMember, MAX_MEMBERS, removeMember } from './handlers.js';
import { memberPages } from './pages.js';
import { inviteBody, member, memberParams, membersParams, roleBody } from './schemas.js';
import { listMembers } from './store.js';

const tags = ['Members'];

export const memberRoutes =
  (deps: AppDependencies): FastifyPluginAsyncZod =>
  async (app) => {
    const { config, database } = deps;
    await app.register(memberPages(deps));

    app.post(
      '/organizations/:id/members',
      {
        config: { access: access.ofOrganization('owner'), creates: true },
        schema: {
          operationId: 'addMember',
          summary: 'Add a member, or invite one by mail',
          description:
            'An address with an account is a member at once and told by mail; any other is mailed a link that makes the account. Sent again for somebody invited, it mails again.',
          tags,
          params: membersParams,
          body: inviteBody,
          response: { 200: member, 201: member },
          refuses: ['already_member', 'member_limit', 'mail_limit'],
        },
      },
      async (request, reply) => {
        const { email, role } = request.body;
        const { organizationId } = request.member;
        const locale = negotiateLocale({ acceptLanguage: request.headers['accept-language'] });
        const invited = await inviteMember({ database, linkKey: config.LINK_KEY }, request.command(), {
          ...{ organizationId, email, role, locale },
        });
        return reply.code(invited.isNew ? 201 : 200).send(invited.member);
      },
    );

    app.get(
      '/organizations/:id/members',
      {
        config: { access: access.ofOrganization('auditor') },
        schema: {
          operationId: 'listMembers',
          summary: 'The members, and who is invited',
          tags,
          params: membersParams,
          response: { 200: listOf(member) },
        },
      },
      async (request) => ({ data: await listMembers(database, request.member.organizationId, MAX_MEMBERS) }),
    );

    app.patch(
      '/organizations/:id/members/:userId',
      {
        config: { access: access.ofOrganization('owner') },
        schema: {
          operationId: 'changeMemberRole',
          summary: 'Change the role of a member',
          description: 'Acts at once, also on tokens that were issued before.',
          tags,
          params: memberParams,
          body: roleBody,
          response: { 200: member },
          refuses: ['last_owner'],
        },
      },
      async (request) => {
        const { organizationId } = request.member;
        return changeRole(database, { organizationId, id: request.params.userId }, request.body.role);
      },
    );

    app.delete(
      '/organizations/:id/members/:userId',
      {
        config: { access: access.ofOrganization('owner') },
        schema: {
          operationId: 'removeMember',
          summary: 'Remove a member, or withdraw an invitation',
          tags,
          params: memberParams,
          response: { 200: ok },
          refuses: ['last_owner'],
        },
      },
      async (request) => {
        await removeMember(database, {
          organizationId: request.member.organizationId,
          id: request.params.userId,
        });
        return { ok: true as const };
      },
    );
  };
