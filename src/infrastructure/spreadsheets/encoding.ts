import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { guessEncoding, type NamedEncoding } from './encoding-guess.js';
import { unclearEncoding, unsupported } from './refusals.js';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | NamedEncoding;

/** Codes that no text has. */
const CONTROL = new Set([...range(0x00, 0x08), 0x0b, 0x0c, ...range(0x0e, 0x1f), 0x7f]);

/**
 * Names the encoding of a text file: by its byte order mark, else UTF-8 if the whole of it is, else the one that makes words of
 * its letters. Where that is none, or several that say different things, the file is refused: the caller knows it.
 */
export async function detectEncoding(path: string): Promise<Encoding> {
  const first = await readStart(path, 4096);
  if (first[0] === 0xff && first[1] === 0xfe) return 'utf-16le';
  if (first[0] === 0xfe && first[1] === 0xff) return 'utf-16be';
  const mostlyLatin = utf16WithoutMark(first);
  if (mostlyLatin !== null) return mostlyLatin;

  let isUtf8 = true;
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
    }
    if (isUtf8) utf8(chunk);
  }
  if (isUtf8) utf8();
  if (isUtf8) return 'utf-8';
  const guess = guessEncoding(await wordsOf(path));
  if (guess === null) throw unclearEncoding('The encoding of the file is unknown: it is neither UTF-8 nor UTF-16.');
  if ('encoding' in guess) return guess.encoding;
  const readings = guess.unclear.map(([encoding, word]) => `"${word}" in ${encoding}`);
  throw unclearEncoding(`The encoding of the file is unclear: it reads ${readings.join(', ')}.`);
}

const MAX_WORDS = 1_000;
const MAX_WORD_BYTES = 40;

/** Words of the file that have letters beyond ASCII, each once. */
async function wordsOf(path: string): Promise<readonly Uint8Array[]> {
  const words = new Map<string, Uint8Array>();
  let word: number[] = [];
  const end = (): void => {
    const beyond = word.filter((byte) => byte >= 0x80).length;
    // A sign that stands alone, such as a euro or a dash, is no word.
    const isWord = beyond > 0 && (beyond < word.length || beyond > 2) && word.length <= MAX_WORD_BYTES;
    if (isWord) words.set(Buffer.from(word).toString('latin1'), Uint8Array.from(word));
    word = [];
  };
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    for (const byte of chunk) {
      if (byte >= 0x80 || isLetter(byte)) word.push(byte);
      else if (word.length > 0) end();
    }
    if (words.size >= MAX_WORDS) break;
  }
  end();
  return [...words.values()].slice(0, MAX_WORDS);
}

const isLetter = (byte: number): boolean => (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);

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
