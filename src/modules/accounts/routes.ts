import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { Refusal } from '../../core/errors.js';
import { access } from '../../http/access.js';
import { limitAuthCalls } from '../../http/auth-limit.js';
import { listOf, ok } from '../../http/schemas.js';
import type { IdentityProvider } from '../../infrastructure/identity-provider/identity-provider.js';
import { createSessionTokens } from '../../infrastructure/session-tokens.js';
import { negotiateMailLocale } from '../../pages/index.js';
import {
  askForLink,
  changePassword,
  endOneSession,
  resetPassword,
  sessionsOf,
  signIn,
  signInByLink,
  signOut,
  signUp,
  type Signer,
} from './handlers.js';
import { identityProviderOf, signInByIdentity } from './identity.js';
import { accountPages, type AccountRouteDependencies } from './pages.js';
import {
  idpCallbackBody,
  idpUrl,
  idpUrlQuery,
  linkBody,
  loginBody,
  passwordBody,
  resetBody,
  session,
  sessionItem,
  sessionParams,
  signupBody,
  tokenBody,
} from './schemas.js';

const tags = ['Accounts'];
const done = { ok: true as const };

export const accountRoutes =
  (deps: AccountRouteDependencies): FastifyPluginAsyncZod =>
  async (app) => {
    const { config, database, clock } = deps;
    const signer: Signer = {
      ...{ database, clock, linkKey: config.LINK_KEY },
      tokens: createSessionTokens(config, clock),
    };
    // One count for all of them, by the address of the socket.
    const onRequest = limitAuthCalls(deps);
    const open = { config: { access: access.public }, onRequest };
    const signsIn = { config: { access: access.public, showsSecret: true }, onRequest };
    const signedIn = { config: { access: access.account }, onRequest };

    const provider = identityProviderOf(deps);
    const demandProvider = (): IdentityProvider => {
      if (provider === null) throw new Refusal('idp_not_configured', 'The service has no identity provider.');
      return provider;
    };

    await app.register(accountPages(deps, signer, provider));

    app.post(
      '/auth/signup',
      {
        config: { access: access.public, creates: 'again', showsSecret: true },
        onRequest,
        schema: {
          operationId: 'signUp',
          summary: 'Make an account and sign in',
          description: 'A link that proves the address is mailed to it.',
          tags,
          body: signupBody,
          response: { 201: session },
          refuses: ['email_taken', 'rate_limited'],
        },
      },
      async (request, reply) => {
        const answer = await signUp(signer, request.command(), { ...request.body, locale: localeOf(request) });
        return reply.code(201).send(answer);
      },
    );

    app.post(
      '/auth/login',
      {
        ...signsIn,
        schema: {
          operationId: 'signIn',
          summary: 'Sign in with address and password',
          tags,
          body: loginBody,
          response: { 200: session },
          refuses: ['bad_credentials', 'rate_limited'],
        },
      },
      async (request) => signIn(signer, request.body),
    );

    for (const [url, kind, operationId, summary] of [
      ['/auth/magic-link', 'magic_link', 'askForMagicLink', 'Mail a link that signs in, once, for 15 minutes'],
      [
        '/auth/password-reset',
        'password_reset',
        'askForPasswordReset',
        'Mail a link that sets a new password, once, for an hour',
      ],
      [
        '/auth/verification',
        'verification',
        'askForVerification',
        'Mail the link that proves the address of a sign-up again',
      ],
    ] as const) {
      app.post(
        url,
        {
          ...open,
          schema: {
            operationId,
            summary,
            description: 'The answer is the same whether the address is known or not.',
            tags,
            body: linkBody,
            response: { 202: ok },
            refuses: ['rate_limited'],
          },
        },
        async (request, reply) => {
          await askForLink(signer, { kind, email: request.body.email, locale: localeOf(request) });
          return reply.code(202).send(done);
        },
      );
    }

    app.post(
      '/auth/magic-link/verify',
      {
        ...signsIn,
        schema: {
          operationId: 'signInByLink',
          summary: 'Sign in with the token of a mailed link',
          tags,
          body: tokenBody,
          response: { 200: session },
          refuses: ['link_invalid', 'rate_limited'],
        },
      },
      async (request) => signInByLink(signer, request.body.token),
    );

    app.post(
      '/auth/password-reset/confirm',
      {
        ...open,
        schema: {
          operationId: 'resetPassword',
          summary: 'Set a new password with the token of a mailed link; ends every session',
          tags,
          body: resetBody,
          response: { 200: ok },
          refuses: ['link_invalid', 'rate_limited'],
        },
      },
      async (request) => {
        await resetPassword(signer, request.body);
        return done;
      },
    );

    app.get(
      '/auth/idp/url',
      {
        ...open,
        schema: {
          operationId: 'getIdpUrl',
          summary: 'Where to sign in at the identity provider',
          tags,
          querystring: idpUrlQuery,
          response: { 200: idpUrl },
          refuses: ['idp_not_configured', 'idp_unavailable', 'rate_limited'],
        },
      },
      async ({ query }) => ({
        url: await demandProvider().authorizationUrl({ redirectUri: query.redirect_uri, state: query.state ?? null }),
      }),
    );

    app.post(
      '/auth/idp/callback',
      {
        ...signsIn,
        schema: {
          operationId: 'signInByIdp',
          summary: 'Sign in with the code that the identity provider gave out',
          tags,
          body: idpCallbackBody,
          response: { 200: session },
          refuses: ['idp_rejected', 'email_not_verified', 'idp_not_configured', 'idp_unavailable', 'rate_limited'],
        },
      },
      async (request) => {
        const { code, redirect_uri: redirectUri, state = null } = request.body;
        const identity = await demandProvider().identityOf({ code, redirectUri, state });
        return signInByIdentity(signer, request.command(), identity);
      },
    );

    app.put(
      '/auth/password',
      {
        ...signedIn,
        schema: {
          operationId: 'changePassword',
          summary: 'Change the password; ends the other sessions',
          tags,
          body: passwordBody,
          response: { 200: ok },
          refuses: ['bad_credentials', 'rate_limited'],
        },
      },
      async (request) => {
        await changePassword(signer, request.account, request.body);
        return done;
      },
    );

    app.get(
      '/auth/sessions',
      {
        ...signedIn,
        schema: {
          operationId: 'listSessions',
          summary: 'The sessions of the account that stand, newest first',
          tags,
          response: { 200: listOf(sessionItem) },
          refuses: ['rate_limited'],
        },
      },
      async (request) => ({ data: await sessionsOf(database, request.account) }),
    );

    app.delete(
      '/auth/sessions/:id',
      {
        ...signedIn,
        schema: {
          operationId: 'endSession',
          summary: 'End a session of the account',
          tags,
          params: sessionParams,
          response: { 200: ok },
          refuses: ['rate_limited'],
        },
      },
      async (request) => {
        await endOneSession(database, request.account, request.params.id);
        return done;
      },
    );

    app.post(
      '/auth/logout',
      {
        ...signedIn,
        schema: {
          operationId: 'signOut',
          summary: 'End the session of the token',
          tags,
          response: { 200: ok },
          refuses: ['rate_limited'],
        },
      },
      async (request) => {
        await endOneSession(database, request.account, request.account.sessionId);
        return done;
      },
    );

    app.post(
      '/auth/logout-all',
      {
        ...signedIn,
        schema: {
          operationId: 'signOutEverywhere',
          summary: 'End every session of the account',
          tags,
          response: { 200: ok },
          refuses: ['rate_limited'],
        },
      },
      async (request) => {
        await signOut(database, request.account);
        return done;
      },
    );
  };

/** Mails speak the language of the call that asked for them. */
const localeOf = (request: { readonly headers: { readonly 'accept-language'?: string | undefined } }) =>
  negotiateMailLocale({ acceptLanguage: request.headers['accept-language'] });
