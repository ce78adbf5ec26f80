import type { JSX } from 'preact';
import type { FieldError } from '../../core/errors.js';
import { renderDocument } from '../design/layout.js';
import { decimalSeparator, FORM_LOCALES, formatsOf, type FormLocale, type Formats } from '../locale.js';
import { materialName } from '../names/materials.js';
import { unitName } from '../names/units.js';
import type { FactoryFormView, FormValues } from '../views.js';
import { fieldId, type FormState } from './field.js';
import { ProductionFields } from './fields.js';
import { textAt } from './parse.js';
import { labelOfProposal, messageOfProposal, ProposalLink, ProposalNotice, Proposals } from './proposals.js';
import { refusalText } from './refusal.js';
import { Submitted } from './submitted.js';
import { FACTORY_FORM_TEXTS, type TextsOf } from '../texts/index.js';

interface PartProps {
  readonly view: FactoryFormView;
  readonly form: FormState;
  readonly locale: FormLocale;
  readonly texts: TextsOf<'factory-form'>;
  readonly formats: Formats;
}

/** `/f/<token>`: the form while an answer can be given, else what was answered. */
export function renderFactoryForm(view: FactoryFormView, locale: FormLocale): string {
  const texts = FACTORY_FORM_TEXTS[locale];
  const { request } = view;
  const values = valuesOf(view);
  const formats = formatsOf(locale);
  const words = { texts, formats };
  const errors = view.errors.map((error) => ({
    ...error,
    message: messageOfProposal(error.path, locale) ?? refusalText(error, values, words),
  }));
  const form = { values, errors, decimal: decimalSeparator(locale) };
  const parts: PartProps = { view, form, locale, texts, formats };
  const isAnswered = request.state === 'submitted';
  return renderDocument({
    locale,
    title: texts.title({ brand: request.brand.name }),
    languageHref: (other) => `${view.action}?lang=${other}`,
    locales: FORM_LOCALES,
    isPrivate: true,
    footer: <p>{texts.footer}</p>,
    children: (
      <div class="wrap narrow lone">
        <Notice {...parts} />
        <h1>{texts.heading({ brand: request.brand.name })}</h1>
        {view.editable && (
          <div class="stack">
            <p>
              {(request.tier > 1 ? texts.introMaterial : texts.intro)({
                factory: request.factoryName,
                brand: request.brand.name,
              })}
            </p>
            <p class="soft">{texts.optional}</p>
            <p class="soft">{texts.who({ brand: request.brand.name })}</p>
          </div>
        )}
        <Asked {...parts} />
        {view.editable ? (
          <Form {...parts} />
        ) : (
          (isAnswered || request.submitted !== null) && (
            <Submitted data={request.submitted ?? {}} known={request.known} texts={texts} formats={parts.formats} />
          )
        )}
        {!view.editable && <Proposals {...parts} />}
      </div>
    ),
  });
}

/** What became of the call before, and where the request stands. */
function Notice({ view, form, texts, locale }: PartProps): JSX.Element | null {
  const { request, notice, editable } = view;
  const brand = request.brand.name;
  if (form.errors.length > 0) return <ErrorSummary errors={form.errors} texts={texts} locale={locale} />;
  if (notice === 'proposed') return <ProposalNotice locale={locale} brand={brand} />;
  if (request.batch.state === 'published') {
    return (
      <Told tone="ok" title={texts.publishedTitle}>
        {request.submitted === null ? texts.publishedEmpty : texts.published}
      </Told>
    );
  }
  if (notice === 'draft_saved') {
    return (
      <Told tone="ok" title={texts.draftTitle}>
        {texts.draft}
      </Told>
    );
  }
  if (notice === 'submitted' || request.state === 'submitted') {
    return (
      <Told tone="ok" title={texts.sentTitle}>
        {editable ? texts.sentOpen : texts.sent({ brand })}
      </Told>
    );
  }
  return null;
}

const Told = (props: {
  readonly tone: 'ok' | 'bad';
  readonly title: string;
  readonly children: string;
}): JSX.Element => (
  <div class={`note ${props.tone}`} role="status">
    <h2>{props.title}</h2>
    <p>{props.children}</p>
  </div>
);

function ErrorSummary({
  errors,
  texts,
  locale,
}: {
  readonly errors: readonly FieldError[];
  readonly texts: TextsOf<'factory-form'>;
  readonly locale: FormLocale;
}): JSX.Element {
  return (
    <div class="note bad" role="alert" tabIndex={-1}>
      <h2>{texts.errorsTitle({ count: errors.length })}</h2>
      <p>{texts.errorsKept}</p>
      <ul>
        {errors.map((error) => (
          <li key={error.path}>
            {error.path === '' ? (
              error.message
            ) : (
              <a href={`#${fieldId(error.path)}`}>
                {labelOfProposal(error.path, locale) ?? labelOf(error.path, texts)}: {error.message}
              </a>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What the page calls the field at a path; a path that has no field of its own is named as it is. */
function labelOf(path: string, texts: TextsOf<'factory-form'>): string {
  const certificate = /^certificates\.(\d+)\.(\w+)$/.exec(path);
  if (certificate !== null) {
    const field = textAt(texts.certificateFields, `${certificate[2]}.label`) || path;
    return `${texts.certificate({ number: Number(certificate[1]) + 1 })}, ${field}`;
  }
  return textAt(texts.fields, `${path}.label`) || path;
}

/** The batch that is meant, and what the brand wrote about it. */
function Asked({ view, texts, formats, locale }: PartProps): JSX.Element {
  const { product, batch, notes, feedback, state, brand } = view.request;
  return (
    <div class="card ask">
      <dl class="facts">
        <div>
          <dt>{texts.product}</dt>
          <dd>{product.name}</dd>
        </div>
        {product.sku !== null && (
          <div>
            <dt>{texts.sku}</dt>
            <dd>{product.sku}</dd>
          </div>
        )}
        {batch.poReference !== null && (
          <div>
            <dt>{texts.order}</dt>
            <dd>{batch.poReference}</dd>
          </div>
        )}
        <div>
          <dt>{texts.quantity}</dt>
          <dd>
            {formats.number(batch.quantity)} {unitName(batch.unit, batch.quantity, locale)}
          </dd>
        </div>
        {product.materials.length > 0 && (
          <div class="wide">
            <dt>{texts.composition}</dt>
            <dd>
              {product.materials
                .map(
                  ({ materialType, percentage }) =>
                    `${formats.percent(percentage)} ${materialName(materialType, locale)}`,
                )
                .join(', ')}
              {view.canPropose && <ProposalLink locale={locale} />}
            </dd>
          </div>
        )}
      </dl>
      {state === 'changes_requested' && feedback !== null && (
        <div class="said">
          <h2>{texts.feedback({ brand: brand.name })}</h2>
          <p class="pre" dir="auto">
            {feedback}
          </p>
          <p class="small soft">{texts.feedbackHint}</p>
        </div>
      )}
      {notes !== null && notes !== '' && (
        <div class="said">
          <h2>{texts.message({ brand: brand.name })}</h2>
          <p class="pre" dir="auto">
            {notes}
          </p>
        </div>
      )}
    </div>
  );
}

function Form({ view, form, texts, formats, locale }: PartProps): JSX.Element {
  return (
    <form class="form" method="post" action={`${view.action}?lang=${locale}`} novalidate>
      <ProductionFields form={form} request={view.request} texts={texts} formats={formats} locale={locale} />
      <div class="actions">
        <button type="submit" name="action" value="submit">
          {texts.submit}
        </button>
        <button type="submit" name="action" value="draft" class="quiet">
          {texts.saveDraft}
        </button>
      </div>
      {/* After the buttons: the first one is what the Enter key presses. */}
      <Proposals view={view} form={form} locale={locale} formats={formats} />
    </form>
  );
}

/** What was just typed, else the draft, else the last answer, else the certificates that the factory keeps anyway. */
function valuesOf({ typed, request }: FactoryFormView): FormValues {
  const known = request.known.certificates;
  return typed ?? request.draft ?? request.submitted ?? (known.length > 0 ? { certificates: known } : {});
}
