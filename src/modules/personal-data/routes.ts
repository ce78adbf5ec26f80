import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { access } from '../../http/access.js';
import type { AppDependencies } from '../../http/dependencies.js';
import { ok } from '../../http/schemas.js';
import { eraseOwnAccount, erasePersonalData, exportPersonalData } from './handlers.js';
import { erasureBody, memberParams, personalData } from './schemas.js';

const tags = ['Personal data'];
const done = { ok: true as const };

export const personalDataRoutes =
  ({ clock, config, database }: AppDependencies): FastifyPluginAsyncZod =>
  async (app) => {
    const erasure = { database, encryptionKey: config.ENCRYPTION_KEY };
    app.get(
      '/account/export',
      {
        config: { access: access.account },
        schema: {
          operationId: 'exportAccount',
          summary: 'All that is kept about the caller',
          tags,
          response: { 200: personalData },
        },
      },
      async (request) => exportPersonalData(database, request.account.accountId, clock()),
    );

    app.delete(
      '/account',
      {
        config: { access: access.account },
        schema: {
          operationId: 'eraseAccount',
          summary: "Erase the caller's account and every trace of its name and address",
          description:
            'What the account did stays in the history, under an opaque id. An account without a password sets one first.',
          tags,
          body: erasureBody,
          response: { 200: ok },
          refuses: ['bad_credentials', 'last_owner', 'rate_limited'],
        },
      },
      async (request) => {
        await eraseOwnAccount(erasure, request.account.accountId, request.body.password);
        return done;
      },
    );

    app.delete(
      '/organizations/:id/members/:userId/personal-data',
      {
        config: { access: access.ofOrganization('owner') },
        schema: {
          operationId: 'eraseMember',
          summary: 'Erase the account of a member who works with no other organization',
          tags,
          params: memberParams,
          response: { 200: ok },
          refuses: ['last_owner', 'account_in_use'],
        },
      },
      async (request) => {
        const { organizationId } = request.member;
        await erasePersonalData(erasure, { organizationId, id: request.params.userId });
        return done;
      },
    );
  };
