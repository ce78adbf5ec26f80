import type { RouteOptions } from 'fastify';
import { z } from 'zod';
import { REFUSALS, type RefusalCode } from '../../core/errors.js';
import type { Access } from '../access.js';
import { STATUS } from '../problem.js';

declare module 'fastify' {
  interface FastifySchema {
    /** What the route's own rules refuse; what its access, its body and its place between servers refuse is added. */
    refuses?: readonly RefusalCode[];
  }
}

/** RFC 9457. Registered by its name, which the answers below refer to; nothing is checked by it. */
z.object({
  type: z.string(),
  title: z.string(),
  status: z.int().min(400).max(599),
  detail: z.string().describe('For people'),
  code: z.enum(Object.keys(REFUSALS) as RefusalCode[]).meta({
    id: 'ProblemCode',
    description: 'Stable: what to branch on. Codes may be added.',
  }),
  requestId: z.string().describe('Finds the call in the log of the service'),
  errors: z
    .array(z.object({ path: z.string(), code: z.string(), message: z.string() }))
    .optional()
    .describe('Each field that broke a rule; `path` is dotted'),
  retryAfterS: z.int().min(1).optional().describe('With 429: how many seconds to wait, as `Retry-After`'),
  state: z.string().optional().describe('With 409: the state that the record is in'),
  allowed: z.array(z.string()).optional().describe('With 409: what is possible in this state'),
  importId: z.string().optional().describe('With `import_differs`: the import that was started'),
}).meta({ id: 'Problem', description: 'Why a call was refused' });

type Said = Pick<RouteOptions, 'method' | 'url' | 'config' | 'schema'>;

/** The one table of what a route may be refused with, by what it declares. */
const IMPLIED: readonly { readonly if: (route: Said) => boolean; readonly codes: readonly RefusalCode[] }[] = [
  { if: () => true, codes: ['internal', 'database_unavailable', 'event_store_unavailable'] },
  { if: ({ config }) => isClosed(config?.access), codes: ['unauthenticated'] },
  {
    if: ({ config }) => inHeader(config?.access),
    codes: ['organization_header_missing', 'scope_required', 'rate_limited'],
  },
  { if: ({ config }) => config?.access?.kind === 'member', codes: ['not_a_member'] },
  {
    if: ({ config }) => config?.access?.kind === 'member' && config.access.role !== 'auditor',
    codes: ['role_required'],
  },
  { if: ({ config }) => config?.access?.kind === 'member' && config.access.plan === 'pro', codes: ['plan_required'] },
  { if: ({ config }) => config?.access?.kind === 'operator', codes: ['operator_required'] },
  { if: ({ config, method }) => isClosed(config?.access) && method !== 'GET', codes: ['concurrent_change'] },
  { if: ({ schema }) => schema?.params !== undefined, codes: ['malformed_request', 'not_found'] },
  { if: ({ schema }) => schema?.querystring !== undefined, codes: ['invalid_input'] },
  {
    // Whatever is sent is read, also by a call that needs no body.
    if: ({ method }) => method !== 'GET',
    codes: ['malformed_json', 'malformed_request', 'payload_too_large', 'unsupported_media_type'],
  },
  { if: ({ schema }) => schema?.body !== undefined, codes: ['invalid_input'] },
  {
    if: ({ config }) => config?.creates !== undefined,
    codes: ['malformed_request', 'idempotency_key_in_use', 'idempotency_key_reused'],
  },
];

const isClosed = (access: Access | undefined): boolean =>
  access !== undefined && access.kind !== 'public' && access.kind !== 'link';

const inHeader = (access: Access | undefined): boolean => access?.kind === 'member' && access.named.in === 'header';

/** Every code that the route may answer, in the order of the table of statuses. */
export function refusalsOf(route: Said): readonly RefusalCode[] {
  const said = new Set([
    ...IMPLIED.filter((one) => one.if(route)).flatMap(({ codes }) => codes),
    ...(route.schema?.refuses ?? []),
  ]);
  return (Object.keys(STATUS) as RefusalCode[]).filter((code) => said.has(code));
}

const HEADERS: Readonly<Record<number, object>> = {
  401: { 'WWW-Authenticate': { description: 'Always `Bearer`', schema: { type: 'string' } } },
  429: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } },
  503: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } },
};

/** An answer that refuses, named by its codes: operations with the same codes share it. */
interface ProblemAnswer {
  readonly status: number;
  readonly name: string;
  readonly answer: object;
}

/** Codes by status, as the answers of an operation. */
export const problemAnswers = (codes: readonly RefusalCode[]): readonly ProblemAnswer[] =>
  [...Map.groupBy(codes, (code) => STATUS[code])].map(([status, some]) => ({
    status,
    name: some.join('.'),
    answer: {
      description: some.map((code) => `\`${code}\`: ${REFUSALS[code]}`).join('\n\n'),
      ...(HEADERS[status] === undefined ? {} : { headers: HEADERS[status] }),
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  }));
