import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { trustedProxies } from './trusted-proxies.js';
import { withoutEnd } from '../core/text.js';
import { parseEventStoreAddress } from './event-store/address.js';

/** 32 random bytes as base64url: a key for signing, encrypting or deriving links. */
const key32 = z
  .string()
  .transform((text) => Buffer.from(text, 'base64url'))
  .refine((bytes) => bytes.length === 32, 'must be 32 bytes as base64url');

/** Comma-separated values; none by default. */
const listOf = <Item extends z.ZodType<unknown, string>>(item: Item) =>
  z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== ''),
    )
    .pipe(z.array(item));

export const isLoopback = (url: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(new URL(url).hostname);

/** Paths are put behind it. */
const address = z.url().transform((url) => withoutEnd(url, '/'));

/** Checked here, so that a wrong one ends the start with a line of ours; who connects reads it again. */
const eventStoreAddress = z.string().check(({ value, issues }) => {
  try {
    parseEventStoreAddress(value);
  } catch (error) {
    issues.push({ code: 'custom', input: value, message: error instanceof Error ? error.message : String(error) });
  }
});

const port = z.coerce.number().int().min(0).max(65535);

/** Every setting of the three programs and the operator's command; `docs/operations.md` explains each. */
const settings = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  HOST: z.string().default('0.0.0.0'),
  PORT: port.default(3000),
  /** Where projector and worker answer `/health/ready` and `/metrics`; nowhere without it. */
  METRICS_PORT: port.optional(),
  /** Where clients reach the API, and where the pages of factories live. */
  BASE_URL: address.default('http://localhost:3000'),
  /** What the QR codes encode; the public pages answer below it. */
  CONSUMER_URL: address.default('http://localhost:3000'),
  DATABASE_URL: z.string(),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(200).default(10),
  EVENTSTORE_URL: eventStoreAddress,
  /** Where `move-store` copies the log to, as long as it is not said on the command line. */
  MOVE_STORE_TO: eventStoreAddress.optional(),
  TEMPORAL_ADDRESS: z.string().default('127.0.0.1:7233'),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  /** On by itself where an API key, a certificate or an authority is named. */
  TEMPORAL_TLS: z.stringbool().optional(),
  /** The name that the server's certificate must have; that of the address by default. */
  TEMPORAL_TLS_SERVER_NAME: z.string().optional(),
  /** Files in PEM. Without an authority of its own the server's certificate must come from a public one. */
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: z.string().optional(),
  TEMPORAL_TLS_CLIENT_CERT_PATH: z.string().optional(),
  TEMPORAL_TLS_CLIENT_KEY_PATH: z.string().optional(),
  TEMPORAL_API_KEY: z.string().optional(),
  /** Encrypts what workflows are given and answer, before it leaves the process. */
  TEMPORAL_PAYLOAD_KEY: key32,
  /** Further keys whose payloads are read, comma-separated: those of workflows that began under them. */
  TEMPORAL_PAYLOAD_KEYS_ACCEPTED: listOf(key32),
  /** A bundle of the workflows made before; without it the worker takes the build's, or makes one at its start. */
  WORKFLOW_BUNDLE: z.string().optional(),
  SMTP_URL: z.string().default('smtp://127.0.0.1:1025'),
  MAIL_FROM: z.string().default('Product Passports <passports@localhost>'),
  ADMIN_TOKEN: z.string().min(16),
  TOKEN_SIGNING_KEY: key32,
  /** Further keys whose tokens are taken, comma-separated: the one before, or the next one while processes are exchanged. */
  TOKEN_SIGNING_KEYS_ACCEPTED: listOf(key32),
  LINK_KEY: key32,
  ENCRYPTION_KEY: key32,
  /** Auth calls a minute for one socket address. */
  AUTH_CALLS_PER_MINUTE: z.coerce.number().int().min(1).default(300),
  /** Calls a second for one API key. */
  API_KEY_CALLS_PER_SECOND: z.coerce.number().int().min(1).max(10_000).default(100),
  /** `X-Forwarded-For` counts only behind proxies of ours. */
  TRUST_PROXY: trustedProxies,
  ALLOW_LOCAL_WEBHOOKS: z.stringbool().default(false),
  /** What one imported file may have at most. */
  IMPORT_MAX_ROWS: z.coerce.number().int().min(1).max(1_000_000).default(100_000),
  IMPORT_MAX_FILE_MIB: z.coerce.number().int().min(1).max(1_000).default(50),
  /** How long a write waits for the projector before it answers anyway. */
  READ_YOUR_WRITES_MS: z.coerce.number().int().min(0).max(30_000).default(2_000),
  /** The OpenID Connect provider, if there is one: its name as it calls itself in its discovery document. */
  IDP_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  IDP_CLIENT_ID: z.string().optional(),
  IDP_CLIENT_SECRET: z.string().optional(),
  /** Where the provider may send people back to, comma-separated; compared letter by letter. */
  IDP_REDIRECT_URIS: listOf(z.url()),
});

type Settings = z.infer<typeof settings>;

/** What settings say of each other; of one that is not read they say nothing. */
function checkTogether(set: Partial<Settings>, context: z.RefinementCtx): void {
  const wrong = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
  const { TEMPORAL_TLS_CLIENT_CERT_PATH: certificate, TEMPORAL_TLS_CLIENT_KEY_PATH: key } = set;
  if ((certificate === undefined) !== (key === undefined)) {
    wrong('TEMPORAL_TLS_CLIENT_CERT_PATH', 'goes with TEMPORAL_TLS_CLIENT_KEY_PATH');
  }
  if (set.TEMPORAL_TLS === false && (set.TEMPORAL_API_KEY !== undefined || certificate !== undefined)) {
    wrong('TEMPORAL_TLS', 'must be on: an API key or a certificate is nothing for an open line');
  }
  const { IDP_ISSUER: issuer, IDP_CLIENT_ID: clientId, NODE_ENV } = set;
  if (issuer === undefined) return;
  if (clientId === undefined) wrong('IDP_CLIENT_ID', 'is needed with IDP_ISSUER');
  if (issuer.startsWith('http:') && (NODE_ENV === 'production' || !isLoopback(issuer))) {
    wrong('IDP_ISSUER', 'must be https; http only on this machine, and not in production');
  }
}

const withTls = <Set extends Partial<Settings>>(set: Set) => ({
  ...set,
  TEMPORAL_TLS:
    set.TEMPORAL_TLS ??
    (set.TEMPORAL_API_KEY ?? set.TEMPORAL_TLS_CLIENT_CERT_PATH ?? set.TEMPORAL_TLS_SERVER_CA_CERT_PATH) !== undefined,
});

export type Config = ReturnType<typeof withTls<Settings>>;
export type SettingName = keyof Config;

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings; throws one line that names every setting that is missing or wrong, never a value. */
export const readConfig = (environment: Environment = process.env): Config =>
  parse(settings.superRefine(checkTogether).transform(withTls), environment);

/** The same for these alone. */
function readSettings<Name extends SettingName>(names: readonly Name[], environment: Environment): Pick<Config, Name> {
  const mask = Object.fromEntries(names.map((name) => [name, true])) as Partial<Record<SettingName, true>>;
  const some: z.ZodType<Partial<Settings>> = settings.pick(mask);
  return parse(some.superRefine(checkTogether).transform(withTls), environment) as Pick<Config, Name>;
}

const withoutBlanks = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));

function parse<Schema extends z.ZodType>(schema: Schema, environment: Environment): z.infer<Schema> {
  const set = withoutBlanks(environment);
  const result = schema.safeParse(set);
  if (result.success) return result.data;
  const wrong = result.error.issues.map(({ code, path, message }) => {
    const name = path.join('.');
    return `${name} (${code === 'invalid_type' && set[name] === undefined ? 'is not set' : message})`;
  });
  throw new Error(`configuration: ${wrong.join(', ')}`);
}

/** In which file of `DATA_DIR` the development service writes down what the operator's commands may need, and under which name. */
const OF_DEVELOPMENT: Readonly<Partial<Record<SettingName, readonly [file: string, member: string]>>> = {
  DATABASE_URL: ['dev.json', 'databaseUrl'],
  EVENTSTORE_URL: ['dev.json', 'eventStoreUrl'],
  TEMPORAL_ADDRESS: ['dev.json', 'temporalAddress'],
  SMTP_URL: ['dev.json', 'smtpUrl'],
  ENCRYPTION_KEY: ['secrets.json', 'encryptionKey'],
};

/**
 * The settings that a command of the operator's needs: where the environment names no database and no event store, those of the
 * development service whose folder is `DATA_DIR`.
 */
export async function readOperatorSettings<Name extends SettingName>(
  names: readonly Name[],
  environment: Environment = process.env,
): Promise<Pick<Config, Name>> {
  if (environment['DATABASE_URL'] || environment['EVENTSTORE_URL']) return readSettings(names, environment);
  const folder = resolve(environment['DATA_DIR'] || '.data');
  const found: Record<string, string | undefined> = {};
  for (const name of names.filter((one) => !environment[one])) {
    const [file, member] = OF_DEVELOPMENT[name] ?? [];
    if (file !== undefined && member !== undefined) found[name] = (await readFacts(join(folder, file)))[member];
  }
  return readSettings(names, { ...found, ...withoutBlanks(environment) });
}

/** The stores that the environment names, for a command that starts the embedded ones in the place of the others. */
export const readNamedStores = (environment: Environment = process.env) =>
  parse(settings.pick({ DATABASE_URL: true, EVENTSTORE_URL: true, MOVE_STORE_TO: true }).partial(), environment);

async function readFacts(path: string): Promise<Readonly<Record<string, string>>> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Record<string, string>;
  } catch (error) {
    throw new Error(`There is no ${path}. Start the service (npm start), or set DATABASE_URL and EVENTSTORE_URL.`, {
      cause: error,
    });
  }
}
