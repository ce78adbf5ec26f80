import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { invalidArgument } from './errors.js';
import type { LogRecord } from './record.js';

/** Which events of `$all` a reader wants, and how often it wants to hear how far the log was searched. */
export interface Filter {
  passes(record: LogRecord): boolean;
  /** Considered events between two checkpoints. */
  readonly checkpointEvery: number;
}

const DEFAULT_WINDOW = 32;

export function parseFilter(options: ReadReq.Options.FilterOptions): Filter {
  const window = options.hasMax() ? options.getMax() : DEFAULT_WINDOW;
  if (window <= 0) throw invalidArgument('The maximum search window must be above 0.');
  const checkpointEvery = Math.max(1, options.getCheckpointintervalmultiplier()) * window;
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

function parseExpression(expression: ReadReq.Options.FilterOptions.Expression): (text: string) => boolean {
  const prefixes = expression.getPrefixList();
  const [onlyPrefix] = prefixes;
  if (onlyPrefix !== undefined) {
    return prefixes.length === 1
      ? (text) => text.startsWith(onlyPrefix)
      : (text) => prefixes.some((prefix) => text.startsWith(prefix));
  }
  const source = expression.getRegex();
  try {
    // The protocol's expressions are .NET ones; those that JavaScript cannot read are refused.
    const regex = new RegExp(source);
    return (text) => regex.test(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw invalidArgument(`The filter's expression cannot be read: ${error.message}`);
    throw error;
  }
}
