import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { z } from 'zod';
import { access } from './access.js';
import type { AppDependencies } from './dependencies.js';

const LIMIT_MS = 2_000;

const part = z.enum(['up', 'down']);
const report = z
  .object({ status: z.enum(['ready', 'not_ready']), database: part, eventStore: part, workflows: part })
  .meta({ id: 'Readiness', description: 'What works and what does not' });

/** For those who run the service: `live` says that the process answers, `ready` that it can do its work. */
export const healthRoutes =
  ({ database, eventStore, workflows, logger }: AppDependencies): FastifyPluginAsyncZod =>
  async (app) => {
    const config = { access: access.public };

    app.get(
      '/health/live',
      {
        config,
        schema: {
          operationId: 'getLiveness',
          summary: 'The process answers',
          tags: ['Health'],
          response: { 200: z.object({ status: z.literal('live') }).describe('It answers') },
        },
      },
      async () => ({ status: 'live' as const }),
    );

    app.get(
      '/health/ready',
      {
        config,
        schema: {
          operationId: 'getReadiness',
          summary: 'The service can do its work',
          description: 'Workflows are reported; without them everything works but what waits for a factory.',
          tags: ['Health'],
          response: { 200: report, 503: report },
        },
      },
      async (_request, reply) => {
        const state = async (name: string, check: Promise<unknown>) => {
          const late = AbortSignal.timeout(LIMIT_MS);
          try {
            await Promise.race([
              check,
              new Promise((_resolve, reject) => {
                late.addEventListener('abort', () => reject(new Error(`no answer in ${LIMIT_MS} ms`)));
              }),
            ]);
            return 'up' as const;
          } catch (error) {
            logger.warn({ part: name, reason: error instanceof Error ? error.message : String(error) }, 'not ready');
            return 'down' as const;
          }
        };
        const [databaseState, eventStoreState, workflowState] = await Promise.all([
          state('database', database.query('select 1')),
          state('event store', eventStore.ping()),
          state('workflows', workflows.ping()),
        ]);
        const ready = databaseState === 'up' && eventStoreState === 'up';
        return reply.code(ready ? 200 : 503).send({
          status: ready ? 'ready' : 'not_ready',
          database: databaseState,
          eventStore: eventStoreState,
          workflows: workflowState,
        });
      },
    );
  };
