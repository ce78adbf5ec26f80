import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionCookie } from '../../http/browser-session.js';
import { askedLanguage, languageQuery, localeOf, sendPage } from '../../http/page.js';
import { STATUS } from '../../http/problem.js';
import { line } from '../../http/schemas.js';
import { negotiateMailLocale, renderAccountPage, type FormLocale } from '../../pages/index.js';
import type { AccountPageView } from '../../pages/views.js';

/** Where those who have signed in begin. */
const HOME = '/supplier';

export const tags = ['Pages'];
export const signInQuery = languageQuery.extend({ next: line(2_000).optional() });

export type SignInView = Extract<AccountPageView, { state: 'sign_in' }>;

/** Of the mails that a page has sent. */
export const mailLocaleOf = (request: FastifyRequest): FormLocale => negotiateMailLocale(askedLanguage(request));

/** Gives the browser a session of its own, never one that it brought, and leads on. */
export const enter = (
  reply: FastifyReply,
  site: { readonly BASE_URL: string },
  { token, next }: { readonly token: string; readonly next: string | null },
): FastifyReply => sessionCookie.set(reply, site, token).redirect(next ?? HOME, 303);

export const sendInvalid = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  sendView(request, reply.code(STATUS.link_invalid), { state: 'link_invalid' });

export const sendView = (request: FastifyRequest, reply: FastifyReply, view: AccountPageView): FastifyReply =>
  sendPage(reply, renderAccountPage(view, localeOf(request)));
