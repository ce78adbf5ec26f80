import type { FastifyReply, FastifyRequest } from 'fastify';
import { renderErrorPage } from '../pages/index.js';
import { localeOf, sendPage } from './page.js';
import type { Problem } from './problem.js';

/** On the paths of pages, people get a page; programs that ask for JSON get the problem. */
export function wantsPage(request: FastifyRequest): boolean {
  const accept = request.headers.accept ?? '';
  const asksForHtml = accept.includes('text/html');
  if (request.is404) return asksForHtml;
  const { page, access } = request.routeOptions.config;
  if (page !== true) return false;
  // A page and its data at one address: a token is an API client's, and so is who does not ask for a page.
  if (access?.kind === 'account') return asksForHtml && request.headers.authorization === undefined;
  return asksForHtml || !/\bjson\b/.test(accept);
}

export const sendErrorPage = (request: FastifyRequest, reply: FastifyReply, { status, requestId }: Problem) =>
  sendPage(reply, renderErrorPage({ status, requestId }, localeOf(request)));
