import formbody from '@fastify/formbody';
import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { CommandContext } from '../../core/context.js';
import { Refusal } from '../../core/errors.js';
import { access } from '../../http/access.js';
import { ownPath, refuseOtherSites, sessionCookie } from '../../http/browser-session.js';
import { limitAuthCalls } from '../../http/auth-limit.js';
import type { AppDependencies } from '../../http/dependencies.js';
import { html, languageQuery, typedForm } from '../../http/page.js';
import { email, line } from '../../http/schemas.js';
import type { IdentityProvider } from '../../infrastructure/identity-provider/identity-provider.js';
import {
  askForLink,
  emailOfLink,
  endOneSession,
  resetPassword,
  signIn,
  signInByLink,
  verifyAddress,
  type Signer,
} from './handlers.js';
import { enter, mailLocaleOf, sendInvalid, sendView, signInQuery, tags, type SignInView } from './page-parts.js';
import { providerPages } from './provider-pages.js';
import { resetBody, tokenBody } from './schemas.js';

const linkQuery = languageQuery.extend({ token: line(1_000).default('') });
const signInForm = z.object({
  action: z.enum(['password', 'magic_link', 'password_reset']).default('password'),
  email,
  password: z.string().max(1_000).default(''),
});

export interface AccountRouteDependencies extends AppDependencies {
  /** What has to be done before an address counts as proven, by rooms that stand above this one. */
  readonly beforeProof: (context: CommandContext, accountId: string) => Promise<void>;
}

/** The pages of accounts. Fetching one changes nothing; what they do, they do at a click on their own form. */
export const accountPages =
  (
    { beforeProof, ...deps }: AccountRouteDependencies,
    signer: Signer,
    provider: IdentityProvider | null,
  ): FastifyPluginAsyncZod =>
  async (app) => {
    const { config, database } = deps;
    const onRequest = limitAuthCalls(deps);
    const page = { config: { access: access.public, page: true }, onRequest };
    await app.register(formbody, { bodyLimit: 16 * 1024 });
    // Also where no cookie is sent yet: nobody is to be signed in, unseen, to somebody else's account.
    app.addHook('onRequest', async (request) => refuseOtherSites(request, config));

    // The pages come back to themselves; an operator who does not list that address keeps the provider to the API.
    const redirectUri = new URL('/sign-in/idp/callback', config.BASE_URL).href;
    const ownProvider = provider?.allows(redirectUri) === true ? provider : null;

    const signInView = (more: Partial<SignInView> = {}): SignInView => ({
      ...{ state: 'sign_in', next: null, email: '', refusal: null },
      hasIdentityProvider: ownProvider !== null,
      ...more,
    });

    app.get(
      '/sign-in',
      {
        ...page,
        schema: { summary: 'The page that signs in', tags, querystring: signInQuery, response: { 200: html } },
      },
      async (request, reply) => {
        const next = ownPath(request.query.next);
        return sendView(request, reply, signInView({ next }));
      },
    );

    app.post(
      '/sign-in',
      {
        ...page,
        schema: {
          summary: 'Sign in, or ask for a mailed link, as the page sends it',
          tags,
          querystring: signInQuery,
          body: typedForm,
          response: { 200: html, 303: html, 401: html, 422: html, 429: html },
        },
      },
      async (request, reply) => {
        const next = ownPath(request.query.next);
        const form = signInForm.safeParse(request.body);
        const typed = typeof request.body['email'] === 'string' ? request.body['email'].slice(0, 254) : '';
        if (!form.success) {
          return sendView(request, reply.code(422), signInView({ next, email: typed, refusal: 'email_invalid' }));
        }
        const { action, email: address, password } = form.data;
        try {
          if (action === 'password') {
            const { token } = await signIn(signer, { email: address, password });
            return enter(reply, config, { token, next });
          }
          await askForLink(signer, { kind: action, email: address, locale: mailLocaleOf(request) });
          return sendView(request, reply, { state: 'mailed', email: address, next });
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          if (error.code !== 'bad_credentials' && error.code !== 'rate_limited') throw error;
          const { retryAfterS } = error.extra;
          if (retryAfterS !== undefined) void reply.header('Retry-After', String(retryAfterS));
          void reply.code(error.code === 'rate_limited' ? 429 : 401);
          return sendView(request, reply, signInView({ next, email: address, refusal: error.code }));
        }
      },
    );

    await app.register(providerPages(deps, { signer, provider: ownProvider, redirectUri, signInView }));

    app.post(
      '/sign-out',
      {
        config: { access: access.page, page: true },
        onRequest,
        schema: { summary: 'End the session of the browser', tags, response: { 303: html } },
      },
      async (request, reply) => {
        await endOneSession(database, request.account, request.account.sessionId);
        return sessionCookie.clear(reply, config).redirect('/sign-in', 303);
      },
    );

    for (const [url, kind, summary] of [
      ['/magic-link', 'magic_link', 'The page behind a link that signs in'],
      ['/reset-password', 'password_reset', 'The page behind a link that sets a new password'],
      ['/verify', 'verification', 'The page behind the link of a sign-up'],
    ] as const) {
      app.get(
        url,
        {
          ...page,
          schema: { summary, tags, querystring: linkQuery, response: { 200: html } },
        },
        async (request, reply) => {
          const { token } = request.query;
          const address = await emailOfLink(database, kind, token);
          if (address === null) return sendInvalid(request, reply);
          const view = { token, email: address };
          return sendView(
            request,
            reply,
            kind === 'password_reset' ? { state: kind, ...view, isRefused: false } : { state: kind, ...view },
          );
        },
      );
    }

    const click = (summary: string) => ({
      ...page,
      schema: {
        summary,
        tags,
        querystring: languageQuery,
        body: typedForm,
        response: { 200: html, 303: html, 422: html },
      },
    });

    /** Answers what `act` makes of a good link, and the page of one that is not. */
    const onLink = async (
      request: FastifyRequest,
      reply: FastifyReply,
      act: (token: string) => Promise<FastifyReply>,
    ) => {
      const form = tokenBody.safeParse(request.body);
      if (!form.success) return sendInvalid(request, reply);
      try {
        return await act(form.data.token);
      } catch (error) {
        if (error instanceof Refusal && error.code === 'link_invalid') return sendInvalid(request, reply);
        throw error;
      }
    };

    app.post('/magic-link', click('Sign in by the link, as its page sends it'), (request, reply) =>
      onLink(request, reply, async (linkToken) => {
        const { token } = await signInByLink(signer, linkToken);
        return enter(reply, config, { token, next: null });
      }),
    );

    app.post('/verify', click('Prove the address, as the page of the link sends it'), (request, reply) =>
      onLink(request, reply, async (token) => {
        await verifyAddress(signer, token, (accountId) => beforeProof(request.command(), accountId));
        return sendView(request, reply, { state: 'verified' });
      }),
    );

    app.post('/reset-password', click('Set the new password, as the page of the link sends it'), (request, reply) =>
      onLink(request, reply, async (token) => {
        const form = resetBody.safeParse(request.body);
        if (form.success) {
          await resetPassword(signer, form.data);
          return sendView(request, reply, { state: 'password_set' });
        }
        const address = await emailOfLink(database, 'password_reset', token);
        if (address === null) return sendInvalid(request, reply);
        const view = { state: 'password_reset', token, email: address, isRefused: true } as const;
        return sendView(request, reply.code(422), view);
      }),
    );
  };
