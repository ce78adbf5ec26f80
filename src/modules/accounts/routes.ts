import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { access } from '../../http/access.js';
import type { AppDependencies } from '../../http/dependencies.js';
import { ok, problemResponses } from '../../http/schemas.js';
import { createSessionTokens } from '../../infrastructure/session-tokens.js';
import { createAccount, openSession, signIn, signOut } from './handlers.js';
import { loginBody, session, signupBody } from './schemas.js';

export const accountRoutes =
  ({ config, database, clock }: AppDependencies): FastifyPluginAsyncZod =>
  async (app) => {
    const signer = { database, clock, tokens: createSessionTokens(config.TOKEN_SIGNING_KEY, clock) };
    // One count for all of them, by the address of the socket.
    const onRequest = app.rateLimit({ max: config.AUTH_CALLS_PER_MINUTE, timeWindow: '1 minute' });
    const tags = ['Accounts'];

    app.post(
      '/auth/signup',
      {
        config: { access: access.public, creates: 'again' },
        onRequest,
        schema: {
          summary: 'Make an account and sign in',
          tags,
          body: signupBody,
          response: { 201: session, ...problemResponses(409, 429) },
        },
      },
      async (request, reply) => {
        const account = await createAccount(database, request.command(), { ...request.body, emailProven: false });
        return reply.code(201).send(await openSession(signer, account));
      },
    );

    app.post(
      '/auth/login',
      {
        config: { access: access.public },
        onRequest,
        schema: {
          summary: 'Sign in with address and password',
          tags,
          body: loginBody,
          response: { 200: session, ...problemResponses(401, 429) },
        },
      },
      async (request) => signIn(signer, request.body),
    );

    app.post(
      '/auth/logout',
      {
        config: { access: access.account },
        onRequest,
        schema: {
          summary: 'End the session of the token',
          tags,
          response: { 200: ok, ...problemResponses(429) },
        },
      },
      async (request) => {
        await signOut(database, request.account.sessionId);
        return { ok: true as const };
      },
    );
  };
