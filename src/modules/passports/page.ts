import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../core/errors.js';
import { preferredType } from '../../http/accept.js';
import { access } from '../../http/access.js';
import type { AppDependencies } from '../../http/dependencies.js';
import { asPage, localeOf, sendPage, sendUnlessKept } from '../../http/page.js';
import { consumerJsonLd, renderConsumerNotFound, renderConsumerPage } from '../../pages/index.js';
import type { ConsumerPageView } from '../../pages/views.js';
import { latestVersion, type PublishedPassport } from './decider.js';
import type { PassportVersion } from './events.js';
import { passportAtAddress } from './handlers.js';
import { addressParams, pageQuery, rawAnswer, type PageQuery } from './schemas.js';

/** A re-publication shows within a minute, also behind a cache. */
const CACHE_CONTROL = 'public, max-age=60';

const HTML = 'text/html';
const MACHINE_TYPES = ['application/ld+json', 'application/json'] as const;

/** The public page of a passport, at its own address and at its GS1 Digital Link. */
export const passportPages =
  (deps: AppDependencies): FastifyPluginAsyncZod =>
  async (app) => {
    for (const [url, operationId] of [
      ['/p/:gtin/:serial', 'getPublicPassport'],
      ['/01/:gtin/21/:serial', 'getPassportByDigitalLink'],
    ] as const) {
      app.route({
        method: 'GET',
        url,
        config: { access: access.public, page: true, showsSecret: false },
        schema: {
          operationId,
          summary: 'The public page of a passport, or the same facts as JSON-LD (by `Accept`)',
          tags: ['Passports'],
          params: addressParams,
          querystring: pageQuery,
          produces: ['application/ld+json', 'text/html'],
          response: { 200: rawAnswer('The facts as JSON-LD, or the page') },
          refuses: ['not_acceptable'],
        },
        handler: (request, reply) => answerPage(deps, request, reply),
      });
    }
  };

type PageRequest = FastifyRequest<{
  Params: { gtin: string; serial: string };
  Querystring: PageQuery;
}>;

async function answerPage(deps: AppDependencies, request: PageRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { params, query, headers } = request;
  const type = preferredType(headers.accept, [HTML, ...MACHINE_TYPES]);
  if (type === null)
    throw new Refusal('not_acceptable', `This address answers ${[HTML, ...MACHINE_TYPES].join(', ')}.`);
  void reply.header('Vary', 'Accept, Accept-Language');
  const locale = localeOf(request);
  const path = request.url.split('?', 1)[0] ?? '';

  const found = await lookUp(deps, params, query);
  if (found.missing !== null) {
    if (type !== HTML) throw found.refusal;
    return sendPage(reply.code(404), renderConsumerNotFound({ what: found.missing, path }, locale));
  }
  const view = viewOf(found.passport, found.version, { path, now: deps.clock() });
  const body = type === HTML ? renderConsumerPage(view, locale) : JSON.stringify(consumerJsonLd(view));
  void reply.header('Cache-Control', CACHE_CONTROL);
  return sendUnlessKept(request, type === HTML ? asPage(reply) : reply.type(`${type}; charset=utf-8`), body);
}

type Found =
  | { readonly missing: null; readonly passport: PublishedPassport; readonly version: PassportVersion }
  | { readonly missing: 'passport' | 'version'; readonly refusal: Refusal };

async function lookUp(deps: AppDependencies, params: PageRequest['params'], query: PageQuery): Promise<Found> {
  try {
    const passport = await passportAtAddress(deps, params);
    const version = versionFor(passport, query);
    if (version !== undefined) return { missing: null, passport, version };
    return { missing: 'version', refusal: new Refusal('not_found', 'The passport has no such version.') };
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found') return { missing: 'passport', refusal: error };
    throw error;
  }
}

/** The version that `?v=` names, or the one that was shown `?at=` that moment, or the latest. */
function versionFor(passport: PublishedPassport, { v, at }: PageQuery): PassportVersion | undefined {
  if (v !== undefined) return passport.versions.find(({ version }) => String(version) === v);
  if (at === undefined) return latestVersion(passport);
  const moment = Date.parse(/[zZ]$|[+-]\d\d:?\d\d$|^\d{4}-\d{2}-\d{2}$/.test(at) ? at : `${at}Z`);
  return passport.versions.findLast(({ publishedAt }) => publishedAt <= moment);
}

const viewOf = (
  { identity, versions }: PublishedPassport,
  { content, ...version }: PassportVersion,
  { path, now }: { readonly path: string; readonly now: number },
): ConsumerPageView => ({
  dppId: identity.dppId,
  gtin: identity.gtin,
  gtinGenerated: identity.gtinGenerated,
  serial: identity.serial,
  qrUrl: identity.qrUrl,
  preliminary: identity.preliminary,
  version,
  content,
  versions: versions.map(({ content: _, ...one }) => one),
  asOfDay: new Date(now).toISOString().slice(0, 10),
  path,
});
