import { findFreePort } from '../../src/embedded/ports.js';
import { startProgram, waitForPort, type RunningProgram } from './program.js';

export interface TestEventStore extends RunningProgram {
  readonly url: string;
  readonly port: number;
}

/** An embedded event store of the file's own, its log in the given (empty) database; the same port after a kill. */
export const startEventStore = async (
  databaseUrl: string,
  options?: { readonly port?: number },
): Promise<TestEventStore> => {
  const port = options?.port ?? (await findFreePort());
  const program = startProgram({
    file: 'src/embedded/event-store/main.ts',
    env: {
      EMBEDDED_EVENT_STORE_HOST: '127.0.0.1',
      EMBEDDED_EVENT_STORE_PORT: String(port),
      EMBEDDED_EVENT_STORE_DATABASE_URL: databaseUrl,
    },
  });
  await waitForPort(program, port);
  return { ...program, port, url: `esdb://127.0.0.1:${port}?tls=false` };
};
