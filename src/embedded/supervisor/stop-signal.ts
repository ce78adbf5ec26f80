const PARENT_CHECK_MS = 500;

/**
 * Aborted by Ctrl-C, SIGTERM and a closed terminal, and, under npm, by the end of the shell that npm started us in: npm
 * passes a signal on to that shell only, which ends without passing it on.
 */
export const createStopSignal = (env: Readonly<NodeJS.ProcessEnv>): AbortSignal => {
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopping.abort());
  if (env.npm_lifecycle_event !== undefined) {
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) stopping.abort();
    }, PARENT_CHECK_MS).unref();
  }
  return stopping.signal;
};
