import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';

/** The arguments of an ICU message by name, each with the type that it takes in TypeScript. */
export function argumentsOf(message: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (elements: readonly MessageFormatElement[]): void => {
    for (const element of elements) {
      switch (element.type) {
        case TYPE.argument:
          if (!found.has(element.value)) found.set(element.value, 'Value');
          break;
        case TYPE.number:
          found.set(element.value, 'number');
          break;
        case TYPE.plural:
          found.set(element.value, 'number');
          for (const { value } of Object.values(element.options)) visit(value);
          break;
        case TYPE.select:
          found.set(element.value, 'string');
          for (const { value } of Object.values(element.options)) visit(value);
          break;
        case TYPE.literal:
        case TYPE.pound:
          break;
        default:
          throw new Error(`texts hold no dates, times or tags: ${message}`);
      }
    }
  };
  visit(parse(message, { ignoreTag: true }));
  return found;
}
