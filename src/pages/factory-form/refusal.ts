import type { Formats } from '../locale.js';
import type { FormError, FormValues } from '../views.js';
import { textAt } from './parse.js';
import { CHOICE_PATHS, DAY_PATHS, NUMBER_PATHS } from './production-data.js';
import type { TextsOf } from '../texts/index.js';

interface Words {
  readonly texts: TextsOf<'factory-form'>;
  readonly formats: Formats;
}

/** Why a field was refused, in the reader's language; the schema's own words where the form has none. */
export function refusalText(error: FormError, values: FormValues, words: Words): string {
  const { refusals } = words.texts;
  const { path } = error;
  if (path === '') return error.code === 'custom' ? refusals.nothing : error.message;
  if (NUMBER_PATHS.has(path)) return ofNumber(error, textAt(values, path), words);
  if (CHOICE_PATHS.has(path)) return refusals.choice;
  if (DAY_PATHS.test(path)) return refusals.day;
  if (path !== 'notes' && path !== 'facilityId' && !path.startsWith('certificates.')) return error.message;
  switch (error.code) {
    case 'invalid_type':
    case 'too_small':
      return refusals.required;
    case 'too_big':
      return error.limit === undefined ? error.message : refusals.tooLong({ limit: words.formats.number(error.limit) });
    case 'custom':
      return refusals.characters;
    default:
      return error.message;
  }
}

function ofNumber({ code, message, limit: bound, isLimitAllowed }: FormError, typed: string, words: Words): string {
  const { texts, formats } = words;
  const { refusals } = texts;
  if (code === 'invalid_type') return Number.isNaN(Number(typed)) ? texts.notANumber : refusals.wholeNumber;
  if (bound === undefined) return message;
  const limit = formats.number(bound);
  if (code === 'too_small') return (isLimitAllowed === true ? refusals.atLeast : refusals.above)({ limit });
  if (code === 'too_big') return (isLimitAllowed === true ? refusals.atMost : refusals.below)({ limit });
  return message;
}
