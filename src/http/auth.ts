import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { keyHolder, openSession } from '../../projections/organizations/queries.js';
import { assertNever } from '../core/assert-never.js';
import { notFound, Refusal } from '../core/errors.js';
import type { Plan } from '../core/vocabulary.js';
import { apiKeyHash, looksLikeApiKey, noteUse } from '../infrastructure/api-keys.js';
import { createSessionTokens, type SessionClaims } from '../infrastructure/session-tokens.js';
import { sharedReads } from '../infrastructure/shared-reads.js';
import { preferredType } from './accept.js';
import { limitApiKeys } from './api-key-limit.js';
import { reaches, type Access } from './access.js';
import { refuseOtherSites, sessionCookie } from './browser-session.js';
import type { AppDependencies } from './dependencies.js';
import type { Account, Member } from './request.js';

type MemberAccess = Extract<Access, { kind: 'member' }>;

const UNAUTHENTICATED = 'Send a valid token as "Authorization: Bearer <token>"; tokens expire after 7 days.';

const digest = (text: string) => createHash('sha256').update(text).digest();

const bearerOf = (request: FastifyRequest): string => {
  const [scheme, token, more] = (request.headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() !== 'bearer' || !token || more !== undefined) {
    throw new Refusal('unauthenticated', UNAUTHENTICATED);
  }
  return token;
};

/**
 * Decides who calls before anything of the body is read, in the interface's order: 401, then 400 for the missing header, then 403.
 */
export function authenticate(
  app: FastifyInstance,
  { config, database, clock }: Pick<AppDependencies, 'config' | 'database' | 'clock'>,
): void {
  const tokens = createSessionTokens(config, clock);
  const adminToken = digest(config.ADMIN_TOKEN);
  const members = new WeakMap<FastifyRequest, Member>();
  const accounts = new WeakMap<FastifyRequest, Account>();
  /** Callers who do not belong to the organization that the path names. */
  const strangers = new WeakMap<FastifyRequest, string>();

  app.decorateRequest('member', {
    getter() {
      return known(members.get(this), 'member');
    },
  });
  app.decorateRequest('account', {
    getter() {
      return known(accounts.get(this), 'account');
    },
  });

  app.decorateRequest('isStranger', {
    getter() {
      return strangers.has(this);
    },
  });

  const claimsOf = async (request: FastifyRequest): Promise<SessionClaims> => {
    const claims = await tokens.verify(bearerOf(request));
    if (claims === null) throw new Refusal('unauthenticated', UNAUTHENTICATED);
    return claims;
  };

  // The calls that one client has in flight ask the same of the database. What they are told is never older than they are.
  const readSession = sharedReads((place: string) => {
    const [sessionId, accountId, organizationId] = JSON.parse(place) as [string, string, string | null];
    return openSession(database, { sessionId, accountId }, organizationId);
  });
  const sessionOf = ({ sessionId, accountId }: SessionClaims, organizationId: string | null) =>
    readSession(JSON.stringify([sessionId, accountId, organizationId]));
  const holderOf = sharedReads(async (key: string) => {
    const holder = await keyHolder(database, apiKeyHash(key));
    if (holder?.isUseDue === true) await noteUse(database, holder.id);
    return holder;
  });
  const countCallOfKey = limitApiKeys({ config, database });

  const asAccount = async (request: FastifyRequest) => {
    const claims = await claimsOf(request);
    if ((await sessionOf(claims, null)) === null) throw new Refusal('unauthenticated', UNAUTHENTICATED);
    accounts.set(request, claims);
  };

  const asVisitor = async (request: FastifyRequest, reply: FastifyReply) => {
    refuseOtherSites(request, config);
    const token = sessionCookie.read(request, config);
    const claims = token === null ? null : await tokens.verify(token);
    if (claims === null || (await sessionOf(claims, null)) === null) {
      return reply.redirect(`/sign-in?next=${encodeURIComponent(request.url)}`, 303);
    }
    accounts.set(request, claims);
  };

  const asKey = async (request: FastifyRequest, reply: FastifyReply, { named, plan }: MemberAccess) => {
    // For the organization's own data only: a machine cannot act for a person.
    const found = named.in === 'header' ? await holderOf(bearerOf(request)) : null;
    if (found === null || named.in !== 'header') throw new Refusal('unauthenticated', UNAUTHENTICATED);
    const { id, organizationId, scopes } = found;
    await countCallOfKey(id, reply);
    const asked = organizationOf(request, named);
    if (asked === null) throw headerMissing();
    if (asked !== organizationId) throw notAMember();
    if (!scopes.includes(named.scope)) {
      throw new Refusal('scope_required', `The call needs an API key with the scope "${named.scope}".`);
    }
    refusePlan(plan, found.plan);
    members.set(request, {
      accountId: null,
      organizationId,
      role: 'editor',
      plan: found.plan,
      actor: { type: 'api_key', id },
    });
  };

  const asMember = async (request: FastifyRequest, { role: needed, named, plan }: MemberAccess) => {
    const claims = await claimsOf(request);
    const organizationId = organizationOf(request, named);
    const found = await sessionOf(claims, organizationId);
    if (found === null) throw new Refusal('unauthenticated', UNAUTHENTICATED);
    if (organizationId === null) throw headerMissing();
    accounts.set(request, claims);
    if (found.membership === null && named.in === 'path') {
      strangers.set(request, organizationId);
      return;
    }
    if (found.membership === null) throw notAMember();
    if (!reaches(found.membership.role, needed)) {
      throw new Refusal('role_required', `The call needs the role "${needed}"; yours is "${found.membership.role}".`);
    }
    refusePlan(plan, found.membership.plan);
    const { accountId } = claims;
    members.set(request, {
      accountId,
      organizationId,
      ...found.membership,
      actor: { type: 'user', id: accountId },
    });
  };

  const asOperator = async (request: FastifyRequest) => {
    // Digests have one length, so the comparison takes the same time whatever was sent.
    if (timingSafeEqual(digest(bearerOf(request)), adminToken)) return;
    await asAccount(request);
    throw new Refusal('operator_required', "The call needs the operator's token.");
  };

  app.addHook('onRequest', async (request, reply) => {
    // A route that does not exist has nothing to protect; preflights carry no credentials.
    if (request.is404 || request.method === 'OPTIONS') return;
    const access = request.routeOptions.config.access;
    if (access === undefined) throw new Error(`${request.routeOptions.url} does not say who may call it`);
    switch (access.kind) {
      case 'public':
      case 'link':
        return;
      case 'account':
        return isBrowser(request) ? asVisitor(request, reply) : asAccount(request);
      case 'page':
        return asVisitor(request, reply);
      case 'member':
        return looksLikeApiKey(bearerOf(request)) ? asKey(request, reply, access) : asMember(request, access);
      case 'operator':
        return asOperator(request);
      default:
        return assertNever(access);
    }
  });

  // An id in a path is looked up after the fields are checked, and what is somebody else's is not there.
  app.addHook('preHandler', async (request) => {
    const organizationId = strangers.get(request);
    if (organizationId !== undefined) throw notFound('organization', organizationId);
  });
}

const headerMissing = () =>
  new Refusal('organization_header_missing', 'Send the organization\'s id in the header "X-Organization-Id".');

const notAMember = () =>
  new Refusal('not_a_member', 'You are not a member of the organization that "X-Organization-Id" names.');

function refusePlan(needed: MemberAccess['plan'], plan: Plan): void {
  if (needed === 'pro' && plan !== 'pro') {
    throw new Refusal('plan_required', 'The call needs the Pro plan; the organization is on the free plan.');
  }
}

function organizationOf(request: FastifyRequest, named: MemberAccess['named']): string | null {
  // The database takes no NUL, and nobody's id has one.
  if (named.in === 'path') return (request.params as { id: string }).id.replaceAll('\0', '');
  const id = request.headers['x-organization-id'];
  return typeof id === 'string' && id !== '' ? id.replaceAll('\0', '') : null;
}

/** Where a page and its data have one address: whoever wants the page, and sends no token. */
const isBrowser = ({ headers, routeOptions }: FastifyRequest): boolean =>
  routeOptions.config.page === true &&
  headers.authorization === undefined &&
  preferredType(headers.accept, ['application/json', 'text/html']) === 'text/html';

function known<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`the route's access gives it no ${what}`);
  return value;
}
