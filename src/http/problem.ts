import { REFUSALS, Refusal, type FieldError, type RefusalCode } from '../core/errors.js';
import { isDatabaseUnavailable } from '../infrastructure/postgres/unavailable.js';

/** RFC 9457, with the members of this interface. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: RefusalCode;
  readonly requestId: string;
  readonly errors?: readonly FieldError[];
  readonly [extra: string]: unknown;
}

/** The only place where a refusal meets its status. */
export const STATUS: Readonly<Record<RefusalCode, number>> = {
  malformed_json: 400,
  malformed_request: 400,
  organization_header_missing: 400,
  unauthenticated: 401,
  bad_credentials: 401,
  link_invalid: 401,
  idp_rejected: 401,
  email_not_verified: 403,
  not_a_member: 403,
  role_required: 403,
  scope_required: 403,
  operator_required: 403,
  origin_refused: 403,
  plan_required: 403,
  plan_limit: 403,
  not_found: 404,
  idp_not_configured: 404,
  route_not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  email_taken: 409,
  already_member: 409,
  last_owner: 409,
  account_in_use: 409,
  member_limit: 409,
  api_key_limit: 409,
  sku_taken: 409,
  gtin_taken: 409,
  external_id_taken: 409,
  product_has_published_dpps: 409,
  product_deleted: 409,
  composition_required: 409,
  no_composition: 409,
  batch_not_draft: 409,
  batch_not_sent: 409,
  batch_not_submitted: 409,
  batch_published: 409,
  request_already_submitted: 409,
  supplier_declined: 409,
  certificate_exists: 409,
  catalogue_full: 409,
  catalogue_used_up: 409,
  file_quota: 409,
  proposal_decided: 409,
  proposal_void: 409,
  proposal_limit: 409,
  material_suppliers_limit: 409,
  webhook_limit: 409,
  webhook_paused: 409,
  webhook_deleted: 409,
  delivery_under_way: 409,
  import_differs: 409,
  import_over: 409,
  idempotency_key_in_use: 409,
  concurrent_change: 409,
  link_withdrawn: 410,
  request_declined: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  factory_not_tier_1: 422,
  address_refused: 422,
  invalid_input: 422,
  file_unreadable: 422,
  name_unmapped: 422,
  idempotency_key_reused: 422,
  mail_limit: 429,
  rate_limited: 429,
  internal: 500,
  idp_unavailable: 503,
  workflow_unavailable: 503,
  event_store_unavailable: 503,
  database_unavailable: 503,
};

/** Fastify's own errors, as refusals. */
const FASTIFY_ERRORS: Readonly<Record<string, RefusalCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_json',
  FST_ERR_BAD_URL: 'malformed_request',
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: 'malformed_request',
};

/** Errors of the servers behind the service; known by name, as each is thrown by the adapter that talks to one of them. */
const UNAVAILABLE: Readonly<Record<string, RefusalCode>> = {
  AppendOutcomeUnknown: 'event_store_unavailable',
  EventStoreUnavailable: 'event_store_unavailable',
  WorkflowUnavailable: 'workflow_unavailable',
};

/** What an error says to the caller; anything unforeseen is `internal` and says nothing of itself. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (!(error instanceof Error)) return new Refusal('internal', REFUSALS.internal);
  const code = UNAVAILABLE[error.name] ?? FASTIFY_ERRORS[(error as { code?: string }).code ?? ''];
  if (code !== undefined) return new Refusal(code, REFUSALS[code]);
  if (isDatabaseUnavailable(error)) return new Refusal('database_unavailable', REFUSALS.database_unavailable);
  return new Refusal('internal', REFUSALS.internal);
}

export function toProblem(refusal: Refusal, requestId: string): Problem {
  return {
    type: 'about:blank',
    title: REFUSALS[refusal.code],
    status: STATUS[refusal.code],
    detail: refusal.message,
    code: refusal.code,
    requestId,
    ...(refusal.errors.length === 0 ? {} : { errors: refusal.errors }),
    ...refusal.extra,
  };
}
