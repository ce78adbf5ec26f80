import formbody from '@fastify/formbody';
import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { assertNever } from '../../core/assert-never.js';
import type { CommandContext } from '../../core/context.js';
import { access } from '../../http/access.js';
import { limitAuthCalls } from '../../http/auth-limit.js';
import type { AppDependencies } from '../../http/dependencies.js';
import { html, languageQuery, localeOf, sendPage, typedForm } from '../../http/page.js';
import { fieldErrors } from '../../http/validation.js';
import { renderJoinPage } from '../../pages/index.js';
import type { JoinPageView } from '../../pages/views.js';
import { answerInvitation, endInvitationLink, type Supplier, type SupplierDependencies } from '../suppliers/index.js';
import { accept, findInvitation, join, joinView, welcomeView, type Invitation } from './join.js';
import { joinForm, linkParams } from './join-schemas.js';

const tags = ['Public pages'];

/** The page behind an invitation's link: sign up, or decline. */
export const joinRoutes =
  (deps: AppDependencies & SupplierDependencies): FastifyPluginAsyncZod =>
  async (app) => {
    await app.register(formbody, { bodyLimit: 16 * 1024 });

    app.route({
      method: 'GET',
      url: '/join/:token',
      config: { access: access.link, page: true },
      schema: {
        summary: 'The page of an invitation',
        tags,
        params: linkParams,
        querystring: languageQuery,
        response: { 200: html, 404: html },
      },
      handler: async (request, reply) => {
        const { token } = request.params;
        const invitation = await findInvitation(deps, token);
        if (invitation === null) return sendView(request, reply.code(404), { state: 'invalid' });
        return sendView(request, reply, await joinView(deps, invitation, blank(token)));
      },
    });

    app.route({
      method: 'POST',
      url: '/join/:token',
      config: { access: access.link, page: true },
      onRequest: limitAuthCalls(deps),
      schema: {
        summary: 'Join, accept or decline, as the page of the invitation sends it',
        tags,
        params: linkParams,
        querystring: languageQuery,
        body: typedForm,
        response: { 200: html, 404: html, 422: html },
      },
      handler: async (request, reply) => {
        const { token } = request.params;
        const invitation = await findInvitation(deps, token);
        if (invitation === null) return sendView(request, reply.code(404), { state: 'invalid' });
        const { supplierId, organizationId } = invitation.supplier;
        const context = request.command({ organizationId, actor: { type: 'factory_link', id: supplierId } });

        const form = joinForm.safeParse(request.body);
        if (!form.success) {
          const errors = fieldErrors(form.error);
          const { displayName } = request.body;
          const typed = { displayName: typeof displayName === 'string' ? displayName : '' };
          const view = await joinView(deps, invitation, { ...blank(token), typed, errors });
          return sendView(request, reply.code(422), view);
        }
        const supplier = await answerOf(deps, context, invitation, form.data);
        // Last: what is cut off before is done by the next click.
        await endInvitationLink(deps.database, token);
        // Who had declined stays out until the brand asks again.
        const isWelcome = form.data.action === 'join' && supplier.status === 'confirmed';
        const view = await (isWelcome ? welcomeView : joinView)(deps, { ...invitation, supplier }, blank(token));
        return sendView(request, reply, view);
      },
    });
  };

function answerOf(
  deps: SupplierDependencies,
  context: CommandContext,
  invitation: Invitation,
  form: z.output<typeof joinForm>,
): Promise<Supplier> {
  const { supplierId } = invitation.supplier;
  switch (form.action) {
    case 'join':
      return join(deps, context, invitation, form);
    case 'accept':
      return accept(deps, context, invitation.supplier);
    case 'decline':
      return answerInvitation(deps, context, { type: 'DeclineSupplier', supplierId });
    default:
      return assertNever(form);
  }
}

const blank = (token: string) => ({ action: `/join/${token}`, typed: null, errors: [] });

const sendView = (request: FastifyRequest, reply: FastifyReply, view: JoinPageView): FastifyReply =>
  sendPage(reply, renderJoinPage(view, localeOf(request)));
