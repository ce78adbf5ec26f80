/** Why an attempt did not end well, in words for the owner of the webhook. */
export class SendFailure extends Error {
  override readonly name = 'SendFailure';
}

export const NOT_PUBLIC = 'the address of the host is not a public one, so nothing was sent';

/** By the code of an error of a socket, of TLS or of the HTTP parser. Their own messages may name internal things. */
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the receiver closed the connection before it had answered',
  EPIPE: 'the receiver closed the connection before it had answered',
  ETIMEDOUT: 'the host does not answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network of the host cannot be reached',
  EADDRNOTAVAIL: 'the host cannot be reached',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  CERT_REVOKED: 'the certificate has been revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate comes from an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'the certificate comes from an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate comes from an authority that is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the chain of the certificate is not complete',
  HPE_HEADER_OVERFLOW: 'the headers of the answer are too long',
};

/** Any failure as words; of an error that is not known, nothing but its code is told. */
export function failureInWords(error: unknown): string {
  if (error instanceof SendFailure) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const words = WORDS[code];
  if (words !== undefined) return words;
  if (code.startsWith('HPE_')) return 'the answer is not HTTP';
  if (/^(ERR_SSL|ERR_TLS|CERT_|EPROTO)/.test(code)) return `no secure connection could be made (${code})`;
  return `the connection failed${/^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? ` (${code})` : ''}`;
}
