import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { z } from 'zod';
import { standings } from '../infrastructure/followers.js';
import { countMissingSecrets } from '../infrastructure/missing-secrets.js';
import { countParked } from '../infrastructure/parked-events.js';
import { createOutageLog } from '../infrastructure/outage-log.js';
import type { Database } from '../infrastructure/postgres/database.js';
import { access } from './access.js';
import type { AppDependencies } from './dependencies.js';

const LIMIT_MS = 2_000;

const part = z.enum(['up', 'down']);
/** Which event halts it says its own port and the log: here anybody may ask. */
const follower = z.object({
  state: z
    .enum(['following', 'behind', 'halted', 'silent'])
    .meta({ id: 'FollowerState', description: 'How projector or reactor keep up with the log' }),
  lagEvents: z.int().min(0).max(1_000).describe('Events that wait, counted up to 1,000'),
  lagSeconds: z.number().min(0).describe('Age of the oldest event that waits'),
});
const report = z
  .object({
    status: z.enum(['ready', 'degraded', 'not_ready']),
    database: part,
    eventStore: part,
    workflows: part,
    projector: follower.nullable().describe('Brings the lists up to date; null while the database is down'),
    reactor: follower
      .extend({
        parkedEvents: z.int().min(0).max(1_000_000),
        missingSecrets: z.int().min(0).describe('Webhooks whose secret is missing: their deliveries wait for it'),
      })
      .nullable()
      .describe('Starts what events lead to: mails, webhooks, follow-ups'),
  })
  .meta({ id: 'Readiness', description: 'What works and what does not' });

/** For those who run the service: `live` says that the process answers, `ready` that it can do its work. */
export const healthRoutes =
  ({ database, eventStore, workflows, logger }: AppDependencies): FastifyPluginAsyncZod =>
  async (app) => {
    const config = { access: access.public };
    const outages = {
      database: createOutageLog(logger, 'not ready', { part: 'database' }),
      eventStore: createOutageLog(logger, 'not ready', { part: 'event store' }),
      workflows: createOutageLog(logger, 'not ready', { part: 'workflow server' }),
    };

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
          description:
            '`degraded` (200): calls are answered, but projector, reactor or workflows are not as they should be, and the answer ' +
            'says how. Without workflows everything works but what waits for a factory.',
          tags: ['Health'],
          response: { 200: report, 503: report },
        },
      },
      async (_request, reply) => {
        const state = async (name: keyof typeof outages, check: Promise<unknown>) => {
          const late = AbortSignal.timeout(LIMIT_MS);
          try {
            await Promise.race([
              check,
              new Promise((_resolve, reject) => {
                late.addEventListener('abort', () => reject(new Error(`no answer in ${LIMIT_MS} ms`)));
              }),
            ]);
            outages[name].worked();
            return 'up' as const;
          } catch (error) {
            outages[name].failed(error);
            return 'down' as const;
          }
        };
        const [databaseState, eventStoreState, workflowState] = await Promise.all([
          state('database', database.query('select 1')),
          state('eventStore', eventStore.ping()),
          state('workflows', workflows.ping()),
        ]);
        const followers = databaseState === 'up' ? await followersOf(database) : null;
        const isReady = databaseState === 'up' && eventStoreState === 'up';
        const isWhole =
          workflowState === 'up' &&
          followers?.projector.state === 'following' &&
          followers.reactor.state === 'following';
        return reply.code(isReady ? 200 : 503).send({
          status: isReady ? (isWhole ? 'ready' : 'degraded') : 'not_ready',
          database: databaseState,
          eventStore: eventStoreState,
          workflows: workflowState,
          projector: followers?.projector ?? null,
          reactor: followers?.reactor ?? null,
        });
      },
    );
  };

async function followersOf(database: Database) {
  const [{ projector, reactor }, parkedEvents, missingSecrets] = await Promise.all([
    standings(database),
    countParked(database),
    countMissingSecrets(database),
  ]);
  return { projector, reactor: { ...reactor, parkedEvents, missingSecrets } };
}
