import type { DomainEvent } from './events.js';

/** What a private text reads as once a key that it hangs on has been erased. */
export const ERASED_TEXT = '[erased]';

/** Whose keys a text hangs on, by their ids: it can be read as long as none of them has been erased. */
export type KeyHolders<Data> = (data: Data, organizationId: string | null) => readonly (string | null)[];

/** Which texts of an event are private, by their path in `data`, and whose keys each hangs on. */
export type PrivateFields<E extends DomainEvent> = {
  readonly [One in E as One['type']]?: { readonly [Path in TextPath<One['data']>]?: KeyHolders<One['data']> };
};

/** The same for whoever seals and opens events of any module. */
export type AnyPrivateFields = Readonly<
  Record<string, Readonly<Record<string, KeyHolders<never> | undefined>> | undefined>
>;

/** Texts are strings that may hold anything; ids and closed lists of words are none. Lists of texts are not supported. */
type TextPath<Data> = {
  [Name in keyof Data & string]: Name extends `${string}Id`
    ? never
    : NonNullable<Data[Name]> extends infer Value
      ? Value extends string
        ? string extends Value
          ? Name
          : never
        : Value extends readonly unknown[]
          ? never
          : Value extends object
            ? `${Name}.${TextPath<Value>}`
            : never
      : never;
}[keyof Data & string];

/** The names of all texts of an event, those in lists among them. */
type TextName<Data> = {
  [Name in keyof Data & string]: Name extends `${string}Id` | `${string}Ids`
    ? never
    : NonNullable<Data[Name]> extends infer Value
      ? Value extends readonly (infer Item)[]
        ? Item extends object
          ? TextName<Item>
          : string extends Item
            ? Name
            : never
        : Value extends object
          ? TextName<Value>
          : string extends Value
            ? Name
            : never
      : never;
}[keyof Data & string];

/** Refuses what is no event of the module, and no path of a text in it. */
type OnlyTexts<E extends DomainEvent, Fields> = {
  readonly [Type in keyof Fields]: {
    readonly [Path in keyof Fields[Type]]: Path extends TextPath<Extract<E, { type: Type }>['data']> ? unknown : never;
  };
};

type LastName<Path> = Path extends `${string}.${infer Rest}` ? LastName<Rest> : Path;

type Undecided<E extends DomainEvent, Fields, Open> = E extends DomainEvent
  ? Exclude<TextName<E['data']>, Open | LastName<E['type'] extends keyof Fields ? keyof Fields[E['type']] : never>>
  : never;

/**
 * Decides on every text of a module's events: private, or open, which is readable in the log for good. A text that is in neither
 * list does not compile.
 */
export const textsOf = <E extends DomainEvent>() => ({
  private: <const Fields extends PrivateFields<E>>(fields: Fields & OnlyTexts<E, Fields>) => ({
    open: <const Open extends readonly string[]>(
      ..._open: Open &
        ([Undecided<E, Fields, Open[number]>] extends [never]
          ? unknown
          : { readonly undecided: Undecided<E, Fields, Open[number]> })
    ): AnyPrivateFields => fields,
  }),
});
