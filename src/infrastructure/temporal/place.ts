import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';
import type { Config, SettingName } from '../config.js';
import { createPayloadCodec } from './payload-codec.js';

/** Where the workflow server is, how to get in, and how to read what is kept there. */
export interface TemporalPlace {
  readonly connection: {
    readonly address: string;
    readonly tls?: TemporalTls;
    readonly apiKey?: string;
  };
  readonly namespace: string;
  readonly dataConverter: DataConverter;
  /** The task queue of this name that this log's workers listen on: those of another log, in the same namespace, have others. */
  readonly queueOf: (name: string) => string;
}

interface TemporalTls {
  readonly serverNameOverride?: string;
  readonly serverRootCACertificate?: Buffer;
  readonly clientCertPair?: { readonly crt: Buffer; readonly key: Buffer };
}

/** The path of the converter that bundles of workflows need too; compiled or not. */
export const FAILURE_CONVERTER_PATH = fileURLToPath(
  new URL(`./failure-converter${import.meta.url.slice(-3)}`, import.meta.url),
);

/** What a connection needs. */
export const CONNECTION_SETTINGS = [
  'TEMPORAL_ADDRESS',
  'TEMPORAL_TLS',
  'TEMPORAL_TLS_SERVER_NAME',
  'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
  'TEMPORAL_TLS_CLIENT_CERT_PATH',
  'TEMPORAL_TLS_CLIENT_KEY_PATH',
  'TEMPORAL_API_KEY',
] as const satisfies readonly SettingName[];
type ConnectionSettings = Pick<Config, (typeof CONNECTION_SETTINGS)[number]>;

export type TemporalSettings = ConnectionSettings &
  Pick<Config, 'TEMPORAL_NAMESPACE' | 'TEMPORAL_PAYLOAD_KEY' | 'TEMPORAL_PAYLOAD_KEYS_ACCEPTED'>;

export async function temporalPlace(
  config: TemporalSettings,
  { logId }: { readonly logId: string },
): Promise<TemporalPlace> {
  return {
    connection: await temporalConnection(config),
    namespace: config.TEMPORAL_NAMESPACE,
    queueOf: (name) => `${name}/${logId}`,
    dataConverter: {
      failureConverterPath: FAILURE_CONVERTER_PATH,
      payloadCodecs: [createPayloadCodec([config.TEMPORAL_PAYLOAD_KEY, ...config.TEMPORAL_PAYLOAD_KEYS_ACCEPTED])],
    },
  };
}

/** How to get in, without what opens the payloads. */
export async function temporalConnection(config: ConnectionSettings): Promise<TemporalPlace['connection']> {
  const tls = config.TEMPORAL_TLS ? await tlsOf(config) : undefined;
  const apiKey = config.TEMPORAL_API_KEY;
  return {
    address: config.TEMPORAL_ADDRESS,
    ...(tls !== undefined && { tls }),
    ...(apiKey !== undefined && { apiKey }),
  };
}

async function tlsOf(config: ConnectionSettings): Promise<TemporalTls> {
  const { TEMPORAL_TLS_SERVER_NAME: name, TEMPORAL_TLS_SERVER_CA_CERT_PATH: caPath } = config;
  const { TEMPORAL_TLS_CLIENT_CERT_PATH: certPath, TEMPORAL_TLS_CLIENT_KEY_PATH: keyPath } = config;
  return {
    ...(name !== undefined && { serverNameOverride: name }),
    ...(caPath !== undefined && { serverRootCACertificate: await readFile(caPath) }),
    ...(certPath !== undefined &&
      keyPath !== undefined && { clientCertPair: { crt: await readFile(certPath), key: await readFile(keyPath) } }),
  };
}
