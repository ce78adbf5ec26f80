/** SQLSTATE classes and codes that say "not now" rather than "not so": nobody is let in, and the database is gone, among them. */
const STATES = /^(08|28|3D000|53|57P0[1-5]|57014|25006)/;
const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EAI_AGAIN',
  // Of a server whose certificate is not as it should be, or not any more.
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);
/** What pg and its pool throw without a code when a connection is lost or none is to be had. */
const MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|timeout expired|The server does not support SSL|There was an error establishing an SSL)/;

/** True for an error of pg that says the server cannot be used at the moment. */
export function isDatabaseUnavailable(error: Error): boolean {
  if (error instanceof AggregateError)
    return error.errors.some((one) => one instanceof Error && isDatabaseUnavailable(one));
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string') return SOCKET_CODES.has(code) || STATES.test(code);
  return MESSAGES.test(error.message);
}
