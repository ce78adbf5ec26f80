import type { ComponentChildren, JSX } from 'preact';
import { COUNTRY_CODES } from '../../reference-data/countries.js';
import { collatorOf, type FormLocale, type Formats } from '../locale.js';
import type { FactoryRequestView } from '../views.js';
import { DayField, NotesField, NumberField, SelectField, TextField, type Choice, type FormState } from './field.js';
import {
  CERTIFICATE_FIELDS,
  COUNTRY_STEPS,
  DYEING_FUELS,
  FABRIC_PROCESSES,
  MAX_CERTIFICATES,
} from './production-data.js';
import type { TextsOf } from '../texts/index.js';

export interface FieldsProps {
  readonly form: FormState;
  readonly request: FactoryRequestView;
  readonly texts: TextsOf<'factory-form'>;
  readonly formats: Formats;
  readonly locale: FormLocale;
}

const NAME_LENGTH = 200;
const NOTES_LENGTH = 5000;
const EMPTY_CERTIFICATE_ROWS = 3;

/** Every field of the production data, in the order in which a factory would tell it. */
export function ProductionFields(props: FieldsProps): JSX.Element {
  const { form, request, texts } = props;
  const { fields, units } = texts;
  const facilities = request.known.facilities;
  const countries = countryChoices(props);
  return (
    <>
      <Section text={texts.sections.product}>
        <NumberField form={form} path="productWeightKg" {...fields.productWeightKg} unit={units.kg} />
        <NumberField form={form} path="quantityProduced" {...fields.quantityProduced} unit={units.pieces} />
        <DayField form={form} path="productionDate" {...fields.productionDate} />
        {facilities.length > 0 && (
          <SelectField
            form={form}
            path="facilityId"
            {...fields.facilityId}
            blank={texts.choose}
            choices={facilities.map(({ id, name, country }) => ({
              value: id,
              name: country === null ? name : `${name} (${props.formats.country(country)})`,
            }))}
          />
        )}
      </Section>
      <Section text={texts.sections.places}>
        {COUNTRY_STEPS.map((step) => (
          <SelectField
            key={step}
            form={form}
            path={`countries.${step}`}
            {...fields.countries[step]}
            blank={texts.choose}
            choices={countries}
          />
        ))}
      </Section>
      <Section text={texts.sections.fabric}>
        <SelectField
          form={form}
          path="fabricProcess"
          {...fields.fabricProcess}
          blank={texts.choose}
          choices={FABRIC_PROCESSES.map((value) => ({ value, name: texts.processes[value] }))}
        />
        <NumberField form={form} path="yarnNm" {...fields.yarnNm} unit={units.nm} />
      </Section>
      <Section text={texts.sections.dyeing}>
        <NumberField
          form={form}
          path="dyeing.electricityKwhPerKg"
          {...fields.dyeing.electricityKwhPerKg}
          unit={units.kwhPerKg}
        />
        <NumberField form={form} path="dyeing.heatMjPerKg" {...fields.dyeing.heatMjPerKg} unit={units.mjPerKg} />
        <SelectField
          form={form}
          path="dyeing.fuel"
          {...fields.dyeing.fuel}
          blank={texts.choose}
          choices={DYEING_FUELS.map((value) => ({ value, name: texts.fuels[value] }))}
        />
      </Section>
      <Section text={texts.sections.making}>
        <NumberField form={form} path="cuttingLossPct" {...fields.cuttingLossPct} unit={units.percent} />
        <NumberField form={form} path="makingElectricityKwh" {...fields.makingElectricityKwh} unit={units.kwh} />
      </Section>
      <Section text={texts.sections.transport}>
        <NumberField form={form} path="airSharePct" {...fields.airSharePct} unit={units.percent} />
      </Section>
      <Certificates {...props} />
      <Section text={texts.sections.notes}>
        <NotesField form={form} path="notes" {...fields.notes} maxLength={NOTES_LENGTH} />
      </Section>
    </>
  );
}

function Section(props: {
  readonly text: { readonly title: string; readonly why: string };
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <fieldset>
      <legend>{props.text.title}</legend>
      <p class="why">{props.text.why}</p>
      <div class="fields">{props.children}</div>
    </fieldset>
  );
}

function Certificates({ form, request, texts }: FieldsProps): JSX.Element {
  const { title, why } = texts.sections.certificates;
  const filled = Array.isArray(form.values['certificates']) ? form.values['certificates'].length : 0;
  const rows = Math.min(filled + EMPTY_CERTIFICATE_ROWS, MAX_CERTIFICATES);
  return (
    <fieldset>
      <legend>{title}</legend>
      <p class="why">{why}</p>
      {request.known.certificates.length > 0 && <p class="why">{texts.knownCertificates}</p>}
      <div class="certs">
        {Array.from({ length: rows }, (_, index) => (
          <CertificateRow key={index} index={index} isOpen={index <= filled} form={form} texts={texts} />
        ))}
      </div>
    </fieldset>
  );
}

/** The filled rows and the first empty one are open; the others are there when they are needed. */
function CertificateRow(
  props: Pick<FieldsProps, 'form' | 'texts'> & { readonly index: number; readonly isOpen: boolean },
): JSX.Element {
  const { form, texts, index } = props;
  return (
    <details class="card" open={props.isOpen}>
      <summary>{texts.certificate({ number: index + 1 })}</summary>
      <div class="fields">
        {CERTIFICATE_FIELDS.map((field) => {
          const common = { form, path: `certificates.${index}.${field}`, help: '', ...texts.certificateFields[field] };
          return field === 'validFrom' || field === 'validUntil' ? (
            <DayField key={field} {...common} />
          ) : (
            <TextField key={field} {...common} isWide={field === 'type'} maxLength={NAME_LENGTH} />
          );
        })}
      </div>
    </details>
  );
}

/** Every country, sorted as the language sorts. */
export function countryChoices({ formats, locale }: Pick<FieldsProps, 'formats' | 'locale'>): readonly Choice[] {
  const collator = collatorOf(locale);
  return COUNTRY_CODES.map((value) => ({ value, name: formats.country(value) })).sort((a, b) =>
    collator.compare(a.name, b.name),
  );
}
