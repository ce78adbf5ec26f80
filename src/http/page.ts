import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { negotiateLocale, PAGE_CSP, type Locale } from '../pages/index.js';
import { line } from './schemas.js';

/* What all pages have in common: how they are described, in which language they are read, and how they are sent. */

export const html = z.any().describe('text/html');

/** The language that a link of the page chose; without it `Accept-Language` decides. */
export const languageQuery = z.object({ lang: line(20).optional() });

/** A form as typed; what is wrong with it is told on the page, not by a problem. */
export const typedForm = z.record(z.string().max(100), z.unknown());

/** What a page needs of a request; the query of one that its own route has not read may be anything. */
type Visit = Pick<FastifyRequest, 'headers' | 'query'>;

export function askedLanguage({ query, headers }: Visit) {
  const { lang } = (query ?? {}) as { lang?: unknown };
  return { lang: typeof lang === 'string' ? lang : undefined, acceptLanguage: headers['accept-language'] };
}

export const localeOf = (visit: Visit): Locale => negotiateLocale(askedLanguage(visit));

/** The headers of a page. Whoever answers more than pages at an address has said what it varies by. */
export function asPage(reply: FastifyReply): FastifyReply {
  if (!reply.hasHeader('Vary')) void reply.header('Vary', 'Accept-Language');
  return reply.header('Content-Security-Policy', PAGE_CSP).type('text/html; charset=utf-8');
}

export const sendPage = (reply: FastifyReply, page: string): FastifyReply => asPage(reply).send(page);

/**
 * Answers 304 to who has this body already. The headers are those of the whole answer: a browser takes them for the copy that
 * it keeps, so a page must not be left with the policy of an empty answer.
 */
export function sendUnlessKept(request: FastifyRequest, reply: FastifyReply, body: string): FastifyReply {
  // Weak: the same body may be compressed or not.
  const etag = `W/"${createHash('sha256').update(body).digest('base64url')}"`;
  void reply.header('ETag', etag);
  return matches(request.headers['if-none-match'], etag) ? reply.code(304).send() : reply.send(body);
}

const weak = (etag: string): string => (etag.startsWith('W/') ? etag : `W/${etag}`);

const matches = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '').split(',').some((one) => weak(one.trim()) === etag || one.trim() === '*');
