import formbody from '@fastify/formbody';
import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { CommandContext } from '../../core/context.js';
import { Refusal } from '../../core/errors.js';
import { access } from '../../http/access.js';
import type { AppDependencies } from '../../http/dependencies.js';
import { askedLanguage, html, languageQuery, sendPage } from '../../http/page.js';
import { STATUS } from '../../http/problem.js';
import {
  decimalSeparator,
  negotiateFormLocale,
  parseFactoryForm,
  renderFactoryForm,
  renderFactoryLinkGone,
  type FormLocale,
} from '../../pages/index.js';
import type { FactoryFormView, FormError } from '../../pages/views.js';
import { formError } from './form-error.js';
import {
  followLink,
  saveDraft,
  submitAnswer,
  viewRequest,
  type LinkedRequest,
  type ViewedRequest,
} from './requests.js';
import { atTheForm, readProposal, typedProposal } from './proposal-form.js';
import { propose } from '../proposals/index.js';
import { noteLanguage } from '../suppliers/index.js';
import { draftBody, productionData, productionDataBody, tokenParams } from './request-schemas.js';

/** Names are the JSON paths; the form's own schema looks at the values, so that a refused form is shown again. */
export const formBody = z.record(z.string().max(100), z.union([z.string(), z.array(z.string())]));

type FormBody = z.output<typeof formBody>;
type PageRequest = Pick<FastifyRequest, 'headers' | 'query'>;

/** What a call before the page has led to. */
type Outcome = Pick<FactoryFormView, 'typed' | 'errors' | 'notice'>;

const FORM_ACTIONS = ['draft', 'submit', 'propose'] as const;

const NOTHING_YET: Outcome = { typed: null, errors: [], notice: null };

/** The form behind a mailed link, for factories without an account. Looking changes nothing but `opened`. */
export const factoryPages =
  (deps: AppDependencies): FastifyPluginAsyncZod =>
  async (app) => {
    await app.register(formbody, { bodyLimit: 1024 * 1024 });

    app.route({
      method: 'GET',
      url: '/f/:token',
      config: { access: access.link, page: true },
      schema: {
        summary: 'The form behind a mailed link',
        tags: ['Pages'],
        params: tokenParams,
        querystring: languageQuery,
        response: { 200: html },
      },
      handler: (request, reply) => showRequest(deps, request, reply, mailed(deps, request)),
    });

    app.route({
      method: 'POST',
      url: '/f/:token',
      config: { access: access.link, page: true },
      schema: {
        summary: 'Keep or submit what was typed',
        tags: ['Pages'],
        params: tokenParams,
        querystring: languageQuery,
        body: formBody,
        response: { 200: html },
      },
      handler: (request, reply) => takeForm(deps, request, reply, mailed(deps, request)),
    });
  };

/** How somebody comes to a request: by its mailed link, or by the account of its factory. */
export interface Door {
  /** The path of the page: where its form is sent. */
  readonly action: string;
  readonly link: () => Promise<LinkedRequest>;
  readonly context: (link: LinkedRequest) => CommandContext;
}

const mailed = (deps: AppDependencies, request: FastifyRequest<{ Params: { token: string } }>): Door => ({
  action: `/f/${request.params.token}`,
  link: () => followLink(deps, request.params.token),
  context: ({ organizationId, requestId }) =>
    request.command({ organizationId, actor: { type: 'factory_link', id: requestId } }),
});

export const showRequest = (
  deps: AppDependencies,
  request: PageRequest,
  reply: FastifyReply,
  door: Door,
): Promise<FastifyReply> =>
  onPage(request, reply, door, async (link) => ({
    view: await viewRequest(deps, door.context(link), link),
    outcome: NOTHING_YET,
    status: 200,
  }));

export const takeForm = (
  deps: AppDependencies,
  request: PageRequest & { readonly body: FormBody },
  reply: FastifyReply,
  door: Door,
): Promise<FastifyReply> =>
  onPage(request, reply, door, async (link, locale) => {
    // What was typed, not looked at: a scanner of mails opens every link of a page, those to its other languages too.
    if (link.factoryId !== null) await noteLanguage(deps.database, link.factoryId, locale);
    return take(deps, door.context(link), link, { body: request.body, locale });
  });

interface Shown {
  readonly view: ViewedRequest;
  readonly outcome: Outcome;
  readonly status: number;
}

async function take(
  deps: AppDependencies,
  context: CommandContext,
  link: LinkedRequest,
  { body, locale }: { readonly body: FormBody; readonly locale: FormLocale },
): Promise<Shown> {
  const fields = Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key, typeof value === 'string' ? value : (value.at(-1) ?? '')]),
  );
  const figures = parseFactoryForm(fields, decimalSeparator(locale));
  const named = typedProposal(fields);
  const typed = named === null ? figures : { ...figures, proposal: named };
  const action = FORM_ACTIONS.find((one) => one === fields['action']) ?? 'submit';
  const shown = async (outcome: Outcome, status = 200): Promise<Shown> => ({
    ...{ view: await viewRequest(deps, context, link), outcome, status },
  });
  const refused = (errors: readonly FormError[]) => shown({ typed, errors, notice: null }, 422);

  // A supplier that was typed goes out with the submission too: nothing that was typed is lost.
  const proposal = action === 'propose' || (action === 'submit' && named !== null) ? readProposal(named ?? {}) : null;
  const parsed = action === 'propose' ? null : (action === 'draft' ? draftBody : productionDataBody).safeParse(figures);
  const errors = [
    ...(parsed?.error?.issues.map(formError) ?? []),
    ...(proposal !== null && 'errors' in proposal ? proposal.errors : []),
  ];
  if (errors.length > 0) return refused(errors);

  try {
    if (proposal !== null && 'body' in proposal) await propose(deps, context, link, proposal.body);
    if (parsed?.data === undefined) return await shown({ typed: figures, errors: [], notice: 'proposed' });
    const data = productionData(parsed.data);
    if (action === 'draft') {
      const view = await saveDraft(deps, link, data);
      // The supplier is no part of the draft, but it stays in the form.
      return {
        view,
        outcome: { typed: named === null ? null : typed, errors: [], notice: 'draft_saved' },
        status: 200,
      };
    }
    const view = await submitAnswer(deps, context, link, { data, key: null });
    return { view, outcome: { typed: null, errors: [], notice: 'submitted' }, status: 200 };
  } catch (error) {
    if (error instanceof Refusal && STATUS[error.code] === 422) return refused(atTheForm(error.errors));
    // There are as many proposals as there can be, so the form asks for no more of them.
    if (error instanceof Refusal && error.code === 'proposal_limit') {
      return shown({ typed: figures, errors: [], notice: null }, 409);
    }
    // Somebody else has answered, or the batch is published: the page says so, and what was typed cannot be sent any more.
    if (!(error instanceof Refusal) || STATUS[error.code] !== 409) throw error;
    return shown(NOTHING_YET, 409);
  }
}

async function onPage(
  request: PageRequest,
  reply: FastifyReply,
  door: Door,
  answer: (link: LinkedRequest, locale: FormLocale) => Promise<Shown>,
): Promise<FastifyReply> {
  const locale = negotiateFormLocale(askedLanguage(request));
  let shown: Shown;
  try {
    shown = await answer(await door.link(), locale);
  } catch (error) {
    return sendGone(reply, error, locale);
  }
  const { view, outcome, status } = shown;
  const { editable, canPropose } = view;
  const page = { request: view.request, action: door.action, editable, canPropose, ...outcome };
  return sendPage(reply.code(status), renderFactoryForm(page, locale));
}

function sendGone(reply: FastifyReply, error: unknown, locale: FormLocale): FastifyReply {
  if (error instanceof Refusal && error.code === 'link_withdrawn') {
    return sendPage(reply.code(410), renderFactoryLinkGone('withdrawn', locale));
  }
  if (error instanceof Refusal && error.code === 'request_declined') {
    return sendPage(reply.code(410), renderFactoryLinkGone('declined', locale));
  }
  if (error instanceof Refusal && error.code === 'not_found') {
    return sendPage(reply.code(404), renderFactoryLinkGone('unknown', locale));
  }
  throw error;
}
