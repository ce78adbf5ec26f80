import type { JSX } from 'preact';
import type { FormLocale, Formats } from '../locale.js';
import { materialName } from '../names/materials.js';
import type { FactoryFormView, ProposalView } from '../views.js';
import { SelectField, TextField, type FormState } from './field.js';
import { countryChoices } from './fields.js';
import { FACTORY_FORM_TEXTS, type TextsOf } from '../texts/index.js';

const NAME_LENGTH = 200;
const ADDRESS_LENGTH = 254;
const ID = 'sub-suppliers';

interface ProposalsProps {
  readonly view: FactoryFormView;
  readonly form: FormState;
  readonly locale: FormLocale;
  readonly formats: Formats;
}

/** The suppliers that the factory has named behind materials, and the fields that name one more. */
export function Proposals({ view, form, locale, formats }: ProposalsProps): JSX.Element | null {
  const texts = FACTORY_FORM_TEXTS[locale].proposals;
  const { proposals, brand, product } = view.request;
  if (!view.canPropose && proposals.length === 0) return null;
  const common = { form, locale, formats };
  const materials = [...new Set(product.materials.map(({ materialType }) => materialType))];
  return (
    <section class="own" id={ID} aria-labelledby={`${ID}-title`}>
      <h2 id={`${ID}-title`}>{texts.title}</h2>
      {view.editable && <p class="soft">{view.canPropose ? texts.why({ brand: brand.name }) : texts.full}</p>}
      {proposals.length > 0 && (
        <ul class="todo">
          {proposals.map((proposal) => (
            <Made key={proposal.id} proposal={proposal} locale={locale} formats={formats} />
          ))}
        </ul>
      )}
      {view.canPropose && (
        <>
          <div class="fields">
            <SelectField
              {...common}
              path="proposal.materialType"
              {...texts.fields.materialType}
              blank={texts.choose}
              choices={materials.map((value) => ({ value, name: materialName(value, locale) }))}
            />
            <TextField {...common} path="proposal.name" {...texts.fields.name} maxLength={NAME_LENGTH} />
            <TextField
              {...common}
              path="proposal.contactEmail"
              {...texts.fields.contactEmail}
              maxLength={ADDRESS_LENGTH}
            />
            <SelectField
              {...common}
              path="proposal.country"
              {...texts.fields.country}
              blank={texts.choose}
              choices={countryChoices({ formats, locale })}
            />
          </div>
          <button type="submit" name="action" value="propose" class="quiet">
            {texts.propose}
          </button>
        </>
      )}
    </section>
  );
}

function Made(props: {
  readonly proposal: ProposalView;
  readonly locale: FormLocale;
  readonly formats: Formats;
}): JSX.Element {
  const { proposal, locale, formats } = props;
  const { materialType, contactEmail, country } = proposal;
  const details = [
    materialName(materialType, locale),
    ...(country === null ? [] : [formats.country(country)]),
    ...(contactEmail === null ? [] : [contactEmail]),
  ];
  return (
    <li>
      <h3>{proposal.name}</h3>
      <p class="small soft pre">{details.join(' · ')}</p>
      <p class="small">{FACTORY_FORM_TEXTS[locale].proposals.states[proposal.state]}</p>
    </li>
  );
}

/** From the composition to the fields. */
export const ProposalLink = ({ locale }: { readonly locale: FormLocale }): JSX.Element => (
  <>
    {' '}
    <a href={`#${ID}`}>{FACTORY_FORM_TEXTS[locale].proposals.title}</a>
  </>
);

export function ProposalNotice({
  locale,
  brand,
}: {
  readonly locale: FormLocale;
  readonly brand: string;
}): JSX.Element {
  const texts = FACTORY_FORM_TEXTS[locale].proposals;
  return (
    <div class="note ok" role="status">
      <h2>{texts.proposedTitle}</h2>
      <p>{texts.proposed({ brand })}</p>
    </div>
  );
}

type ProposalField = keyof TextsOf<'factory-form'>['proposals']['fields'];

const fieldOf = (path: string): ProposalField | null => {
  const field = /^proposal\.(\w+)$/.exec(path)?.[1];
  return field !== undefined && field in FACTORY_FORM_TEXTS.en.proposals.fields ? (field as ProposalField) : null;
};

/** What the page calls a field of a proposal; null for any other path. */
export function labelOfProposal(path: string, locale: FormLocale): string | null {
  const field = fieldOf(path);
  return field === null ? null : FACTORY_FORM_TEXTS[locale].proposals.fields[field].label;
}

/** What is wrong with a field of a proposal, in the reader's language: each can be wrong in one way that matters. */
export function messageOfProposal(path: string, locale: FormLocale): string | null {
  const field = fieldOf(path);
  return field === null ? null : FACTORY_FORM_TEXTS[locale].proposals.errors[field];
}
