import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { temporalPlace } from '../../src/infrastructure/temporal/place.js';
import { batchLifecycleId, requestChanges } from '../../workflows/batch-lifecycle/contract.js';
import {
  batch,
  createNamespace,
  EXAMPLE_A,
  invite,
  product,
  requestMailsTo,
  startServiceWithWorker,
  tokenIn,
  type ServiceWithWorker,
} from '../support/brand-story.js';
import { createAuthority, type Authority } from '../support/certificates.js';
import { startDoor, type Door } from '../support/door.js';
import { startProgram, waitFor, type RunningProgram } from '../support/program.js';
import type { Brand } from '../support/service.js';

/*
 * A story as Temporal Cloud would have it: API and worker come over TLS with a certificate and an API key, and what the real
 * server keeps of it is searched for what a factory and a brand have said.
 */

const [payloadKey, nextKey] = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64url'));
const SAID = ['Needed by Friday', 'Count the kWh again', 'Ask for Quintessa', 'makingElectricityKwh', 'Organic tee'];

let authority: Authority;
let folder: string;
let door: Door;
let service: ServiceWithWorker;
let worker: RunningProgram | null = null;
let brand: Brand;
let batchId: string;
let server: Connection;
let environment: Record<string, string>;

beforeAll(async () => {
  authority = await createAuthority();
  folder = await mkdtemp(join(tmpdir(), 'passport-temporal-'));
  const client = await authority.issue('DNS:api.test');
  for (const [name, text] of Object.entries({ 'ca.pem': authority.ca, 'c.pem': client.cert, 'c.key': client.key })) {
    await writeFile(join(folder, name), text, { mode: 0o600 });
  }
  const apiKey = randomBytes(16).toString('hex');
  const upstream = inject('temporalAddress');
  const certificate = await authority.issue('DNS:temporal.test');
  door = await startDoor('grpc', {
    ...{ server: upstream, certificate, ca: authority.ca, authorization: `Bearer ${apiKey}` },
  });
  environment = {
    TEMPORAL_ADDRESS: door.address,
    TEMPORAL_NAMESPACE: await createNamespace(),
    TEMPORAL_TLS_SERVER_NAME: 'temporal.test',
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: join(folder, 'ca.pem'),
    TEMPORAL_TLS_CLIENT_CERT_PATH: join(folder, 'c.pem'),
    TEMPORAL_TLS_CLIENT_KEY_PATH: join(folder, 'c.key'),
    TEMPORAL_API_KEY: apiKey,
    TEMPORAL_PAYLOAD_KEY: payloadKey ?? '',
    TEMPORAL_PAYLOAD_KEYS_ACCEPTED: nextKey ?? '',
  };
  service = await startServiceWithWorker(environment);
  server = await Connection.connect({ address: upstream });
  brand = await service.asBrand();
}, 180_000);
afterAll(async () => {
  await worker?.stop();
  await service.close();
  await server.close();
  await door.close();
  await authority.remove();
  await rm(folder, { recursive: true });
});

const act = (call: string, payload?: object) =>
  brand.call({ method: 'POST', url: `/brand/batches/${batchId}/${call}`, ...(payload && { payload }) });

/** All that the server keeps of the namespace's workflows, its payloads as text too. */
async function kept(): Promise<string> {
  const client = new Client({ connection: server, namespace: service.config.TEMPORAL_NAMESPACE });
  const texts: string[] = [];
  for await (const { workflowId, runId } of client.workflow.list()) {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    const json = JSON.stringify(JSON.parse(historyToJSON(history), withoutCoresNotes));
    texts.push(json, ...[...json.matchAll(/"([A-Za-z0-9+/=]{8,})"/g)].map(([, text = '']) => fromBase64(text)));
  }
  return texts.join('\n');
}
/** What the SDK's core notes of a local activity (its number, its name, when it ran) goes through no codec. */
const withoutCoresNotes = (_name: string, value: unknown): unknown => {
  const marker = value as { readonly markerName?: string; readonly details?: object } | null;
  return marker?.markerName === 'core_local_activity'
    ? { ...marker, details: { ...marker.details, data: null } }
    : value;
};

const fromBase64 = (text: string): string => Buffer.from(text, 'base64').toString('utf8');

it('goes its way over TLS, with a certificate and an API key', async () => {
  const factory = await invite(brand, 'knitters');
  batchId = await batch(brand, await product(brand), factory);
  expect((await act('send-request', { notes: 'Needed by Friday' })).status).toBe(200);
  const [mail] = await requestMailsTo(factory.email);
  const url = `/factory/requests/${tokenIn(mail)}/submit`;
  const payload = { ...EXAMPLE_A, notes: 'Ask for Quintessa' };
  expect((await service.call({ method: 'POST', url, payload })).status).toBe(200);
  expect((await act('request-changes', { notes: 'Count the kWh again' })).status).toBe(200);
  expect(door.calls().let).toBeGreaterThan(10);
  expect(door.calls().refused).toBe(0);
});

it('is not let in without the key, nor without the certificate', async () => {
  const { TEMPORAL_API_KEY: _key, ...unkeyed } = environment;
  const { TEMPORAL_TLS_CLIENT_CERT_PATH: _cert, TEMPORAL_TLS_CLIENT_KEY_PATH: _path, ...uncertified } = environment;
  for (const settings of [unkeyed, uncertified]) {
    const read = { ...service.config, TEMPORAL_API_KEY: settings['TEMPORAL_API_KEY'] };
    const withTls = {
      ...read,
      TEMPORAL_TLS_CLIENT_CERT_PATH: settings['TEMPORAL_TLS_CLIENT_CERT_PATH'],
      TEMPORAL_TLS_CLIENT_KEY_PATH: settings['TEMPORAL_TLS_CLIENT_KEY_PATH'],
    };
    const place = await temporalPlace(withTls, { logId: 'dep_1' });
    await expect(Connection.connect({ ...place.connection, connectTimeout: 5_000 })).rejects.toThrow();
  }
});

it('tells its refusals to who has the key, and keeps them encrypted', async () => {
  const connection = await Connection.connect(service.temporal.connection);
  const { namespace, dataConverter } = service.temporal;
  const handle = new Client({ connection, namespace, dataConverter }).workflow.getHandle(batchLifecycleId(batchId));
  const call = {
    callId: 'late',
    actor: { type: 'system' as const, id: null },
    correlationId: 'test',
    notes: 'Too late',
  };
  const refused = await handle.executeUpdate(requestChanges, { args: [call] }).catch((error: unknown) => error);
  await connection.close();
  expect(refused).toMatchObject({ cause: { message: expect.stringContaining('The batch is in state') as string } });
});

it('leaves nothing on the server that was said by a brand or a factory, in failures neither', async () => {
  const text = await kept();
  // What is not secret shows that the search finds what is there.
  expect(text).toContain(batchLifecycleId(batchId));
  expect(text).toContain('binary/encrypted');
  expect(text).toContain('Encoded failure');
  for (const said of [...SAID, 'Too late', 'is in state', 'json/plain'])
    expect([said, text.includes(said)]).toEqual([said, false]);
});

it('goes on under another key, and the old one still opens what began under it', async () => {
  await service.worker().stop();
  worker = startProgram({
    file: 'workflows/main.ts',
    env: {
      ...service.environment,
      TEMPORAL_PAYLOAD_KEY: nextKey ?? '',
      TEMPORAL_PAYLOAD_KEYS_ACCEPTED: payloadKey ?? '',
    },
  });
  const program = worker;
  await waitFor(program, () => program.output().includes('"msg":"ready"'), 90_000);
  // Its history is replayed from the start, and what it answers is under the new key.
  const answer = await brand.call({
    method: 'POST',
    url: `/brand/batches/${batchId}/send-request`,
    payload: { notes: 'Once more' },
  });
  expect([answer.status, answer.json.state]).toEqual([200, 'sent']);
  const ids = [...(await kept()).matchAll(/"encryption-key-id": ?"([^"]+)"/g)].map(([, id = '']) => id);
  expect(new Set(ids).size).toBe(2);
});
