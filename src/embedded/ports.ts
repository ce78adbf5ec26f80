import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';

/** True when nothing on this machine listens on the port of the address. */
export const isPortFree = (port: number, host = '127.0.0.1'): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });

/**
 * Below the ports that systems give to outgoing connections and to whoever asks for any (from 32,768 on Linux, 49,152 elsewhere):
 * a part that starts again on its port must not find a stranger's connection there.
 */
const FIRST_PORT = 15_000;
const LAST_PORT = 32_767;
const TRIES = 1_000;

/** A port on which nobody listens now, and none of `taken`; somebody else may take it before it is used. */
export const findFreePort = async (host = '127.0.0.1', taken: readonly number[] = []): Promise<number> => {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if (!taken.includes(port) && (await isPortFree(port, host))) return port;
  }
  throw new Error(`no port from ${FIRST_PORT} to ${LAST_PORT} is free on ${host}`);
};

/** Says something to whoever listens on a port of this machine; resolves with the first bytes of an answer. */
export const hearFrom = (port: number, greeting: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(greeting));
    socket.once('data', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error(`nobody answers on port ${port}`)));
  });
