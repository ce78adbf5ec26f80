import { createRequire } from 'node:module';
import { columnLetters } from './cells.js';

interface Element {
  readonly name: string;
  readonly attributes?: Record<string, string>;
}

interface SaxEvent {
  readonly eventType: 'opentag' | 'text' | 'closetag';
  readonly value: Element | string;
}

type Events = AsyncIterable<readonly SaxEvent[]>;

interface PartReader {
  parse(events: Events): Promise<unknown>;
  takesElementsOfOthers?: true;
}

/** Namespaces whose elements exceljs knows, by names without a prefix. */
const KNOWN = new Set([
  'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  'http://schemas.openxmlformats.org/package/2006/relationships',
  'http://schemas.openxmlformats.org/package/2006/content-types',
]);

/**
 * Lets exceljs read what other writers may write and it does not expect: elements under a prefix (`<x:row>`), and rows and cells
 * that do not say where they are, which then follow on the one before. The library has no other place to do it in.
 */
export function takeElementsOfOthers(): void {
  const { prototype } = createRequire(import.meta.url)('exceljs/lib/xlsx/xform/base-xform.js') as {
    prototype: PartReader;
  };
  if (prototype.takesElementsOfOthers) return;
  prototype.takesElementsOfOthers = true;
  // Called below with the reader that it belongs to.
  // eslint-disable-next-line @typescript-eslint/unbound-method
  const { parse } = prototype;
  prototype.parse = function (this: PartReader, events) {
    return parse.call(this, asExpected(events));
  };
}

async function* asExpected(events: Events): AsyncGenerator<readonly SaxEvent[]> {
  let prefix: string | null = null;
  const place = placing();
  for await (const some of events) {
    const [first] = some.flatMap(({ value }) => (typeof value === 'string' ? [] : [value]));
    // The first element of a part says what prefix it has.
    if (first !== undefined) prefix ??= prefixOf(first);
    const named = prefix === null || prefix === '' ? some : some.map((event) => withoutPrefix(event, prefix ?? ''));
    for (const { eventType, value } of named) {
      if (eventType === 'opentag' && typeof value !== 'string') place(value.name, value.attributes ?? {});
    }
    yield named;
  }
}

/** A new element: the parser goes on with its own, and compares its name with the one that closes. */
function withoutPrefix(event: SaxEvent, prefix: string): SaxEvent {
  const { eventType, value } = event;
  if (typeof value === 'string' || !value.name.startsWith(prefix)) return event;
  return { eventType, value: { ...value, name: value.name.slice(prefix.length) } };
}

function prefixOf({ name, attributes = {} }: Element): string {
  const colon = name.indexOf(':');
  const prefix = name.slice(0, Math.max(0, colon));
  return colon > 0 && KNOWN.has(attributes[`xmlns:${prefix}`] ?? '') ? `${prefix}:` : '';
}

/** Tells rows and cells that do not say it where they are. */
function placing(): (name: string, attributes: Record<string, string>) => void {
  let row = 0;
  let column = -1;
  return (name, attributes) => {
    if (name === 'row') {
      row = attributes['r'] === undefined ? row + 1 : Number(attributes['r']);
      attributes['r'] = String(row);
      column = -1;
    } else if (name === 'c' && row > 0) {
      column = attributes['r'] === undefined ? column + 1 : columnOf(attributes['r']);
      attributes['r'] ??= `${columnLetters(column)}${row}`;
    }
  };
}

/** `AB12` is 27. */
function columnOf(address: string): number {
  let column = 0;
  for (const letter of address) {
    if (letter < 'A' || letter > 'Z') break;
    column = column * 26 + letter.charCodeAt(0) - 64;
  }
  return column - 1;
}
