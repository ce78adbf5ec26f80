import { ApplicationFailure } from '@temporalio/common';
import { REFUSALS, Refusal, type FieldError, type RefusalCode } from '../../core/errors.js';
import { AppendOutcomeUnknown, EventStoreUnavailable } from '../event-store/port.js';

/** A refusal as it crosses from an activity to a workflow and its caller: final, nothing to retry. */
export function toFailure(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error;
  return ApplicationFailure.create({
    message: error.message,
    type: error.code,
    nonRetryable: true,
    details: [{ errors: error.errors, extra: error.extra }],
  });
}

/** The refusal that an update ended with, or what else is behind it. */
export function fromFailure(error: unknown): Error {
  const failure = innermost(error);
  if (failure instanceof ApplicationFailure) {
    if (isRefusalCode(failure.type)) {
      const [more] = failure.details ?? [];
      return new Refusal(failure.type, failure.message, more as { errors: FieldError[]; extra: Refusal['extra'] });
    }
    if (failure.type === 'EventStoreUnavailable') return new EventStoreUnavailable(failure.message);
    if (failure.type === 'AppendOutcomeUnknown') return new AppendOutcomeUnknown(failure.message);
  }
  return failure;
}

const isRefusalCode = (type: string | null | undefined): type is RefusalCode => type != null && type in REFUSALS;

function innermost(error: unknown): Error {
  let current = error instanceof Error ? error : new Error(String(error));
  while (!(current instanceof ApplicationFailure) && current.cause instanceof Error) current = current.cause;
  return current;
}
