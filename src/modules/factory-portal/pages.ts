import formbody from '@fastify/formbody';
import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { requestsOfFactory } from '../../../projections/batches/queries.js';
import type { Page } from '../../../projections/page.js';
import { brandsOfFactory } from '../../../projections/suppliers/queries.js';
import { Refusal } from '../../core/errors.js';
import { access } from '../../http/access.js';
import type { AppDependencies } from '../../http/dependencies.js';
import { takeUploads } from '../../http/file-upload.js';
import { askedLanguage, html, languageQuery, localeOf, sendPage } from '../../http/page.js';
import { line } from '../../http/schemas.js';
import {
  negotiateFormLocale,
  negotiateMailLocale,
  renderCataloguePage,
  renderSupplierHome,
} from '../../pages/index.js';
import type { CatalogueKind, CataloguePageView } from '../../pages/supplier/views.js';
import { askForLink, emailOfAccount } from '../accounts/index.js';
import { sectionsOf, takeEntry, type FormOutcome } from './catalogue-form.js';
import { MAX_FILE_BYTES } from './files.js';
import { catalogueOf } from './handlers.js';
import { factoryOfAccount } from '../suppliers/index.js';

const tags = ['Pages'];
const catalogueQuery = languageQuery.extend({
  done: z.enum(['saved', 'removed']).optional().catch(undefined),
  /** The entry whose form is to be shown; looking at it changes nothing. */
  edit: line(100).optional(),
});
const homeQuery = languageQuery.extend({ done: z.enum(['mailed']).optional().catch(undefined) });
const homeForm = z.discriminatedUnion('action', [
  z.object({ action: z.enum(['accept', 'decline']), supplierId: line(100) }),
  z.object({ action: z.literal('mail_proof') }),
]);

/** As many as a page shows. */
const SHOWN: Page = { limit: 200, cursor: null };

const PAGES: readonly { readonly path: CataloguePageView['path']; readonly kinds: readonly CatalogueKind[] }[] = [
  { path: '/supplier/catalogue', kinds: ['products', 'facilities', 'subSuppliers'] },
  { path: '/supplier/catalogue/certificates', kinds: ['certificates'] },
];

/** What a factory says to a brand that has a record of it. */
export interface AnswerToBrand {
  readonly supplierId: string;
  readonly factoryId: string;
  readonly action: 'accept' | 'decline';
}

/** The pages of a signed-in factory. */
export const factoryAccountPages =
  (
    deps: AppDependencies,
    answer: (request: FastifyRequest, said: AnswerToBrand) => Promise<unknown>,
  ): FastifyPluginAsyncZod =>
  async (app) => {
    const { database } = deps;
    await app.register(formbody, { bodyLimit: 16 * 1024 });
    const readForm = await takeUploads(app, {
      ...{ maxBytes: MAX_FILE_BYTES, part: 'certificates.file', fields: 200, fieldBytes: 10_000 },
    });

    app.route({
      method: 'GET',
      url: '/supplier',
      config: { access: access.page, page: true },
      schema: {
        summary: 'The page of a factory: requests, brands, and the way to its catalogue',
        tags,
        querystring: homeQuery,
        response: { 200: html },
      },
      handler: async (request, reply) => {
        const { accountId } = request.account;
        const { factoryId, isProven } = await factoryOfAccount(database, accountId);
        const [email, requests, brands] = await Promise.all([
          emailOfAccount(database, accountId),
          isProven ? requestsOfFactory(database, factoryId, SHOWN) : { data: [] },
          isProven ? brandsOfFactory(database, deps.eventStore.texts, factoryId, SHOWN) : { data: [] },
        ]);
        const view = {
          email: email ?? '',
          isProven,
          notice: request.query.done ?? null,
          formLocale: negotiateFormLocale(askedLanguage(request)),
          requests: requests.data.map((one) => ({ ...one, isPublished: one.batchState === 'published' })),
          brands: brands.data.map(({ id, brandName, sharing }) => ({ supplierId: id, brandName, sharing })),
        };
        const locale = localeOf(request);
        return sendPage(reply, renderSupplierHome(view, locale));
      },
    });

    app.route({
      method: 'POST',
      url: '/supplier',
      config: { access: access.page, page: true },
      schema: {
        summary: 'Share with a brand or work with it no more, or have the proof of the address mailed again',
        tags,
        querystring: languageQuery,
        body: homeForm,
        response: { 303: html },
      },
      handler: async (request, reply) => {
        const { accountId } = request.account;
        const locale = localeOf(request);
        if (request.body.action === 'mail_proof') {
          const email = await emailOfAccount(database, accountId);
          const linkKey = deps.config.LINK_KEY;
          if (email !== null) {
            const order = { kind: 'verification', email, locale: negotiateMailLocale(askedLanguage(request)) } as const;
            await askForLink({ database, linkKey }, order);
          }
          return reply.redirect(`/supplier?lang=${locale}&done=mailed`, 303);
        }
        const { factoryId, isProven } = await factoryOfAccount(database, accountId);
        const { supplierId, action } = request.body;
        if (!isProven) throw new Refusal('not_found', `There is no supplier "${supplierId}".`);
        await answer(request, { supplierId, factoryId, action });
        return reply.redirect(`/supplier?lang=${locale}`, 303);
      },
    });

    for (const { path, kinds } of PAGES) {
      const show = async (
        request: FastifyRequest & { readonly query: z.output<typeof catalogueQuery> },
        reply: FastifyReply,
        outcome: FormOutcome | null,
      ): Promise<FastifyReply> => {
        const { factoryId } = await factoryOfAccount(database, request.account.accountId);
        const catalogue = await catalogueOf({ ...deps, baseUrl: '' }, factoryId);
        const view: CataloguePageView = {
          path,
          sections: sectionsOf(catalogue, kinds, { outcome, editing: request.query.edit ?? null }),
          today: new Date(deps.clock()).toISOString().slice(0, 10),
          notice: outcome === null ? (request.query.done ?? null) : null,
        };
        return sendPage(reply, renderCataloguePage(view, localeOf(request)));
      };

      app.route({
        method: 'GET',
        url: path,
        config: { access: access.page, page: true },
        schema: {
          summary: `What the factory keeps: ${kinds.join(', ')}`,
          tags,
          querystring: catalogueQuery,
          response: { 200: html },
        },
        handler: (request, reply) => show(request, reply, null),
      });

      app.route({
        method: 'POST',
        url: path,
        config: { access: access.page, page: true },
        schema: {
          summary: 'Add, change or remove an entry, as the page sends it',
          tags,
          consumes: ['multipart/form-data'],
          querystring: catalogueQuery,
          response: { 303: html, 422: html },
        },
        handler: async (request, reply) => {
          const standing = await factoryOfAccount(database, request.account.accountId);
          const upload = await readForm(request);
          const outcome = await takeEntry({ ...deps, baseUrl: deps.config.BASE_URL }, request.command(), {
            ...standing,
            kinds,
            ...upload,
          });
          if (outcome.refused.length > 0) return show(request, reply.code(422), outcome);
          // With a place of its own, as the browser would go on to the one of the form.
          return reply.redirect(`${path}?lang=${localeOf(request)}&done=${outcome.done}#content`, 303);
        },
      });
    }
  };
