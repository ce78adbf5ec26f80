import formbody from '@fastify/formbody';
import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { access } from '../../http/access.js';
import { refuseOtherSites } from '../../http/browser-session.js';
import type { AppDependencies } from '../../http/dependencies.js';
import { html, languageQuery, localeOf, sendPage, typedForm } from '../../http/page.js';
import { fieldErrors } from '../../http/validation.js';
import { renderTeamPage } from '../../pages/index.js';
import type { TeamPageView } from '../../pages/views.js';
import { acceptInvitation, findInvitation, type OpenInvitation } from './handlers.js';
import { acceptForm, linkParams } from './schemas.js';

const tags = ['Public pages'];

type Open = Extract<TeamPageView, { state: 'open' }>;

/** The page behind the link of an invitation; fetching it changes nothing. */
export const memberPages =
  ({ config, database }: AppDependencies): FastifyPluginAsyncZod =>
  async (app) => {
    await app.register(formbody, { bodyLimit: 16 * 1024 });
    app.addHook('onRequest', async (request) => refuseOtherSites(request, config));

    app.get(
      '/join-team/:token',
      {
        config: { access: access.link, page: true },
        schema: {
          summary: 'The page of an invitation into an organization',
          tags,
          params: linkParams,
          querystring: languageQuery,
          response: { 200: html },
        },
      },
      async (request, reply) => {
        const { token } = request.params;
        const invitation = await findInvitation(database, token);
        return invitation === null ? sendInvalid(request, reply) : send(request, reply, openView(token, invitation));
      },
    );

    app.post(
      '/join-team/:token',
      {
        config: {
          access: access.link,
          page: true,
          rateLimit: { max: config.AUTH_CALLS_PER_MINUTE, timeWindow: '1 minute', groupId: 'auth' },
        },
        schema: {
          summary: 'Take up the invitation, as its page sends it',
          tags,
          params: linkParams,
          querystring: languageQuery,
          body: typedForm,
          response: { 200: html, 422: html },
        },
      },
      async (request, reply) => {
        const { token } = request.params;
        const invitation = await findInvitation(database, token);
        if (invitation === null) return sendInvalid(request, reply);
        const { email, organizationName, hasAccount } = invitation;
        const form = hasAccount
          ? ({ success: true, data: { displayName: '', password: '' } } as const)
          : acceptForm.safeParse(request.body);
        if (!form.success) {
          const errors = fieldErrors(form.error);
          const { displayName } = request.body;
          const typed = { displayName: typeof displayName === 'string' ? displayName.slice(0, 200) : '' };
          return send(request, reply.code(422), openView(token, invitation, { typed, errors }));
        }
        const isMember = await acceptInvitation(database, request.command(), { token, ...form.data });
        return isMember
          ? send(request, reply, { state: 'joined', organizationName, email })
          : sendInvalid(request, reply);
      },
    );
  };

const openView = (
  token: string,
  { organizationName, role, email, hasAccount }: OpenInvitation,
  form: Pick<Open, 'typed' | 'errors'> = { typed: null, errors: [] },
): Open => ({
  ...{ state: 'open', organizationName, role, email, hasAccount },
  ...form,
  action: `/join-team/${token}`,
});

const sendInvalid = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  send(request, reply.code(404), { state: 'invalid' });

const send = (request: FastifyRequest, reply: FastifyReply, view: TeamPageView): FastifyReply =>
  sendPage(reply, renderTeamPage(view, localeOf(request)));
