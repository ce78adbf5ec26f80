import { join } from 'node:path';
import type { NodeProgram } from './node-program.js';
import type { Backing } from './parts.js';
import type { Secrets } from './settings.js';

/** Settings of the operator that development takes as they are. */
const PASSED_ON = [
  'AUTH_CALLS_PER_MINUTE',
  'API_KEY_CALLS_PER_SECOND',
  'TRUST_PROXY',
  'TEMPORAL_TLS',
  'TEMPORAL_TLS_SERVER_NAME',
  'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
  'TEMPORAL_TLS_CLIENT_CERT_PATH',
  'TEMPORAL_TLS_CLIENT_KEY_PATH',
  'TEMPORAL_API_KEY',
  'TEMPORAL_PAYLOAD_KEYS_ACCEPTED',
  'TOKEN_SIGNING_KEYS_ACCEPTED',
  'IDP_ISSUER',
  'IDP_CLIENT_ID',
  'IDP_CLIENT_SECRET',
  'IDP_REDIRECT_URIS',
];

const given = (env: Readonly<NodeJS.ProcessEnv>, names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));

/** What the three programs, and the operator's command, read from their environment. */
export const programEnvironment = (options: {
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly port: number;
  readonly host: string;
  readonly backing: Backing;
  readonly secrets: Secrets;
}): Readonly<Record<string, string>> => {
  const { env, port, host, backing, secrets } = options;
  const baseUrl = env.BASE_URL || `http://localhost:${port}`;
  return {
    NODE_ENV: env.NODE_ENV || 'development',
    LOG_LEVEL: env.LOG_LEVEL || 'info',
    HOST: host,
    PORT: String(port),
    BASE_URL: baseUrl,
    CONSUMER_URL: env.CONSUMER_URL || baseUrl,
    DATABASE_URL: backing.databaseUrl,
    EVENTSTORE_URL: backing.eventStoreUrl,
    TEMPORAL_ADDRESS: backing.temporalAddress,
    TEMPORAL_NAMESPACE: env.TEMPORAL_NAMESPACE || 'default',
    SMTP_URL: backing.smtpUrl,
    MAIL_FROM: env.MAIL_FROM || 'Product Passports <passports@localhost>',
    ADMIN_TOKEN: secrets.adminToken,
    TOKEN_SIGNING_KEY: secrets.tokenSigningKey,
    LINK_KEY: secrets.linkKey,
    ENCRYPTION_KEY: secrets.encryptionKey,
    TEMPORAL_PAYLOAD_KEY: secrets.temporalPayloadKey,
    ...given(env, PASSED_ON),
    ALLOW_LOCAL_WEBHOOKS: env.ALLOW_LOCAL_WEBHOOKS || 'true',
  };
};

/** The three programs as they lie below the compiled tree; ready when they say so. */
export const servicePrograms = (root: string, environment: Readonly<NodeJS.ProcessEnv>): readonly NodeProgram[] => [
  {
    name: 'api',
    file: join(root, 'src', 'main.js'),
    env: environment,
    maxOldSpaceMb: 256,
    ready: { url: `http://127.0.0.1:${environment.PORT}/health/ready` },
  },
  {
    name: 'projector',
    file: join(root, 'projections', 'main.js'),
    env: environment,
    maxOldSpaceMb: 192,
    ready: { message: 'ready' },
  },
  {
    name: 'worker',
    file: join(root, 'workflows', 'main.js'),
    env: environment,
    maxOldSpaceMb: 384,
    ready: { message: 'ready' },
  },
];
