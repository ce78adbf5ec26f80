import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../core/errors.js';

/*
 * The session of a browser: the bearer token in a cookie that scripts cannot read. Only pages take it, never the API, so the API
 * needs no protection against calls that another site makes a browser send.
 */

type Site = { readonly BASE_URL: string };

/** A cookie that scripts cannot read and that other sites' forms do not send. */
function cookie(name: string, lifetimeS: number) {
  const isHttps = ({ BASE_URL }: Site) => BASE_URL.startsWith('https:');
  // With the prefix a browser takes it over https alone, and from no other host of the domain.
  const nameAt = (site: Site) => (isHttps(site) ? `__Host-${name}` : name);
  const attributes = (site: Site) => ({ httpOnly: true, sameSite: 'lax', path: '/', secure: isHttps(site) }) as const;
  return {
    set: (reply: FastifyReply, site: Site, value: string): FastifyReply =>
      reply.setCookie(nameAt(site), value, { ...attributes(site), maxAge: lifetimeS }),
    clear: (reply: FastifyReply, site: Site): FastifyReply => reply.clearCookie(nameAt(site), attributes(site)),
    read: (request: FastifyRequest, site: Site): string | null => request.cookies[nameAt(site)] ?? null,
  };
}

export const sessionCookie = cookie('session', 7 * 24 * 60 * 60);

/** The state of a sign-in at the identity provider, between the way there and the way back. */
export const providerCookie = cookie('sign-in-state', 10 * 60);

/**
 * Refuses a form that another site has sent: `Sec-Fetch-Site` tells, and where a browser does not send it, `Origin`. What sends
 * neither is no browser, and has no cookie that somebody else could use.
 */
export function refuseOtherSites(request: FastifyRequest, site: Site): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const { origin, 'sec-fetch-site': fetchSite } = request.headers;
  const isOwn =
    fetchSite !== undefined
      ? fetchSite === 'same-origin' || fetchSite === 'none'
      : origin === undefined || origin === new URL(site.BASE_URL).origin;
  if (!isOwn) throw new Refusal('origin_refused', 'The form was sent from another site.');
}

/** A path of this service, or null: `next` never leads anywhere else. */
export function ownPath(next: string | undefined): string | null {
  if (next === undefined || !next.startsWith('/') || !URL.canParse(next, OWN)) return null;
  const { origin, pathname, search } = new URL(next, OWN);
  // A path that begins with two slashes would be read as a host once it stands alone.
  return origin === OWN && !pathname.startsWith('//') ? pathname + search : null;
}

const OWN = 'http://own.invalid';
