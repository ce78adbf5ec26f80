import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal, type FieldError } from '../core/errors.js';
import { loggablePath } from '../infrastructure/logger.js';
import { createOutageLog } from '../infrastructure/outage-log.js';
import { isOutage } from '../infrastructure/outage.js';
import { sendErrorPage, wantsPage } from './error-page.js';
import { InvalidInput } from './validation.js';
import { STATUS, toProblem, toRefusal } from './problem.js';

const RETRY_AFTER_S = 2;

/** Every error becomes problem+json; the faults of ours, and only they, are logged with their stack, and of outages the cause. */
export function problems(app: FastifyInstance): void {
  const unanswered = createOutageLog(app.log, 'a call could not be answered');
  const answer = (request: FastifyRequest, reply: FastifyReply, refusal: Refusal) => {
    const problem = toProblem(refusal, request.id);
    if (problem.status === 401) void reply.header('WWW-Authenticate', 'Bearer');
    const { retryAfterS } = refusal.extra;
    if (retryAfterS !== undefined) void reply.header('Retry-After', String(retryAfterS));
    else if (problem.status === 503) void reply.header('Retry-After', String(RETRY_AFTER_S));
    void reply.code(problem.status);
    if (wantsPage(request)) return sendErrorPage(request, reply, problem);
    // Serialized here, as a route's own schemas may not know this status.
    return reply.type('application/problem+json; charset=utf-8').send(JSON.stringify(problem));
  };

  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = toldTo(request, error instanceof InvalidInput ? refusalOf(error, request) : toRefusal(error));
    if (isOutage(error)) unanswered.failed(error, { path: loggablePath(request.url), code: refusal.code });
    else if (toProblem(refusal, request.id).status >= 500) {
      // Neither the values of a failed statement nor any other member of the error: they may name people.
      const { name, message, stack, code } = error;
      const cause = error.cause instanceof Error ? error.cause.message : undefined;
      request.log.error(
        { fault: { name, message, code, stack, cause }, path: loggablePath(request.url) },
        refusal.code,
      );
    }
    return answer(request, reply, refusal);
  });
}

/** Answers calls that no route takes, before their body is read: whatever is in it, there is nobody to take it. */
export function unknownRoutes(app: FastifyInstance): void {
  const paths: { method: string; pattern: RegExp }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    if (url === '*') return;
    const pattern = new RegExp(`^${url.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/:[^/]+/g, '[^/]*')}$`);
    for (const one of [method].flat()) paths.push({ method: one, pattern });
  });
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return;
    const path = request.url.split('?', 1)[0] ?? '';
    const allowed = [...new Set(paths.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))];
    if (allowed.length === 0) {
      throw new Refusal('route_not_found', `There is nothing at ${request.method} on this path.`);
    }
    void reply.header('Allow', allowed.join(', '));
    throw new Refusal('method_not_allowed', `This path takes ${allowed.join(', ')}, not ${request.method}.`);
  });
}

const ABOUT_INPUT = [400, 413, 415, 422];

/** Who does not belong to the organization of the path hears that, and not what is wrong with a body that nobody will take. */
const toldTo = (request: FastifyRequest, refusal: Refusal): Refusal =>
  request.isStranger && ABOUT_INPUT.includes(STATUS[refusal.code])
    ? new Refusal('not_a_member', 'You are not a member of the organization that the path names.')
    : refusal;

function refusalOf(error: InvalidInput, request: FastifyRequest): Refusal {
  if (error.validationContext !== 'params') return invalidInput(error.errors);
  // Ids that cannot be one are unknown ids; but the fields of the body and the query are answered first.
  const { body, query } = request;
  for (const [part, value] of [
    ['body', body],
    ['querystring', query],
  ] as const) {
    const checked: unknown = request.getValidationFunction(part)?.(value);
    const wrong = (checked as { error?: unknown } | undefined)?.error;
    if (wrong instanceof InvalidInput) return invalidInput(wrong.errors);
  }
  return new Refusal('not_found', 'There is nothing with the id in the path.');
}

const invalidInput = (errors: readonly FieldError[]) => {
  const [first] = errors;
  const more = errors.length > 1 ? ` And ${errors.length - 1} more: see "errors".` : '';
  return new Refusal(
    'invalid_input',
    `${first?.path ? `"${first.path}": ` : ''}${sentence(first?.message ?? '')}${more}`,
    {
      errors,
    },
  );
};

const sentence = (message: string) => (message.endsWith('.') ? message : `${message}.`);
