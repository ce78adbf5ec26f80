/** What stands behind the service. */
export type PartName = 'database' | 'event store' | 'workflow server' | 'mail server';

/** Where an operator says how a part is reached. */
const SETTINGS: Readonly<Record<PartName, Readonly<Record<'login' | 'address' | 'authority' | 'tls', string>>>> = {
  database: {
    login: 'DATABASE_URL',
    address: 'DATABASE_URL',
    authority: 'sslrootcert in DATABASE_URL',
    tls: 'sslmode in DATABASE_URL',
  },
  'event store': {
    login: 'EVENTSTORE_URL',
    address: 'EVENTSTORE_URL',
    authority: 'tlsCaFile in EVENTSTORE_URL',
    tls: 'tls in EVENTSTORE_URL',
  },
  'workflow server': {
    login: 'TEMPORAL_API_KEY',
    address: 'TEMPORAL_ADDRESS',
    authority: 'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
    tls: 'TEMPORAL_TLS',
  },
  'mail server': {
    login: 'SMTP_URL',
    address: 'SMTP_URL',
    authority: 'NODE_EXTRA_CA_CERTS',
    tls: 'smtp:// or smtps:// in SMTP_URL',
  },
};

interface Place {
  readonly part: PartName;
  readonly settings: (typeof SETTINGS)[PartName];
  /** Host and port, where the error names them. */
  readonly at: string;
}

/** What libraries say, by code or in words, and what that means; the first that fits counts. */
const CAUSES: readonly (readonly [said: RegExp, cause: (place: Place) => string])[] = [
  [/no pg_hba\.conf entry/, ({ settings }) => `nobody is let in like this: it may want TLS (${settings.tls})`],
  [
    /^(?:28P01|28000|EAUTH|16|7):|UNAUTHENTICATED|PERMISSION_DENIED|valid authentication credentials|does not have permission|access denied/im,
    ({ part, settings }) =>
      part === 'workflow server'
        ? `wrong API key: see ${settings.login}`
        : `wrong user or password: see ${settings.login}`,
  ],
  [/^3D000:/m, ({ settings }) => `there is no database of that name: see ${settings.address}`],
  [
    /UnknownIssuer|unable to verify the first certificate|unable to get (?:local )?issuer|self[- ]signed certificate/i,
    ({ settings }) => `certificate signed by an unknown authority: set ${settings.authority}`,
  ],
  [/ERR_TLS_CERT_ALTNAME_INVALID|does not match certificate|NotValidForName/, () => 'certificate of another host'],
  [/certificate has expired|InvalidCertificate\(Expired|CERT_HAS_EXPIRED/i, () => 'certificate that has expired'],
  [/CertificateRequired|certificate required|handshake failure/i, () => 'it wants a certificate of ours'],
  [
    /wrong version number|InvalidContentType|does not support SSL|establishing an SSL|^ETLS:/im,
    ({ at, settings }) => `no TLS is spoken${at}: see ${settings.tls}`,
  ],
  [
    /ECONNREFUSED|ConnectionRefused/,
    ({ at, settings }) => `nobody listens${at || ` at the address in ${settings.address}`}`,
  ],
  [
    /ENOTFOUND|Name resolution failed|dns error/,
    ({ settings }) => `there is no host of that name: see ${settings.address}`,
  ],
  [/EAI_AGAIN/, ({ settings }) => `the name of the host cannot be looked up now: see ${settings.address}`],
  [/EHOSTUNREACH|ENETUNREACH/, ({ at }) => `there is no way to the host${at}`],
  [/^53300:/m, () => 'it has no connection left'],
  [/^57P0[123]:|starting up|shutting down/im, () => 'it is starting or stopping'],
  [/^25006:/m, () => 'it takes no writes'],
  [
    /ETIMEDOUT|timeout|timed out|does not answer|no answer|DEADLINE_EXCEEDED|before the deadline|greeting never received/i,
    () => 'it does not answer',
  ],
  [/Failed to discover|says that it leads/, () => 'no node of the cluster answers as its leader'],
  [
    /ECONNRESET|EPIPE|socket hang up|connection (?:dropped|terminated)|broken ?pipe|failed to connect \(|HTTP status code|protocol error/i,
    ({ part, settings }) =>
      `the connection is cut: it stops, is no ${part}, or TLS is not as it wants it (${settings.tls})`,
  ],
  [/has ended a subscription/, () => 'it has ended a subscription'],
  [/did not answer|did not say/, () => 'it does not answer'],
  [/Namespace \S+ is not found/, () => 'there is no namespace of that name: see TEMPORAL_NAMESPACE'],
  [/ENOENT|certificate file/, ({ settings }) => `a file with certificates is not there: see ${settings.authority}`],
];

/** Whoever can make a library say long things makes nobody search through them. */
const MAX_TEXT = 1_000;

/**
 * Why a part cannot be used, in words for who can mend it. They hold nothing of a user name, a password or a token: what a library
 * says is told on only where it is known.
 */
export function outageCause(error: unknown, part: PartName): string {
  const text = textOf(error);
  const place = { part, settings: SETTINGS[part], at: addressIn(text) };
  const [, cause] = CAUSES.find(([said]) => said.test(text)) ?? [];
  return cause?.(place) ?? `it has failed (${nameOf(error)})`;
}

/** Of the error, what it was made of and what caused it: `code: message` each, the innermost last. */
function textOf(error: unknown): string {
  const lines: string[] = [];
  const visit = (current: unknown): void => {
    if (!(current instanceof Error) || lines.length >= 10) return;
    const { code } = current as { code?: unknown };
    lines.push(`${typeof code === 'string' || typeof code === 'number' ? code : ''}: ${current.message}`);
    if (current instanceof AggregateError) visit(current.errors[0]);
    visit(current.cause);
  };
  visit(error);
  return lines.join('\n').slice(0, MAX_TEXT);
}

/** Only where a connection was refused or there is no way: elsewhere a word with a colon may be anything. */
function addressIn(text: string): string {
  const found = /(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|"tcp connect error",) ([\w.:[\]-]{1,260}:\d{1,5})/.exec(
    text,
  )?.[1];
  return found === undefined ? '' : ` at ${found}`;
}

const nameOf = (error: unknown): string => {
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' || typeof code === 'number' ? String(code) : error.name;
};
