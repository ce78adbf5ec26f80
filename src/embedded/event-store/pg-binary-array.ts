/**
 * Postgres arrays in their binary form. The driver sends a Buffer as a binary parameter, so event bodies travel as they
 * are; as text each byte would cost two and an escape.
 */
const OID = { bool: 16, bytea: 17, int8: 20, text: 25, timestamptz: 1184, uuid: 2950 } as const;

const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1);
const LAST_INT64 = 2n ** 63n - 1n;

function encode(elementOid: number, elements: readonly Uint8Array[]): Buffer {
  let size = 20;
  for (const element of elements) size += 4 + element.length;
  const out = Buffer.allocUnsafe(size);
  out.writeInt32BE(1, 0);
  out.writeInt32BE(0, 4);
  out.writeInt32BE(elementOid, 8);
  out.writeInt32BE(elements.length, 12);
  out.writeInt32BE(1, 16);
  let at = 20;
  for (const element of elements) {
    out.writeInt32BE(element.length, at);
    out.set(element, at + 4);
    at += 4 + element.length;
  }
  return out;
}

const int64 = (value: bigint): Buffer => {
  const out = Buffer.allocUnsafe(8);
  out.writeBigInt64BE(value > LAST_INT64 ? LAST_INT64 : value);
  return out;
};

export const int8Array = (values: readonly number[]): Buffer =>
  encode(
    OID.int8,
    values.map((value) => int64(BigInt(value))),
  );

export const textArray = (values: readonly string[]): Buffer =>
  encode(
    OID.text,
    values.map((value) => Buffer.from(value, 'utf8')),
  );

export const uuidArray = (values: readonly string[]): Buffer =>
  encode(
    OID.uuid,
    values.map((value) => Buffer.from(value.replaceAll('-', ''), 'hex')),
  );

export const boolArray = (values: readonly boolean[]): Buffer =>
  encode(
    OID.bool,
    values.map((value) => Buffer.of(value ? 1 : 0)),
  );

export const timestampArray = (valuesMs: readonly number[]): Buffer =>
  encode(
    OID.timestamptz,
    valuesMs.map((valueMs) => int64(BigInt(valueMs - POSTGRES_EPOCH_MS) * 1000n)),
  );

export const byteaArray = (values: readonly Uint8Array[]): Buffer => encode(OID.bytea, values);
