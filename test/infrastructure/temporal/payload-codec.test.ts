import { randomBytes } from 'node:crypto';
import { defaultPayloadConverter } from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/infrastructure/config.js';
import { createPayloadCodec } from '../../../src/infrastructure/temporal/payload-codec.js';

const [old, next] = [randomBytes(32), randomBytes(32)];
const text = 'Call Mrs Yılmaz';
const payload = defaultPayloadConverter.toPayload({ notes: text });
const bytesOf = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []);

describe('a payload of a workflow', () => {
  it('is ciphertext, names its key, and is another one each time', async () => {
    const [one, other] = await createPayloadCodec([old]).encode([payload, payload]);
    expect(bytesOf(one?.data).includes(Buffer.from(text))).toBe(false);
    expect(bytesOf(one?.data).equals(bytesOf(other?.data))).toBe(false);
    expect(Object.keys(one?.metadata ?? {}).sort()).toEqual(['encoding', 'encryption-key-id']);
    expect(bytesOf(one?.metadata?.['encryption-key-id']).toString()).toMatch(/^[0-9a-f]{16}$/);
  });

  it('is read by whoever accepts its key, also after another has come', async () => {
    const before = await createPayloadCodec([old]).encode([payload]);
    const rotated = createPayloadCodec([next, old]);
    const [read] = await rotated.decode(before);
    expect(defaultPayloadConverter.fromPayload(read ?? {})).toEqual({ notes: text });
    // The new key writes, and is read by those who do not write with it yet.
    const after = await rotated.encode([payload]);
    await expect(createPayloadCodec([old]).decode(after)).rejects.toThrow(/TEMPORAL_PAYLOAD_KEY/);
    const [early] = await createPayloadCodec([old, next]).decode(after);
    expect(defaultPayloadConverter.fromPayload(early ?? {})).toEqual({ notes: text });
  });

  it('is refused when it was changed', async () => {
    const codec = createPayloadCodec([old]);
    const [sealed] = await codec.encode([payload]);
    const data = Buffer.from(sealed?.data ?? []);
    data[data.length - 1] = (data.at(-1) ?? 0) ^ 1;
    await expect(codec.decode([{ ...sealed, data }])).rejects.toThrow();
  });

  it('of the server, which is not encrypted, is left as it is', async () =>
    expect(await createPayloadCodec([old]).decode([payload])).toEqual([payload]));
});

describe('the line to the workflow server', () => {
  const key = 'A'.repeat(43);
  const needed = { DATABASE_URL: 'postgres://', EVENTSTORE_URL: 'esdb://x', ADMIN_TOKEN: key, LINK_KEY: key };
  const keys = { TOKEN_SIGNING_KEY: key, ENCRYPTION_KEY: key, TEMPORAL_PAYLOAD_KEY: key };
  const read = (set: Record<string, string>) => readConfig({ ...needed, ...keys, ...set });

  it.each([
    [{}, false],
    [{ TEMPORAL_TLS: 'true' }, true],
    [{ TEMPORAL_API_KEY: 'k' }, true],
    [{ TEMPORAL_TLS_SERVER_CA_CERT_PATH: 'ca.pem' }, true],
    [{ TEMPORAL_TLS_CLIENT_CERT_PATH: 'a.pem', TEMPORAL_TLS_CLIENT_KEY_PATH: 'a.key' }, true],
  ])('with %j is encrypted: %s', (set, tls) => expect(read(set).TEMPORAL_TLS).toBe(tls));

  it.each([
    [{ TEMPORAL_TLS: 'false', TEMPORAL_API_KEY: 'k' }, 'TEMPORAL_TLS'],
    [{ TEMPORAL_TLS_CLIENT_CERT_PATH: 'a.pem' }, 'TEMPORAL_TLS_CLIENT_CERT_PATH'],
    [{ TEMPORAL_PAYLOAD_KEY: '' }, 'TEMPORAL_PAYLOAD_KEY'],
  ])('is refused with %j', (set, name) => expect(() => read(set)).toThrow(name));
});
