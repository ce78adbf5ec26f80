import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { access, type Scope } from '../../http/access.js';
import type { AppDependencies } from '../../http/dependencies.js';
import { listOf, ok } from '../../http/schemas.js';
import { createApiKey, MAX_API_KEYS, revokeApiKey } from './handlers.js';
import { apiKey, createBody, keyParams, keysParams, newApiKey } from './schemas.js';
import { listApiKeys } from './store.js';

const tags = ['API keys'];

export const apiKeyRoutes =
  ({ database }: AppDependencies): FastifyPluginAsyncZod =>
  async (app) => {
    const config = { access: access.ofOrganization('owner') };

    app.post(
      '/organizations/:id/api-keys',
      {
        config: { ...config, creates: true, showsSecret: true },
        schema: {
          operationId: 'createApiKey',
          summary: 'Make an API key for a machine',
          description:
            'Sent as the bearer token with `X-Organization-Id`, for calls below `/brand`. It does not expire.',
          tags,
          params: keysParams,
          body: createBody,
          response: { 201: newApiKey },
          refuses: ['api_key_limit'],
        },
      },
      async (request, reply) => {
        const { organizationId } = request.member;
        const { name, scopes } = request.body;
        const made = await createApiKey<Scope>(database, request.command(), { organizationId, name, scopes });
        return reply.code(201).send({ ...made, scopes: [...made.scopes] });
      },
    );

    app.get(
      '/organizations/:id/api-keys',
      {
        config,
        schema: {
          operationId: 'listApiKeys',
          summary: 'The API keys, newest first; never the keys themselves',
          tags,
          params: keysParams,
          response: { 200: listOf(apiKey) },
        },
      },
      async (request) => {
        const keys = await listApiKeys<Scope>(database, request.member.organizationId, MAX_API_KEYS);
        return { data: keys.map((key) => ({ ...key, scopes: [...key.scopes] })) };
      },
    );

    app.delete(
      '/organizations/:id/api-keys/:keyId',
      {
        config,
        schema: {
          operationId: 'revokeApiKey',
          summary: 'Revoke an API key at once',
          tags,
          params: keyParams,
          response: { 200: ok },
        },
      },
      async (request) => {
        await revokeApiKey(database, request.member.organizationId, request.params.keyId);
        return { ok: true as const };
      },
    );
  };
