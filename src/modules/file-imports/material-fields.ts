import type { ImportField } from '../imports/index.js';

type Languages = 'en' | 'de' | 'fr' | 'it' | 'es';

/** A column that a file may have, for the mapping, the template and its explanations. */
export interface FileField {
  /** The name of the column, and of the field in a mapping. */
  readonly column: string;
  readonly field: ImportField;
  readonly explanation: string;
  readonly examples: readonly [string | number | boolean, string | number | boolean];
  /** Headers that mean this field. */
  readonly meanings: Readonly<Record<Languages, readonly string[]>>;
}

const NONE = { en: [], de: [], fr: [], it: [], es: [] } as const;

/** The columns of one material; their headers are recognized by words, see `recognize.ts`. */
export const material = (
  number: 1 | 2 | 3,
  examples: Record<'Type' | 'Percent' | 'Origin', readonly [string | number, string | number]>,
) =>
  [
    {
      column: `material_${number}_type`,
      field: `material${number}Type`,
      explanation: 'A material, by its name in one of the usual languages or by its id. For a passport.',
      examples: examples.Type,
      meanings: NONE,
    },
    {
      column: `material_${number}_percent`,
      field: `material${number}Percent`,
      explanation: 'Its share in percent: 95, 95 % and 0.95 as a percentage all mean the same. The shares total 100.',
      examples: examples.Percent,
      meanings: NONE,
    },
    {
      column: `material_${number}_origin`,
      field: `material${number}Origin`,
      explanation: 'The country that the fibre comes from: 2-letter code or name.',
      examples: examples.Origin,
      meanings: NONE,
    },
  ] as const satisfies readonly FileField[];
