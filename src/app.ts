import { randomUUID } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import { maxHeaderSize, type IncomingMessage } from 'node:http';
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyReply } from 'fastify';
import { Refusal } from './core/errors.js';
import { createIdempotency } from './infrastructure/idempotency.js';
import { loggablePath } from './infrastructure/logger.js';
import { trustOf } from './infrastructure/trusted-proxies.js';
import { accountRoutes } from './modules/accounts/routes.js';
import { apiKeyRoutes } from './modules/api-keys/routes.js';
import { batchRoutes } from './modules/batches/routes.js';
import { adoptCatalogue, catalogueOf } from './modules/factory-portal/index.js';
import { factoryPortalRoutes } from './modules/factory-portal/routes.js';
import { csvImportRoutes } from './modules/file-imports/index.js';
import { fileImportRoutes } from './modules/file-imports/routes.js';
import { importRoutes } from './modules/imports/routes.js';
import { memberRoutes } from './modules/members/routes.js';
import { organizationRoutes } from './modules/organizations/routes.js';
import { passportRoutes } from './modules/passports/routes.js';
import { personalDataRoutes } from './modules/personal-data/routes.js';
import { productRoutes } from './modules/products/routes.js';
import { proposalRoutes } from './modules/proposals/routes.js';
import { productFollowUp } from './modules/publishing/index.js';
import { publishingRoutes } from './modules/publishing/routes.js';
import { supplierRoutes } from './modules/suppliers/routes.js';
import { WEBHOOK_BODIES } from './modules/webhooks/index.js';
import { webhookRoutes } from './modules/webhooks/routes.js';
import { RATE_LIMIT_HEADERS } from './http/api-key-limit.js';
import { authenticate } from './http/auth.js';
import { commands } from './http/command.js';
import { compresses } from './http/compression.js';
import type { AppDependencies } from './http/dependencies.js';
import { problems, unknownRoutes } from './http/errors.js';
import { healthRoutes } from './http/health.js';
import { idempotencyKeys } from './http/idempotency.js';
import { openApi } from './http/openapi/openapi.js';
import { toProblem, toRefusal } from './http/problem.js';
import { everyRouteSaysWhoMayCall } from './http/route-rules.js';
import './http/request.js';
import { serializerCompiler, validatorCompiler } from './http/validation.js';

/** Each module's routes; the whole interface. */
const ROUTES: readonly ((deps: AppDependencies) => FastifyPluginAsyncZod)[] = [
  (deps) => accountRoutes({ ...deps, beforeProof: (context, accountId) => adoptCatalogue(deps, context, accountId) }),
  organizationRoutes,
  memberRoutes,
  apiKeyRoutes,
  personalDataRoutes,
  (deps) => productRoutes({ ...deps, followUp: productFollowUp({ ...deps, consumerUrl: deps.config.CONSUMER_URL }) }),
  (deps) =>
    supplierRoutes({
      ...deps,
      catalogueOf: (factoryId) => catalogueOf({ ...deps, baseUrl: deps.config.BASE_URL }, factoryId),
    }),
  batchRoutes,
  proposalRoutes,
  factoryPortalRoutes,
  passportRoutes,
  publishingRoutes,
  importRoutes,
  csvImportRoutes,
  webhookRoutes,
  fileImportRoutes,
  healthRoutes,
];

const BODY_LIMIT_BYTES = 1024 * 1024;
/** For the largest file over a slow line; without a limit, a body that never ends would keep its connection for ever. */
const REQUEST_LIMIT_MS = 300_000;
const VERSION = '0.1.0';

/** A request id from outside is kept when it is one that a log can hold. */
const REQUEST_ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

const requestIdOf = (request: IncomingMessage): string => {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
};

/** For answers that are data; a page sets its own policy. */
const HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

/** The HTTP service with all its routes; it does not listen. */
export async function buildApp(deps: AppDependencies): Promise<FastifyInstance> {
  const { config, database, logger } = deps;
  // Named by its narrower type, or every plugin would have to know pino's.
  const loggerInstance: FastifyBaseLogger = logger;
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIdOf,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_LIMIT_MS,
    trustProxy: trustOf(config.TRUST_PROXY),
    // An id of any length goes the way of every id, and is not found; Node reads no longer path than this.
    routerOptions: { maxParamLength: maxHeaderSize },
    forceCloseConnections: 'idle',
    // What cannot even be routed, such as a path that is not well encoded.
    frameworkErrors: (error, request, reply) => {
      const problem = toProblem(toRefusal(error), request.id);
      void (reply as FastifyReply)
        .code(problem.status)
        .type('application/problem+json; charset=utf-8')
        .send(JSON.stringify(problem));
    },
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  readsJsonOnly(app);

  app.addHook('onRequest', async (request, reply) => {
    void reply.headers(HEADERS).header('X-Request-Id', request.id);
    if (config.NODE_ENV === 'production') void reply.header('Strict-Transport-Security', 'max-age=31536000');
  });
  endsConnectionsOnceClosing(app);
  problems(app);
  logsRequests(app);
  everyRouteSaysWhoMayCall(app);

  // The API takes tokens in a header that the calling page itself must set, never in a cookie: any origin may call.
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: ['X-Request-Id', 'X-Read-Lag', 'Idempotent-Replayed', 'Retry-After', ...RATE_LIMIT_HEADERS],
    maxAge: 86_400,
    // Also an OPTIONS that no browser sends is answered with what the path allows to whom.
    strictPreflight: false,
  });
  unknownRoutes(app);

  await app.register(cookie);
  await compresses(app);
  authenticate(app, deps);
  commands(app, deps);
  const idempotency = createIdempotency({
    url: config.DATABASE_URL,
    database,
    encryptionKey: config.ENCRYPTION_KEY,
    logger,
  });
  idempotencyKeys(app, idempotency);
  app.addHook('onClose', () => idempotency.close());

  await openApi(app, { baseUrl: config.BASE_URL, version: VERSION, webhooks: WEBHOOK_BODIES });
  for (const routes of ROUTES) await app.register(routes(deps));
  return app;
}

function readsJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('remove', 'remove');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer;
    // Clients that always name the type send it with an empty body too.
    if (bytes.length === 0) return done(null, undefined);
    if (!isUtf8(bytes)) return done(new Refusal('malformed_json', 'The body is not UTF-8.'), undefined);
    void parse(request, bytes.toString('utf8'), (error, value) =>
      error === null
        ? done(null, value)
        : done(new Refusal('malformed_json', `The body is not JSON: ${error.message}`), undefined),
    );
  });
}

/**
 * Fastify ends the connections that are idle when it closes; one whose call was still under way would be kept open after it. An
 * answer that has not begun tells its caller; one that had begun, as a stream, has its connection ended after its last byte.
 */
function endsConnectionsOnceClosing(app: FastifyInstance): void {
  let closing = false;
  app.addHook('preClose', async () => void (closing = true));
  app.addHook('onSend', async (_request, reply) => {
    if (closing) void reply.header('Connection', 'close');
  });
  app.addHook('onResponse', async () => {
    // Node counts the connection as idle once all listeners of the answer's end have run.
    if (closing) setImmediate(() => app.server.closeIdleConnections());
  });
}

/** One line a request: no query, no token of a link, no address. */
function logsRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        path: loggablePath(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    );
  });
}
