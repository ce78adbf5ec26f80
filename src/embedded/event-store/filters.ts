import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { RE2JS, RE2JSException } from 're2js';
import { invalidArgument } from './errors.js';
import type { LogRecord } from './record.js';

/** Which events of `$all` a reader wants, and how often it wants to hear how far the log was searched. */
export interface Filter {
  passes(record: LogRecord): boolean;
  /** Considered events between two checkpoints. */
  readonly checkpointEvery: number;
}

const DEFAULT_WINDOW = 32;

export function parseFilter(options: ReadReq.Options.FilterOptions, read: { isSubscription: boolean }): Filter {
  if (!options.hasMax() && !options.hasCount()) throw invalidArgument("'None' is not a valid window");
  const window = options.hasMax() ? options.getMax() : DEFAULT_WINDOW;
  if (window <= 0) throw invalidArgument('The maximum search window must be above 0.');
  const checkpointEvery = options.getCheckpointintervalmultiplier() * window;
  if (read.isSubscription && checkpointEvery === 0) {
    throw invalidArgument('The checkpoint interval multiplier must be above 0.');
  }
  const onStream = options.getStreamIdentifier();
  if (onStream !== undefined) {
    const matches = parseExpression(onStream);
    return { passes: ({ stream }) => matches(stream), checkpointEvery };
  }
  const onType = options.getEventType();
  if (onType !== undefined) {
    const matches = parseExpression(onType);
    return { passes: ({ type }) => matches(type), checkpointEvery };
  }
  throw invalidArgument('A filter needs an expression on the stream name or on the event type.');
}

// RE2 never goes back over a text, but a large expression still takes its size for each character.
const MAX_EXPRESSION_LENGTH = 250;
const MAX_EXPRESSION_SIZE = 250;
const MAX_PREFIXES = 1_000;

/** The expression if there is one, else the prefixes; nothing passes where there is neither. */
function parseExpression(expression: ReadReq.Options.FilterOptions.Expression): (text: string) => boolean {
  const source = expression.getRegex();
  if (source !== '') {
    const regex = compile(source);
    return (text) => regex.test(text);
  }
  const prefixes = expression.getPrefixList();
  if (prefixes.length > MAX_PREFIXES) throw invalidArgument(`A filter has at most ${MAX_PREFIXES} prefixes.`);
  const [onlyPrefix = ''] = prefixes;
  return prefixes.length === 1
    ? (text) => text.startsWith(onlyPrefix)
    : (text) => prefixes.some((prefix) => text.startsWith(prefix));
}

const tooLarge = (): Error => invalidArgument("The filter's expression is too large.");

/**
 * The protocol's expressions are .NET ones, and both those and JavaScript's can take longer than a life over 40 characters. RE2
 * cannot: it knows neither look-around nor back references, and refuses them.
 */
function compile(source: string): RE2JS {
  if (source.length > MAX_EXPRESSION_LENGTH) {
    throw invalidArgument(`A filter's expression has at most ${MAX_EXPRESSION_LENGTH} characters.`);
  }
  // To find out by compiling what cannot fit would take its time too.
  const counts = [...source.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].flatMap(([, least, most]) => [
    Number(least),
    Number(most ?? 0),
  ]);
  if (counts.some((count) => count > MAX_EXPRESSION_SIZE)) throw tooLarge();
  try {
    const regex = RE2JS.compile(source);
    if (regex.programSize() > MAX_EXPRESSION_SIZE) throw tooLarge();
    return regex;
  } catch (error) {
    if (error instanceof RE2JSException)
      throw invalidArgument(`The filter's expression cannot be read: ${error.message}`);
    throw error;
  }
}
