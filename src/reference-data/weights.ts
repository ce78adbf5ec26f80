import { numberIn, cell, readTable } from './tables.js';
import { textKey } from './text-key.js';

export type WeightUnit = 'kg' | 'g' | 'lb' | 'oz';

/** Pound and ounce are the avoirdupois ones of the international agreement of 1959. */
const KG: Readonly<Record<WeightUnit, number>> = { kg: 1, g: 0.001, lb: 0.45359237, oz: 0.028349523125 };

/** Codes (SAP, UN/CEFACT, Akeneo) and words. Not `Pfund`, `livre` and `libra`: they are another weight in each country. */
const NAMES: Readonly<Record<WeightUnit, readonly string[]>> = {
  kg: [
    ...['kg', 'kgs', 'kgm', 'kilo', 'kilos', 'kilogram', 'kilograms', 'kilogramm', 'kilogramme', 'kilogrammes'],
    ...['chilo', 'chili', 'chilogrammo', 'chilogrammi', 'kilogramo', 'kilogramos'],
  ],
  g: [
    ...['g', 'gr', 'grs', 'gm', 'gms', 'grm', 'gram', 'grams', 'gramm', 'gramme', 'grammes'],
    ...['grammo', 'grammi', 'gramo', 'gramos'],
  ],
  lb: ['lb', 'lbs', 'lbr', 'pound', 'pounds'],
  oz: ['oz', 'ozs', 'onz', 'ounce', 'ounces', 'unze', 'unzen'],
};

const BY_NAME = new Map(
  (Object.keys(NAMES) as WeightUnit[]).flatMap((unit) => NAMES[unit].map((name) => [name, unit] as const)),
);

/** The unit that a word names, such as `GRAM`, `lbs` or `Unze`. */
export const weightUnitOf = (text: string): WeightUnit | null => BY_NAME.get(textKey(text)) ?? null;

/** Without what binary arithmetic leaves behind: 182.5 g are 0.1825 kg. */
export const inKilograms = (value: number, unit: WeightUnit): number => Number((value * KG[unit]).toPrecision(12));

export interface WeightBounds {
  readonly minKg: number;
  readonly maxKg: number;
}

const BOUNDS = new Map(
  readTable('weight_bounds').map((row) => [
    cell(row, 'id'),
    { minKg: numberIn(row, 'min_kg'), maxKg: numberIn(row, 'max_kg') },
  ]),
);

/** Between which weights one piece of a category, or sub-category, is plausible; null where nobody can say. */
export const weightBoundsOf = (id: string): WeightBounds | null => BOUNDS.get(id) ?? null;
