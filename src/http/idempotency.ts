import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../core/errors.js';
import type { Hold, Idempotency } from '../infrastructure/idempotency.js';

const MAX_KEY_LENGTH = 255;

interface Running {
  readonly hold: Hold;
  /** Its answer is not kept. */
  readonly unkept: boolean;
  /** Something may be there already that is found again by the seed, though the call itself is refused. */
  mayHaveWritten: boolean;
}

/**
 * `Idempotency-Key` on the routes that create. Answers that succeed are kept and sent again; refusals free the key; a fault,
 * and a refusal of a call that has written, leave it with its seed, so that the next call finds what this one may have made.
 */
export function idempotencyKeys(app: FastifyInstance, idempotency: Idempotency): void {
  const running = new WeakMap<FastifyRequest, Running>();
  app.decorateRequest('keySeed', null);

  app.addHook('preHandler', async (request, reply) => {
    const creates = request.routeOptions.config.creates;
    const key = request.headers['idempotency-key'];
    if (creates === undefined || key === undefined) return;
    if (typeof key !== 'string' || key === '' || key.length > MAX_KEY_LENGTH) {
      throw new Refusal('malformed_request', `"Idempotency-Key" must have 1 to ${MAX_KEY_LENGTH} characters.`);
    }
    const begun = await idempotency.begin({ key, ...callOf(request) });
    switch (begun.kind) {
      case 'in_use':
        void reply.header('Retry-After', '1');
        throw new Refusal('idempotency_key_in_use', 'The first call with this "Idempotency-Key" is still running.');
      case 'reused':
        throw new Refusal('idempotency_key_reused', 'This "Idempotency-Key" was used with another request.');
      case 'replay':
        void reply
          .header('Idempotent-Replayed', 'true')
          .code(begun.answer.status)
          .type('application/json; charset=utf-8');
        return reply.send(begun.answer.body);
      case 'run':
        request.keySeed = begun.seed;
        running.set(request, { hold: begun.hold, unkept: creates === 'again', mayHaveWritten: begun.again });
        if (begun.again && creates === 'again') void reply.header('Idempotent-Replayed', 'true');
    }
  });

  app.addHook('onError', async (request, _reply, error) => {
    const call = running.get(request);
    if (call === undefined) return;
    // A worker may have written for the call before it was overtaken, or a row beside the one that was.
    const wasOvertaken = error instanceof Refusal && error.code === 'concurrent_change';
    if (wasOvertaken || request.command().position() !== null) call.mayHaveWritten = true;
  });

  app.addHook('onSend', async (request, reply, payload) => {
    const call = running.get(request);
    if (call === undefined) return payload;
    running.delete(request);
    const status = reply.statusCode;
    try {
      if (status >= 500 || (status >= 400 && call.mayHaveWritten)) await call.hold.abandon();
      else if (status >= 400) await call.hold.forget();
      else await call.hold.finish(call.unkept || typeof payload !== 'string' ? null : { status, body: payload });
    } catch (error) {
      // The command is done and its answer true; the same call again finds the record by its seed.
      request.log.warn({ err: error }, 'could not keep the answer under its idempotency key');
    }
    return payload;
  });
}

/** Within which a key is one key, and what must be the same when it is sent again. */
function callOf(request: FastifyRequest) {
  const { params, query, body } = request;
  const route = `${request.method} ${request.routeOptions.url ?? ''}`;
  const kind = request.routeOptions.config.access?.kind;
  const caller =
    kind === 'member'
      ? request.member.organizationId
      : kind === 'account' || kind === 'page'
        ? request.account.accountId
        : null;
  return {
    scope: caller === null ? route : `${caller} ${route}`,
    request: { params: params ?? null, query: query ?? null, body: body ?? null },
    stranger: caller === null,
  };
}

/** Calls that create nothing do not replay an answer; the key names the call all the same. */
export function keyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  return typeof key === 'string' && key !== '' ? key.slice(0, 255) : null;
}
