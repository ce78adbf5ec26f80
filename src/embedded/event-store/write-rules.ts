import { WrongExpectedVersion, streamDeleted, type Expected, type StoreError } from './errors.js';
import type { KnownEvent } from './log-storage.js';
import { isSoftDeleted } from './stream-metadata.js';
import { isTombstoned, type StreamState } from './stream-states.js';

/** What the writer may do with a request. */
export type Verdict =
  | { readonly kind: 'write' }
  /** Every event is stored already, the last one there. */
  | { readonly kind: 'repeated'; readonly revision: number; readonly position: number }
  | { readonly kind: 'refused'; readonly error: StoreError | WrongExpectedVersion };

export interface WriteQuestion {
  readonly stream: string;
  readonly expected: Expected;
  readonly eventIds: readonly string[];
  readonly state: StreamState;
  /** Where the stream already holds an event of this id. */
  readonly placesOf: (eventId: string) => readonly KnownEvent[];
}

const WRITE: Verdict = { kind: 'write' };

/** The reference server's check of a write, in its order. */
export function judgeWrite(question: WriteQuestion): Verdict {
  const { stream, expected, state } = question;
  if (isTombstoned(state)) return { kind: 'refused', error: streamDeleted(stream) };
  if (expected === 'stream_exists') {
    if (isSoftDeleted(state.retention)) return { kind: 'refused', error: streamDeleted(stream) };
    if (state.lastRevision < 0 && state.metadata === null) return wrongVersion(question);
  }
  if (expected === 'any' || expected === 'stream_exists') return judgeAnywhere(question);
  return judgeExactly(question, expected === 'no_stream' ? -1 : expected);
}

const wrongVersion = ({ stream, expected, state }: WriteQuestion): Verdict => ({
  kind: 'refused',
  error: new WrongExpectedVersion(stream, expected, state.lastRevision),
});

function judgeAnywhere(question: WriteQuestion): Verdict {
  let last: KnownEvent | undefined;
  for (const [index, id] of question.eventIds.entries()) {
    const place = question.placesOf(id)[0];
    // New from the first on: write. Some here and some not: not the append that it claims to be.
    if (place === undefined) return index === 0 ? WRITE : wrongVersion(question);
    last = place;
  }
  return last === undefined ? WRITE : { kind: 'repeated', revision: last.revision, position: last.position };
}

function judgeExactly(question: WriteQuestion, expected: number): Verdict {
  const { state, eventIds, placesOf } = question;
  if (expected === state.lastRevision) return WRITE;
  if (expected > state.lastRevision) return wrongVersion(question);
  let last: KnownEvent | undefined;
  for (const [index, id] of eventIds.entries()) {
    const place = placesOf(id).find(({ revision }) => revision === expected + 1 + index);
    if (place === undefined) {
      const startsAnew = index === 0 && expected === -1 && isSoftDeleted(state.retention);
      return startsAnew ? WRITE : wrongVersion(question);
    }
    last = place;
  }
  if (last === undefined) return wrongVersion(question);
  return { kind: 'repeated', revision: last.revision, position: last.position };
}
