import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { sessionCookie } from '../../http/browser-session.js';
import { STATUS } from '../../http/problem.js';
import { line } from '../../http/schemas.js';
import {
  negotiateLocale,
  negotiateMailLocale,
  PAGE_CSP,
  renderAccountPage,
  type FormLocale,
  type Locale,
} from '../../pages/index.js';
import type { AccountPageView } from '../../pages/views.js';

/** Where those who have signed in begin. */
const HOME = '/supplier';

export const tags = ['Pages'];
export const html = z.any().describe('text/html');
export const pageQuery = z.object({ lang: line(20).optional() });
export const signInQuery = pageQuery.extend({ next: line(2_000).optional() });

export type SignInView = Extract<AccountPageView, { state: 'sign_in' }>;
export type PageRequest = FastifyRequest<{ Querystring: { lang?: string | undefined } }>;

const localeOf = (request: PageRequest): Locale =>
  negotiateLocale({ lang: request.query.lang, acceptLanguage: request.headers['accept-language'] });

/** Of the mails that a page has sent. */
export const mailLocaleOf = (request: PageRequest): FormLocale =>
  negotiateMailLocale({ lang: request.query.lang, acceptLanguage: request.headers['accept-language'] });

/** Gives the browser a session of its own, never one that it brought, and leads on. */
export const enter = (
  reply: FastifyReply,
  site: { readonly BASE_URL: string },
  { token, next }: { readonly token: string; readonly next: string | null },
): FastifyReply => sessionCookie.set(reply, site, token).redirect(next ?? HOME, 303);

export const sendInvalid = (request: PageRequest, reply: FastifyReply): FastifyReply =>
  sendPage(request, reply.code(STATUS.link_invalid), { state: 'link_invalid' });

export const sendPage = (request: PageRequest, reply: FastifyReply, view: AccountPageView): FastifyReply =>
  reply
    .header('Content-Security-Policy', PAGE_CSP)
    .header('Vary', 'Accept-Language')
    .type('text/html; charset=utf-8')
    .send(renderAccountPage(view, localeOf(request)));
