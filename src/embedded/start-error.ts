/**
 * A start that cannot succeed for a reason that the person at the keyboard can mend. Its message is one line that says
 * what was tried and what to set; the supervisor prints it without a stack and ends with exit code 1.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The error's message, or the thing itself as text: what is thrown need not be an Error. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** True when the error carries this system code, such as ENOENT. */
export const hasCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
