import { TYPE } from '@formatjs/icu-messageformat-parser';
import { IntlMessageFormat } from 'intl-messageformat';
import type { Value } from './arguments.js';

/** What a key says: a text, or, where its message takes arguments, a function of them. */
type Said<Arguments> = [Arguments] extends [never] ? string : (values: Arguments) => string;

type ArgumentsOf<Key, Arguments> = Key extends keyof Arguments ? Arguments[Key] : never;

type Head<Key extends string> = Key extends `${infer First}.${string}` ? First : Key;

type Rest<Key extends string, First extends string> = Key extends `${First}.${infer Others}` ? Others : never;

type Below<Arguments, First extends string> = {
  [Key in keyof Arguments & string as Rest<Key, First>]: Arguments[Key];
};

/** The flat keys of a file (`stages.use`) as the tree that code reads (`texts.stages.use`). */
export type Texts<Keys extends string, Arguments> = {
  readonly [First in Head<Keys>]: First extends Keys
    ? Said<ArgumentsOf<First, Arguments>>
    : Texts<Rest<Keys, First>, Below<Arguments, First>>;
};

/** Without an apostrophe or a brace a message says what it is. */
const PLAIN = /^[^'{}]*$/;

/** Texts are words, never markup: what looks like a tag is shown as it is written, and pages escape all of it. */
const AS_WORDS = { ignoreTag: true };

function said(message: string, tag: string): string | ((values: Readonly<Record<string, Value>>) => string) {
  if (PLAIN.test(message)) return message;
  const format = new IntlMessageFormat(message, tag, undefined, AS_WORDS);
  const takesValues = format.getAst().some(({ type }) => type !== TYPE.literal);
  return takesValues ? (values) => format.format<string>(values) as string : String(format.format());
}

/** Every message of a file, parsed once; `tag` is the language that plurals are chosen by. */
export function compileTexts(messages: Readonly<Record<string, string>>, tag: string): object {
  const tree: Record<string, unknown> = {};
  for (const [key, message] of Object.entries(messages)) {
    const path = key.split('.');
    const name = path.pop() ?? key;
    let branch = tree;
    for (const part of path) branch = (branch[part] ??= {}) as Record<string, unknown>;
    branch[name] = said(message, tag);
  }
  return tree;
}
