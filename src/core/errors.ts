/** One field that broke a rule; `path` is dotted (`materials.0.percentage`). */
export interface FieldError {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/**
 * A command or a request that is refused. `code` is stable and part of the interface (its HTTP status stands in
 * `src/http/problem.ts`); `detail` is written for the caller and names the field or the id that was sent.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  readonly errors: readonly FieldError[];
  /** Members added to the problem, such as `state` and `allowed`. */
  readonly extra: Readonly<Record<string, string | number | readonly string[]>>;

  constructor(
    code: RefusalCode,
    detail: string,
    more: { errors?: readonly FieldError[]; extra?: Refusal['extra'] } = {},
  ) {
    super(detail);
    this.code = code;
    this.errors = more.errors ?? [];
    this.extra = more.extra ?? {};
  }
}

/** Every refusal that the service knows; `docs/errors.md` is generated from this table. */
export const REFUSALS = {
  malformed_json: 'The body is not JSON.',
  malformed_request: 'The request cannot be understood: a path, a header or a query that is not well formed.',
  organization_header_missing: 'A `/brand` call came without the `X-Organization-Id` header.',
  unauthenticated: 'The bearer token is missing, forged, expired or ended.',
  bad_credentials: 'Address or password is wrong.',
  link_invalid: 'A mailed link that is unknown, used or too old.',
  idp_rejected: 'The identity provider refused the code, or its ID token does not hold.',
  email_not_verified: 'The identity provider has not verified the email address.',
  idp_not_configured: 'The service has no identity provider.',
  idp_unavailable:
    'The identity provider is down, silent, or does not answer as it should; other ways to sign in work.',
  not_a_member: 'The caller does not belong to the organization that the header, or the path of a faulty call, names.',
  role_required: "The caller's role does not allow the call.",
  scope_required: 'The API key does not have the scope that the call needs.',
  operator_required: "The call needs the operator's token.",
  origin_refused: 'A form that signs in or changes something was sent from another site.',
  plan_required: 'The call needs the Pro plan.',
  plan_limit: 'The free plan does not reach that far.',
  not_found: 'Unknown id, or an id of another organization.',
  route_not_found: 'No such route.',
  method_not_allowed: 'The path exists, the method does not.',
  email_taken: 'An account with this address exists.',
  already_member: 'The address belongs to a member with another role; change the role instead.',
  last_owner: 'An organization keeps at least one owner.',
  account_in_use: 'The account works with other organizations too; only its holder can end it.',
  member_limit: 'An organization has at most 200 members and invitations.',
  api_key_limit: 'An organization has at most 50 API keys.',
  sku_taken: 'Another product of the organization has this SKU.',
  gtin_taken: 'Another product of the organization has this GTIN.',
  external_id_taken: 'Another product of the organization has this external id.',
  product_has_published_dpps: 'A product with published passports cannot be deleted.',
  product_deleted: 'The product has been deleted.',
  composition_required: 'A product with published passports needs a composition.',
  no_composition: 'A passport needs a product with a composition.',
  batch_not_draft: 'The call needs a batch in another state.',
  batch_not_sent: 'The call needs a batch whose request is out.',
  batch_not_submitted: 'The call needs a batch whose data has been submitted.',
  batch_published: 'The batch is published and takes no more data.',
  request_already_submitted: 'The factory has answered this request.',
  supplier_declined: 'The supplier has declined to work with the organization.',
  certificate_exists: 'The factory has another certificate of this type and number.',
  catalogue_full: 'A catalogue holds at most 1,000 entries of a kind.',
  catalogue_used_up: 'A catalogue takes at most 5,000 entries of a kind, those included that have been removed.',
  file_quota: "The copies of a factory's certificates take at most 200 MiB, 10 MiB while its address is not proven.",
  proposal_decided: 'The proposal has been accepted or declined.',
  proposal_void: 'The product, the material or the address of the proposal is gone.',
  proposal_limit: 'A request takes at most 20 proposals.',
  material_suppliers_limit: 'A material comes from at most 50 suppliers.',
  webhook_limit: 'An organization has at most 20 webhooks.',
  webhook_paused: 'The call needs a webhook that is active.',
  webhook_deleted: 'The webhook of the delivery has been deleted.',
  delivery_under_way: 'Attempts of the delivery are still to come.',
  import_differs: 'The file is being imported, or was, with another mode or mapping.',
  import_over: 'The import has ended and cannot be cancelled.',
  address_refused: 'A webhook cannot be sent to this address.',
  factory_not_tier_1: 'A batch is made by a supplier of tier 1.',
  invalid_input: 'Fields that break a rule; `errors` names each.',
  file_unreadable: 'The file cannot be read as a spreadsheet.',
  name_unmapped: 'No column of the file is mapped to `name`.',
  idempotency_key_reused: 'The Idempotency-Key was used with another body.',
  idempotency_key_in_use: 'The first call with this Idempotency-Key is still running.',
  concurrent_change: 'Somebody else changed the same thing at the same moment; send the call again.',
  link_withdrawn: 'The link is no longer good: the request was withdrawn.',
  request_declined:
    'The factory has declined to work with the brand that asks; invited again, it finds the request as it left it.',
  payload_too_large: 'The body is larger than allowed.',
  unsupported_media_type: 'The content type is not one that the route takes.',
  not_acceptable: 'None of the types in Accept can be answered.',
  mail_limit:
    'As many mails as one recipient, or all together, may be sent in a day; more once the address of an owner is proven. `Retry-After` says when.',
  rate_limited: 'Too many calls; `Retry-After` says when to come back.',
  workflow_unavailable: 'The workflow server cannot be reached; the same call later completes it.',
  event_store_unavailable: 'The event store cannot be reached; the outcome of the call is unknown, send it again.',
  database_unavailable: 'The database cannot be reached.',
  internal: 'A fault of ours; `requestId` finds it in the log.',
} as const;

export type RefusalCode = keyof typeof REFUSALS;

/** A refusal for one field. */
export const invalid = (path: string, message: string, code: RefusalCode = 'invalid_input'): Refusal =>
  new Refusal(code, message, { errors: [{ path, code, message }] });

/** Come back in so many seconds. */
export const rateLimited = (detail: string, retryAfterS: number): Refusal =>
  new Refusal('rate_limited', detail, { extra: { retryAfterS } });

/** Unknown ids and ids of another organization answer alike; with `path` for an id inside a body. */
export const notFound = (what: string, id: string, path?: string): Refusal =>
  new Refusal(
    'not_found',
    `There is no ${what} "${id}".`,
    path === undefined ? {} : { errors: [{ path, code: 'not_found', message: `There is no ${what} "${id}".` }] },
  );
