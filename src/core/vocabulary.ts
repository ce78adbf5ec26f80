/*
 * The closed lists of the interface. Each stands here once: schemas, columns' types, views and texts follow from it. A list that
 * only one module knows stands in that module.
 */

/** Of a member in its organization; each may do what those after it may. */
export const ROLES = ['owner', 'editor', 'auditor'] as const;
export type Role = (typeof ROLES)[number];

/** What an organization has booked; the first is where all begin. */
export const PLANS = ['free', 'pro'] as const;
export type Plan = (typeof PLANS)[number];

/** Where a batch stands. */
export const BATCH_STATUSES = ['draft', 'sent', 'submitted', 'published'] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];

/** Where a request to a factory stands. */
export const REQUEST_STATES = ['pending', 'emailed', 'opened', 'submitted', 'changes_requested', 'failed'] as const;
export type RequestState = (typeof REQUEST_STATES)[number];

/** What a supplier is in a batch. */
export const REQUEST_ROLES = ['factory', 'sub_supplier'] as const;
export type RequestRole = (typeof REQUEST_ROLES)[number];

/** The mails of a request: the first, the brand's own reminder, those after 7 and 14 days, and what is to be changed. */
export type RequestMail = 'request' | 'brand_reminder' | 'reminder_1' | 'reminder_2' | 'changes_requested';

/** Where the link between brand and factory stands. */
export const SUPPLIER_STATUSES = ['recorded', 'invited', 'confirmed', 'declined'] as const;
export type SupplierStatus = (typeof SUPPLIER_STATUSES)[number];

/** What a brand sees of a factory's catalogue: nothing before `granted`, which takes an act of the factory towards that brand. */
export const SHARING = ['asked', 'granted', 'declined'] as const;
export type Sharing = (typeof SHARING)[number];

/** Where a supplier stands that a factory has named. */
export const PROPOSAL_STATES = ['proposed', 'accepted', 'declined'] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];

/** Where the delivery of a webhook stands. */
export const DELIVERY_STATES = ['pending', 'retrying', 'delivered', 'failed', 'cancelled'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** What an import counts: rows by their outcome, and passports that are new or published again. */
export const IMPORT_COUNTERS = ['create', 'update', 'unchanged', 'skipped', 'errors', 'passports'] as const;
export type ImportCounts = Readonly<Record<(typeof IMPORT_COUNTERS)[number], number>>;
