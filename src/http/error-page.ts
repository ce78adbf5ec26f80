import type { FastifyReply, FastifyRequest } from 'fastify';
import { negotiateLocale, PAGE_CSP, renderErrorPage } from '../pages/index.js';
import type { Problem } from './problem.js';

/** On the paths of pages, people get a page; programs that ask for JSON get the problem. */
export function wantsPage(request: FastifyRequest): boolean {
  const accept = request.headers.accept ?? '';
  const asksForHtml = accept.includes('text/html');
  if (request.is404) return asksForHtml;
  // Where a page and its data have one address, a token is an API client's.
  if (request.routeOptions.config.page !== true || request.headers.authorization !== undefined) return false;
  return asksForHtml || !/\bjson\b/.test(accept);
}

export function sendErrorPage(request: FastifyRequest, reply: FastifyReply, { status, requestId }: Problem) {
  const { lang } = (request.query ?? {}) as { lang?: unknown };
  const locale = negotiateLocale({
    lang: typeof lang === 'string' ? lang : undefined,
    acceptLanguage: request.headers['accept-language'],
  });
  return reply
    .header('Content-Security-Policy', PAGE_CSP)
    .type('text/html; charset=utf-8')
    .send(renderErrorPage({ status, requestId }, locale));
}
