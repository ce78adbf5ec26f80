/** Who may call a route; every route says it in `config.access`, and one that doesn't fails at start. */
export type Access =
  /** Anybody. */
  | { readonly kind: 'public' }
  /** Anybody with a signed-in account; no organization header. */
  | { readonly kind: 'account' }
  /** Anybody whose browser is signed in; others are led to the page that signs in. Forms of other sites are refused. */
  | { readonly kind: 'page' }
  /** A member, with at least this role, of the organization that the header names; for some calls on this plan. */
  | { readonly kind: 'member'; readonly role: Role; readonly plan?: 'pro' }
  /** The operator's token. */
  | { readonly kind: 'operator' }
  /** The token of a mailed link in the path; the handler looks it up. */
  | { readonly kind: 'link' };

export type Role = 'auditor' | 'editor' | 'owner';

export const access = {
  public: { kind: 'public' },
  account: { kind: 'account' },
  page: { kind: 'page' },
  /** Reads `/brand`. */
  read: { kind: 'member', role: 'auditor' },
  /** Changes `/brand`. */
  write: { kind: 'member', role: 'editor' },
  /** Changes what only the Pro plan has. */
  pro: { kind: 'member', role: 'editor', plan: 'pro' },
  owner: { kind: 'member', role: 'owner' },
  operator: { kind: 'operator' },
  link: { kind: 'link' },
} as const satisfies Record<string, Access>;

const RANK: Record<Role, number> = { auditor: 0, editor: 1, owner: 2 };

export const reaches = (role: Role, needed: Role): boolean => RANK[role] >= RANK[needed];
