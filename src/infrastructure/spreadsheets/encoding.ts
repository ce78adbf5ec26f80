import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { unreadable, unsupported } from './refusals.js';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

// Codes that neither text nor Windows-1252 has.
const CONTROL = new Set([...range(0x00, 0x08), 0x0b, 0x0c, ...range(0x0e, 0x1f), 0x7f]);
const UNDEFINED_IN_1252 = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);

/**
 * Names the encoding of a text file: by its byte order mark, else UTF-8 if the whole of it is, else Windows-1252 if every byte
 * means something there.
 */
export async function detectEncoding(path: string): Promise<Encoding> {
  const first = await readStart(path, 4096);
  if (first[0] === 0xff && first[1] === 0xfe) return 'utf-16le';
  if (first[0] === 0xfe && first[1] === 0xff) return 'utf-16be';
  const mostlyLatin = utf16WithoutMark(first);
  if (mostlyLatin !== null) return mostlyLatin;

  let isUtf8 = true;
  let is1252 = true;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const utf8 = (chunk?: Uint8Array): void => {
    try {
      decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      isUtf8 = false;
    }
  };
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    for (const byte of chunk) {
      if (CONTROL.has(byte)) {
        throw unsupported('The file is neither an .xlsx workbook nor a CSV: it holds bytes that no text has.');
      }
      if (UNDEFINED_IN_1252.has(byte)) is1252 = false;
    }
    if (isUtf8) utf8(chunk);
    if (!isUtf8 && !is1252) throw unknownEncoding();
  }
  if (isUtf8) utf8();
  if (isUtf8) return 'utf-8';
  if (is1252) return 'windows-1252';
  throw unknownEncoding();
}

const unknownEncoding = () =>
  unreadable(
    'The encoding of the file is unknown: it is neither UTF-8, UTF-16 nor Windows-1252. Save it as "CSV UTF-8".',
  );

export async function readStart(path: string, bytes: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Latin text as UTF-16 has a zero in every other byte. */
function utf16WithoutMark(start: Buffer): Encoding | null {
  if (start.length < 8) return null;
  let even = 0;
  let odd = 0;
  for (const [index, byte] of start.entries()) {
    if (byte !== 0) continue;
    if (index % 2 === 0) even += 1;
    else odd += 1;
  }
  const half = start.length / 2;
  if (odd > half * 0.7 && even < half * 0.05) return 'utf-16le';
  if (even > half * 0.7 && odd < half * 0.05) return 'utf-16be';
  return null;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
