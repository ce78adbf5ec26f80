import { DefaultFailureConverter } from '@temporalio/common';

/** Messages and stack traces of failures become payloads, and so are encrypted too. Loaded by its path, in workflows as well. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
