import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal, type RefusalCode } from '../../core/errors.js';
import { access } from '../../http/access.js';
import { limitAuthCalls } from '../../http/auth-limit.js';
import { ownPath, providerCookie } from '../../http/browser-session.js';
import type { AppDependencies } from '../../http/dependencies.js';
import { html, languageQuery } from '../../http/page.js';
import { STATUS } from '../../http/problem.js';
import { line } from '../../http/schemas.js';
import type { IdentityProvider } from '../../infrastructure/identity-provider/identity-provider.js';
import type { Signer } from './handlers.js';
import { signInByIdentity } from './identity.js';
import { enter, sendView, signInQuery, tags, type SignInView } from './page-parts.js';

const callbackQuery = languageQuery.extend({
  code: line(4_000).optional(),
  state: line(500).optional(),
  error: line(200).optional().catch('error'),
});

const TOLD: Partial<Record<RefusalCode, SignInView['refusal']>> = {
  idp_rejected: 'idp_rejected',
  idp_unavailable: 'idp_unavailable',
  email_not_verified: 'email_not_verified',
};

/**
 * Signing in at the identity provider by a browser. The state is a secret of this browser, in a cookie: what comes back
 * without it was begun by somebody else.
 */
export const providerPages =
  (
    deps: AppDependencies,
    {
      signer,
      provider,
      redirectUri,
      signInView,
    }: {
      readonly signer: Signer;
      readonly provider: IdentityProvider | null;
      readonly redirectUri: string;
      readonly signInView: (more: Partial<SignInView>) => SignInView;
    },
  ): FastifyPluginAsyncZod =>
  async (app) => {
    const { config } = deps;
    const page = { config: { access: access.public, page: true }, onRequest: limitAuthCalls(deps) };
    const response = { 303: html };

    /** Whoever does not get in is back at the page where the other ways are. */
    const orBack = async (
      request: FastifyRequest,
      reply: FastifyReply,
      next: string | null,
      act: (provider: IdentityProvider) => Promise<FastifyReply>,
    ): Promise<FastifyReply> => {
      if (provider === null) throw new Refusal('idp_not_configured', 'The service has no identity provider.');
      try {
        return await act(provider);
      } catch (error) {
        const refusal = error instanceof Refusal ? TOLD[error.code] : undefined;
        if (!(error instanceof Refusal) || refusal === undefined) throw error;
        return sendView(request, reply.code(STATUS[error.code]), signInView({ next, refusal }));
      }
    };

    app.get(
      '/sign-in/idp',
      {
        ...page,
        schema: { summary: 'The way to the identity provider', tags, querystring: signInQuery, response },
      },
      (request, reply) => {
        const next = ownPath(request.query.next);
        return orBack(request, reply, next, async (known) => {
          const state = randomBytes(32).toString('base64url');
          const url = await known.authorizationUrl({ redirectUri, state });
          const kept = JSON.stringify({ state, next });
          return providerCookie.set(reply, config, Buffer.from(kept).toString('base64url')).redirect(url, 303);
        });
      },
    );

    app.get(
      '/sign-in/idp/callback',
      {
        ...page,
        schema: { summary: 'The way back from the identity provider', tags, querystring: callbackQuery, response },
      },
      (request, reply) => {
        const { code, state = '' } = request.query;
        const begun = begunBy(providerCookie.read(request, config));
        providerCookie.clear(reply, config);
        return orBack(request, reply, begun.next, async (known) => {
          if (code === undefined || !isSame(begun.state, state)) {
            throw new Refusal('idp_rejected', 'The sign-in was not begun by this browser, or was broken off.');
          }
          const identity = await known.identityOf({ code, redirectUri, state });
          const { token } = await signInByIdentity(signer, request.command(), identity);
          return enter(reply, config, { token, next: begun.next });
        });
      },
    );
  };

function begunBy(kept: string | null): { readonly state: string | null; readonly next: string | null } {
  try {
    const { state, next } = JSON.parse(Buffer.from(kept ?? '', 'base64url').toString()) as Record<string, unknown>;
    return {
      state: typeof state === 'string' ? state : null,
      next: ownPath(typeof next === 'string' ? next : undefined),
    };
  } catch {
    // No cookie, or one that is not ours.
    return { state: null, next: null };
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest();

const isSame = (one: string | null, other: string): boolean =>
  one !== null && one !== '' && timingSafeEqual(digest(one), digest(other));
