/** SQLSTATE classes and codes that say "not now" rather than "not so". */
const STATES = /^(08|53|57P0[1-5]|57014|25006)/;
const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EAI_AGAIN',
]);
/** What pg and its pool throw without a code when a connection is lost or none is to be had. */
const MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed)/;

/** True for an error of pg that says the server cannot be used at the moment. */
export function isDatabaseUnavailable(error: Error): boolean {
  if (error instanceof AggregateError)
    return error.errors.some((one) => one instanceof Error && isDatabaseUnavailable(one));
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string') return SOCKET_CODES.has(code) || STATES.test(code);
  return MESSAGES.test(error.message);
}
