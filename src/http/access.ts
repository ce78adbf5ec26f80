import { ROLES, type Role } from '../core/vocabulary.js';

/** Who may call a route; every route says it in `config.access`, and one that doesn't fails at start. */
export type Access =
  /** Anybody. */
  | { readonly kind: 'public' }
  /** Anybody with a signed-in account; no organization header. */
  | { readonly kind: 'account' }
  /** Anybody whose browser is signed in; others are led to the page that signs in. Forms of other sites are refused. */
  | { readonly kind: 'page' }
  /**
   * A member, with at least this role, of the organization that the header names, or the path where it says so; for some calls
   * on this plan. What the header names may also be called by an API key with the scope.
   */
  | {
      readonly kind: 'member';
      readonly role: Role;
      readonly named: { readonly in: 'header'; readonly scope: Scope } | { readonly in: 'path' };
      readonly plan?: 'pro';
    }
  /** The operator's token. */
  | { readonly kind: 'operator' }
  /** The token of a mailed link in the path; the handler looks it up. */
  | { readonly kind: 'link' };

/** What an API key may do; none includes another. */
export const SCOPES = ['read', 'write', 'import', 'webhooks'] as const;
export type Scope = (typeof SCOPES)[number];

const header = (scope: Scope) => ({ in: 'header', scope }) as const;

export const access = {
  public: { kind: 'public' },
  account: { kind: 'account' },
  page: { kind: 'page' },
  /** Reads `/brand`. */
  read: { kind: 'member', role: 'auditor', named: header('read') },
  /** Changes `/brand`. */
  write: { kind: 'member', role: 'editor', named: header('write') },
  /** Brings rows and files in. */
  import: { kind: 'member', role: 'editor', named: header('import') },
  /** Checks rows that are to be brought in; writes nothing. */
  validate: { kind: 'member', role: 'auditor', named: header('import') },
  /** Changes webhooks, which only the Pro plan has. */
  webhooks: { kind: 'member', role: 'editor', named: header('webhooks'), plan: 'pro' },
  /** Ends a webhook, on any plan. */
  endWebhook: { kind: 'member', role: 'editor', named: header('webhooks') },
  /** The organization of the path (`/organizations/:id...`); for people, not for API keys. */
  ofOrganization: (role: Role) => ({ kind: 'member', role, named: { in: 'path' } }) as const,
  operator: { kind: 'operator' },
  link: { kind: 'link' },
} as const satisfies Record<string, Access | ((role: Role) => Access)>;

export const reaches = (role: Role, needed: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(needed);
