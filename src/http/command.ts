import type { FastifyInstance, FastifyRequest } from 'fastify';
import { commandContext, type CommandContext } from '../core/context.js';
import type { Actor } from '../core/events.js';
import type { AppDependencies } from './dependencies.js';

const actorOf = (request: FastifyRequest): Actor => {
  const kind = request.routeOptions.config.access?.kind;
  if (kind === 'member') return request.member.actor;
  if (kind === 'account' || kind === 'page') return { type: 'user', id: request.account.accountId };
  return { type: kind === 'operator' ? 'operator' : 'system', id: null };
};

/** Gives requests their command context, and holds the answer back until the read models show what the command wrote. */
export function commands(
  app: FastifyInstance,
  { config, clock, projected }: Pick<AppDependencies, 'config' | 'clock' | 'projected'>,
): void {
  const contexts = new WeakMap<FastifyRequest, CommandContext>();

  app.decorateRequest('command', function (this: FastifyRequest, overrides = {}) {
    const known = contexts.get(this);
    if (known !== undefined) return known;
    const made = commandContext({
      organizationId:
        overrides.organizationId ??
        (this.routeOptions.config.access?.kind === 'member' ? this.member.organizationId : null),
      actor: overrides.actor ?? actorOf(this),
      correlationId: this.id,
      now: clock(),
      ...(this.keySeed === null ? {} : { seed: this.keySeed }),
    });
    contexts.set(this, made);
    return made;
  });

  app.addHook('onSend', async (request, reply, payload) => {
    const position = contexts.get(request)?.position() ?? null;
    if (position !== null && !(await projected.waitFor(position, config.READ_YOUR_WRITES_MS))) {
      void reply.header('X-Read-Lag', 'true');
    }
    return payload;
  });
}
