import type { CommandContext } from '../core/context.js';
import type { Actor } from '../core/events.js';
import type { Plan, Role } from '../core/vocabulary.js';
import type { Access } from './access.js';

/** The caller of a route that is an organization's: a person, or an API key. */
export interface Member {
  /** Null for an API key. */
  readonly accountId: string | null;
  readonly actor: Actor;
  readonly organizationId: string;
  /** An API key counts as an editor; its scopes say what of that it may do. */
  readonly role: Role;
  readonly plan: Plan;
}

/** The caller of a route with a bearer token. */
export interface Account {
  readonly accountId: string;
  readonly sessionId: string;
}

/** What a handler says about its command when the caller's access does not say it. */
export interface CommandOverrides {
  readonly actor?: Actor;
  readonly organizationId?: string;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /**
     * The call makes a record, so it takes an `Idempotency-Key`. `again`: its answer holds a secret and is not kept; the same
     * key runs the handler again, with the same seed.
     */
    creates?: true | 'again';
    /** The route answers a page to those who ask for HTML, and so do its errors. */
    page?: boolean;
  }
  interface FastifyRequest {
    /** The caller of a member route; reading it on another route is a fault. */
    get member(): Member;
    /** The signed-in caller; reading it on a public route is a fault. */
    get account(): Account;
    /** The caller does not belong to the organization that the path names. */
    get isStranger(): boolean;
    /** The seed that belongs to the request's idempotency key. */
    keySeed: string | null;
    /** The context of this call's command: one for each request, so that ids are made once. */
    command(overrides?: CommandOverrides): CommandContext;
  }
}
