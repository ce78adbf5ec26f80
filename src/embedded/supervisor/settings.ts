import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { findFreePort, isPortFree } from '../ports.js';
import { StartError } from '../start-error.js';
import { readIfThere, writeWhole } from './data-dir.js';

type Environment = Readonly<NodeJS.ProcessEnv>;

const DEFAULT_PORT = 3_000;

export const readPort = (env: Environment): number => {
  const text = env.PORT;
  if (text === undefined || text === '') return DEFAULT_PORT;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new StartError(`PORT is ${JSON.stringify(text)}; set it to a number from 1 to 65535.`);
  }
  return port;
};

export const demandFreePort = async (port: number, host: string): Promise<void> => {
  if (await isPortFree(port, host)) return;
  const free = await findFreePort();
  throw new StartError(
    `Port ${port} on ${host} is taken. Stop what uses it, or set PORT to another one, such as PORT=${free}.`,
  );
};

const PART_NAMES = ['postgres', 'eventStore', 'temporal', 'temporalUi', 'smtp', 'mailHttp'] as const;
export type PartPorts = Readonly<Record<(typeof PART_NAMES)[number], number>>;

/** Ports of the parts, the same in every run as long as nobody else has taken them. */
export const choosePartPorts = async (dataDir: string): Promise<PartPorts> => {
  const file = join(dataDir, 'ports.json');
  const kept = JSON.parse((await readIfThere(file)) ?? '{}') as Partial<PartPorts>;
  const ports: Partial<Record<(typeof PART_NAMES)[number], number>> = {};
  for (const name of PART_NAMES) {
    const before = kept[name];
    const taken = [...Object.values(kept), ...Object.values(ports)];
    ports[name] = before !== undefined && (await isPortFree(before)) ? before : await findFreePort('127.0.0.1', taken);
  }
  await writeWhole(file, JSON.stringify(ports, null, 2));
  return ports as PartPorts;
};

export interface Secrets {
  readonly adminToken: string;
  readonly tokenSigningKey: string;
  readonly linkKey: string;
  readonly encryptionKey: string;
  readonly temporalPayloadKey: string;
  readonly demoPassword: string;
}

/** Generated once and kept, readable by their owner only; the environment may bring its own. */
export const readSecrets = async (dataDir: string, env: Environment): Promise<Secrets> => {
  const file = join(dataDir, 'secrets.json');
  const text = await readIfThere(file);
  const kept = JSON.parse(text ?? '{}') as Partial<Secrets>;
  const key = (): string => randomBytes(32).toString('base64url');
  const secrets: Secrets = {
    adminToken: kept.adminToken ?? key(),
    tokenSigningKey: kept.tokenSigningKey ?? key(),
    linkKey: kept.linkKey ?? key(),
    encryptionKey: kept.encryptionKey ?? key(),
    temporalPayloadKey: kept.temporalPayloadKey ?? key(),
    demoPassword: kept.demoPassword ?? randomBytes(9).toString('base64url'),
  };
  const next = JSON.stringify(secrets, null, 2);
  if (next !== text) await writeWhole(file, next);
  return {
    ...secrets,
    adminToken: env.ADMIN_TOKEN || secrets.adminToken,
    tokenSigningKey: env.TOKEN_SIGNING_KEY || secrets.tokenSigningKey,
    linkKey: env.LINK_KEY || secrets.linkKey,
    encryptionKey: env.ENCRYPTION_KEY || secrets.encryptionKey,
    temporalPayloadKey: env.TEMPORAL_PAYLOAD_KEY || secrets.temporalPayloadKey,
  };
};
