import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';

const ENCODING = 'binary/encrypted';
const KEY_ID = 'encryption-key-id';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const { Payload: PayloadMessage } = proto.temporal.api.common.v1;

/**
 * What workflows are given, answer and fail with, as the workflow server keeps it: AES-256-GCM under the first key, whose id stands
 * beside it. Payloads under the others are still read, so that a new key can come while workflows live on for weeks.
 */
export function createPayloadCodec(keys: readonly [Uint8Array, ...Uint8Array[]]): PayloadCodec {
  const byId = new Map(keys.map((key) => [idOf(key), key]));
  const [current] = keys;
  const currentId = idOf(current);
  return {
    encode: (payloads) =>
      Promise.resolve(
        payloads.map((payload) => ({
          metadata: { encoding: Buffer.from(ENCODING), [KEY_ID]: Buffer.from(currentId) },
          data: sealed(current, PayloadMessage.encode(payload).finish()),
        })),
      ),
    decode: async (payloads) => payloads.map((payload) => opened(payload, byId)),
  };
}

/** Says which key it is and nothing else. */
const idOf = (key: Uint8Array): string =>
  createHash('sha256').update('id of a payload key').update(key).digest('hex').slice(0, 16);

function sealed(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const ciphertext = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

function opened(payload: Payload, keys: ReadonlyMap<string, Uint8Array>): Payload {
  // What the server has made itself, or an operator has sent by its command line.
  if (textOf(payload.metadata?.['encoding']) !== ENCODING) return payload;
  const id = textOf(payload.metadata?.[KEY_ID]);
  const key = keys.get(id);
  if (key === undefined) {
    throw new Error(`a payload is under the key ${id}, which is neither TEMPORAL_PAYLOAD_KEY nor accepted beside it`);
  }
  const bytes = Buffer.from(payload.data ?? []);
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const plain = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  return PayloadMessage.decode(Buffer.concat([plain, decipher.final()]));
}

const textOf = (bytes: Uint8Array | null | undefined): string => Buffer.from(bytes ?? []).toString('utf8');
