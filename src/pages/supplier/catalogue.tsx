import type { JSX } from 'preact';
import { COUNTRY_CODES } from '../../reference-data/countries.js';
import { MATERIALS } from '../../reference-data/materials.js';
import { FieldRow } from '../design/field-row.js';
import { renderDocument } from '../design/layout.js';
import { collatorOf, formatsOf, type Locale } from '../locale.js';
import { materialName } from '../names/materials.js';
import { SUPPLIER_TEXTS } from '../texts/index.js';
import {
  MAX_MATERIALS,
  PRODUCT_TYPES,
  type CatalogueKind,
  type CataloguePageView,
  type CatalogueSectionView,
  type EntryView,
} from './views.js';

const MATERIAL_FIELDS = ['materialType', 'percentage', 'originCountry'] as const;

/** Rows for materials: what a fabric is made of seldom has more. One that has gets a free row after its last. */
const MATERIAL_ROWS = 4;

const rowsFor = (typed: Readonly<Record<string, string>>): number => {
  const filled = Object.entries(typed).flatMap(([path, value]) =>
    value === '' ? [] : (/^materials\.(\d+)\./.exec(path)?.[1] ?? []),
  );
  return Math.min(MAX_MATERIALS, Math.max(MATERIAL_ROWS, ...filled.map((index) => Number(index) + 2)));
};

interface SectionProps {
  readonly view: CataloguePageView;
  readonly section: CatalogueSectionView;
  readonly locale: Locale;
}

/** The factory's catalogue, and its certificates: what is there, and a form that adds to it. */
export function renderCataloguePage(view: CataloguePageView, locale: Locale): string {
  const texts = SUPPLIER_TEXTS[locale];
  const title = view.path === '/supplier/catalogue' ? texts.catalogue : texts.certificates;
  return renderDocument({
    locale,
    title,
    languageHref: (other) => `${view.path}?lang=${other}`,
    isPrivate: true,
    children: (
      <div class="wrap narrow lone">
        <nav class="todo" aria-label={texts.pages}>
          <a href={`/supplier?lang=${locale}`}>{texts.home}</a>
        </nav>
        {view.notice !== null && (
          <div class="note ok" role="status">
            <p>{texts.notices[view.notice]}</p>
          </div>
        )}
        <h1>{title}</h1>
        <p class="soft">{texts.catalogueHelp}</p>
        {view.sections.map((section) => (
          <Section key={section.kind} view={view} section={section} locale={locale} />
        ))}
      </div>
    ),
  });
}

function Section({ view, section, locale }: SectionProps): JSX.Element {
  const texts = SUPPLIER_TEXTS[locale];
  const { kind, entries, editing } = section;
  const { title, none } = texts.kinds[kind];
  const query = `${view.path}?lang=${locale}`;
  return (
    <section class="own" aria-labelledby={kind}>
      <h2 id={kind}>{title}</h2>
      {entries.length === 0 ? (
        <p class="soft">{none}</p>
      ) : (
        <ul class="todo">
          {entries.map((entry) => (
            <li key={entry.id}>
              <Entry entry={entry} isCertificate={kind === 'certificates'} view={view} locale={locale} />
              {entry.id === editing ? (
                <EntryForm view={view} section={section} locale={locale} entry={entry} />
              ) : (
                <form class="acts" method="post" action={query} enctype="multipart/form-data">
                  <input type="hidden" name="kind" value={kind} />
                  <input type="hidden" name="id" value={entry.id} />
                  <a class="button quiet" href={`${query}&edit=${entry.id}#form-${kind}`}>
                    {texts.change({ name: entry.title })}
                  </a>
                  <button type="submit" class="quiet" name="action" value="remove">
                    {texts.remove({ name: entry.title })}
                  </button>
                </form>
              )}
            </li>
          ))}
        </ul>
      )}
      {editing === null && <EntryForm view={view} section={section} locale={locale} entry={null} />}
    </section>
  );
}

/** The form that adds an entry, or changes the one in whose place it stands. */
function EntryForm({ view, section, locale, entry }: SectionProps & { readonly entry: EntryView | null }): JSX.Element {
  const texts = SUPPLIER_TEXTS[locale];
  const { kind } = section;
  const query = `${view.path}?lang=${locale}`;
  return (
    <form
      class="form"
      id={`form-${kind}`}
      method="post"
      // When it is refused, the page is shown from here on.
      action={`${query}#form-${kind}`}
      enctype="multipart/form-data"
      novalidate
    >
      <input type="hidden" name="kind" value={kind} />
      {entry !== null && <input type="hidden" name="id" value={entry.id} />}
      <Refused section={section} locale={locale} />
      <fieldset>
        <legend>{entry === null ? texts.kinds[kind].add : texts.change({ name: entry.title })}</legend>
        {kind === 'certificates' && entry === null && <p class="why">{texts.certificateHelp}</p>}
        <div class="fields">
          {FIELDS[kind].map((field) => (
            <Field
              key={field}
              section={section}
              locale={locale}
              path={field}
              field={field}
              label={texts.fields[field]}
            />
          ))}
        </div>
        {kind === 'products' && <Materials section={section} locale={locale} />}
      </fieldset>
      <div class="actions">
        <button type="submit" name="action" value="save">
          {texts.save}
        </button>
        {entry !== null && (
          <a class="button quiet" href={`${query}#${kind}`}>
            {texts.cancel}
          </a>
        )}
      </div>
    </form>
  );
}

function Refused({ section, locale }: Omit<SectionProps, 'view'>): JSX.Element | null {
  const texts = SUPPLIER_TEXTS[locale];
  if (section.refused.length === 0) return null;
  return (
    <div class="note bad" role="alert" tabIndex={-1}>
      <h3>{texts.refusedTitle}</h3>
      {section.refused.some((field) => field.startsWith('materials')) && <p>{texts.refusedMaterials}</p>}
      {section.refused.includes('file') && <p>{texts.refusedFile}</p>}
      {section.refused.includes('taken') && <p>{texts.refusedTaken}</p>}
      {section.refused.includes('full') && <p>{texts.refusedFull}</p>}
      {section.refused.includes('used_up') && <p>{texts.refusedUsedUp}</p>}
      {section.refused.includes('quota') && <p>{texts.refusedQuota}</p>}
    </div>
  );
}

function Entry(props: {
  readonly entry: EntryView;
  readonly isCertificate: boolean;
  readonly view: CataloguePageView;
  readonly locale: Locale;
}): JSX.Element {
  const { entry, locale, view } = props;
  const texts = SUPPLIER_TEXTS[locale];
  const formats = formatsOf(locale);
  const end = entry.validUntil ?? null;
  const country = entry.country ?? null;
  const materials = (entry.materials ?? []).map(({ materialType, percentage, originCountry }) => {
    const origin = originCountry === null ? '' : ` (${formats.country(originCountry)})`;
    return `${formats.percent(percentage)} ${materialName(materialType, locale)}${origin}`;
  });
  const tier = entry.tier === undefined ? [] : [`${texts.fields.tier} ${entry.tier}`];
  const kind = entry.productType === undefined ? [] : [texts.productTypes[entry.productType]];
  const details = [
    ...kind,
    ...entry.details,
    ...tier,
    ...(country === null ? [] : [formats.country(country)]),
    ...materials,
  ];
  return (
    <>
      <h3>{entry.title}</h3>
      {details.length > 0 && <p class="small soft pre">{details.join(' · ')}</p>}
      {props.isCertificate && (
        <p class="small">
          {end === null
            ? texts.noEnd
            : (end < view.today ? texts.expired : texts.validUntil)({ day: formats.day(end) })}
        </p>
      )}
      {entry.fileHref != null && (
        <p>
          <a href={entry.fileHref}>{`${texts.openFile} – ${entry.title}`}</a>
        </p>
      )}
    </>
  );
}

type FieldName = keyof (typeof SUPPLIER_TEXTS)['en']['fields'];

const FIELDS: Readonly<Record<CatalogueKind, readonly FieldName[]>> = {
  products: ['name', 'productType'],
  facilities: ['name', 'address', 'country', 'activities'],
  subSuppliers: ['name', 'country', 'tier', 'contactEmail'],
  certificates: ['type', 'number', 'issuer', 'validFrom', 'validUntil', 'file'],
};

/** The first row is open, and those that hold something. */
function Materials({ section, locale }: Omit<SectionProps, 'view'>): JSX.Element {
  const texts = SUPPLIER_TEXTS[locale];
  return (
    <div class="certs">
      {Array.from({ length: rowsFor(section.typed) }, (_, index) => {
        const row = `materials.${index}`;
        const isFilled = MATERIAL_FIELDS.some((field) => (section.typed[`${row}.${field}`] ?? '') !== '');
        return (
          <details key={row} class="card" open={index === 0 || isFilled}>
            <summary>{texts.materialRow({ number: index + 1 })}</summary>
            <div class="fields">
              {MATERIAL_FIELDS.map((field) => (
                <Field
                  key={field}
                  section={section}
                  locale={locale}
                  path={`${row}.${field}`}
                  field={field}
                  label={`${texts.materialRow({ number: index + 1 })} – ${texts.fields[field]}`}
                />
              ))}
            </div>
          </details>
        );
      })}
    </div>
  );
}

function Field(props: {
  readonly section: CatalogueSectionView;
  readonly locale: Locale;
  readonly path: string;
  readonly field: FieldName;
  readonly label: string;
}): JSX.Element {
  const { section, locale, path, field, label } = props;
  const texts = SUPPLIER_TEXTS[locale];
  const value = section.typed[path] ?? '';
  const edited = section.entries.find(({ id }) => id === section.editing);
  const fileHelp = edited?.fileHref == null ? texts.fileHelp : texts.fileKept;
  const help = field === 'activities' ? texts.activitiesHelp : field === 'file' ? fileHelp : undefined;
  const choices = choicesOf(field, locale);
  const isRefused = section.refused.includes(path);
  return (
    <FieldRow
      name={`${section.kind}.${path}`}
      label={label}
      {...(help === undefined ? {} : { help })}
      error={isRefused ? (field === 'file' ? texts.refusedFile : texts.refused) : null}
    >
      {(attributes) =>
        choices === null ? (
          <div class="row">
            {field === 'address' || field === 'activities' ? (
              <textarea {...attributes} maxLength={field === 'address' ? 1_000 : 10_000} value={value} />
            ) : (
              <input {...attributes} {...INPUTS[field]} {...(field === 'file' ? {} : { value })} />
            )}
          </div>
        ) : (
          <div class="row">
            <select {...attributes}>
              <option value="">{texts.choose}</option>
              {choices.map((choice) => (
                <option key={choice.value} value={choice.value} selected={choice.value === value}>
                  {choice.name}
                </option>
              ))}
            </select>
          </div>
        )
      }
    </FieldRow>
  );
}

const TEXT = { type: 'text', maxLength: 200 } as const;
const INPUTS: Partial<Record<FieldName, JSX.IntrinsicElements['input']>> = {
  name: TEXT,
  type: TEXT,
  number: TEXT,
  issuer: TEXT,
  percentage: { type: 'text', inputMode: 'decimal', maxLength: 20 },
  tier: { type: 'text', inputMode: 'numeric', maxLength: 1 },
  contactEmail: { type: 'email', maxLength: 254 },
  validFrom: { type: 'date' },
  validUntil: { type: 'date' },
  file: { type: 'file', accept: '.pdf,.png,.jpg,.jpeg' },
};

interface Choice {
  readonly value: string;
  readonly name: string;
}

function choicesOf(field: FieldName, locale: Locale): readonly Choice[] | null {
  switch (field) {
    case 'productType':
      return PRODUCT_TYPES.map((value) => ({ value, name: SUPPLIER_TEXTS[locale].productTypes[value] }));
    case 'materialType':
      return sorted(
        MATERIALS.map(({ id }) => ({ value: id, name: materialName(id, locale) })),
        locale,
      );
    case 'country':
    case 'originCountry': {
      const { country } = formatsOf(locale);
      return sorted(
        COUNTRY_CODES.map((value) => ({ value, name: country(value) })),
        locale,
      );
    }
    default:
      return null;
  }
}

function sorted(choices: readonly Choice[], locale: Locale): readonly Choice[] {
  const collator = collatorOf(locale);
  return [...choices].sort((a, b) => collator.compare(a.name, b.name));
}
