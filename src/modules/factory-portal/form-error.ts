import type { z } from 'zod';
import type { FormError } from '../../pages/views.js';

/** What the form's page needs of an issue to say it in the reader's language. */
export function formError(issue: z.core.$ZodIssue): FormError {
  const error = { path: issue.path.join('.'), code: issue.code, message: issue.message };
  if (issue.code !== 'too_big' && issue.code !== 'too_small') return error;
  const limit = Number(issue.code === 'too_big' ? issue.maximum : issue.minimum);
  return { ...error, limit, isLimitAllowed: issue.inclusive !== false };
}
