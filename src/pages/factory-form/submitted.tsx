import type { JSX } from 'preact';
import type { Formats } from '../locale.js';
import type { FactoryRequestView, FormValues } from '../views.js';
import { textAt } from './parse.js';
import { CERTIFICATE_FIELDS, FIELD_PATHS, NUMBER_PATHS } from './production-data.js';
import type { TextsOf } from '../texts/index.js';

interface SubmittedProps {
  readonly data: FormValues;
  readonly known: FactoryRequestView['known'];
  readonly texts: TextsOf<'factory-form'>;
  readonly formats: Formats;
}

const UNIT_OF: Readonly<Record<string, keyof TextsOf<'factory-form'>['units']>> = {
  productWeightKg: 'kg',
  quantityProduced: 'pieces',
  yarnNm: 'nm',
  cuttingLossPct: 'percent',
  makingElectricityKwh: 'kwh',
  'dyeing.electricityKwhPerKg': 'kwhPerKg',
  'dyeing.heatMjPerKg': 'mjPerKg',
  airSharePct: 'percent',
};

/** What was answered, to be read and no longer changed. */
export function Submitted({ data, known, texts, formats }: SubmittedProps): JSX.Element | null {
  const rows = [
    ...FIELD_PATHS.flatMap((path) => {
      const text = textAt(data, path);
      const label = textAt(texts.fields, `${path}.label`);
      return text === '' ? [] : [{ label, text: readable(path, text, { data, known, texts, formats }) }];
    }),
    ...certificateRows({ data, known, texts, formats }),
  ];
  if (rows.length === 0) return null;
  return (
    <section class="given" aria-labelledby="given">
      <h2 id="given">{texts.given}</h2>
      <dl>
        {rows.map(({ label, text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd class="pre" dir="auto">
              {text}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function readable(path: string, text: string, { known, texts, formats }: SubmittedProps): string {
  const unit = UNIT_OF[path];
  if (NUMBER_PATHS.has(path) && unit !== undefined) return `${formats.number(Number(text), 6)} ${texts.units[unit]}`;
  if (path.startsWith('countries.')) return formats.country(text);
  if (path === 'productionDate') return formats.day(text);
  if (path === 'facilityId') return known.facilities.find(({ id }) => id === text)?.name ?? text;
  if (path === 'fabricProcess') return nameIn(texts.processes, text);
  if (path === 'dyeing.fuel') return nameIn(texts.fuels, text);
  return text;
}

const nameIn = (names: Readonly<Record<string, string>>, id: string): string => names[id] ?? id;

function certificateRows({
  data,
  texts,
}: SubmittedProps): readonly { readonly label: string; readonly text: string }[] {
  const certificates = Array.isArray(data['certificates']) ? data['certificates'] : [];
  return certificates.map((_, index) => ({
    label: texts.certificate({ number: index + 1 }),
    text: CERTIFICATE_FIELDS.map((field) => textAt(data, `certificates.${index}.${field}`))
      .filter((part) => part !== '')
      .join(' · '),
  }));
}
