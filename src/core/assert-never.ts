/** Ends every switch over a union: a new member that nobody handles is a compile error, and says its name at run time. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value ${JSON.stringify(value)}`);
}
