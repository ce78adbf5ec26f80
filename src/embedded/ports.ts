import { connect, createServer } from 'node:net';

/** True when nothing on this machine listens on the port of the address. */
export const isPortFree = (port: number, host = '127.0.0.1'): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });

/** A port that the system says is free now; somebody else may take it before it is used. */
export const findFreePort = (host = '127.0.0.1'): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen({ port: 0, host, exclusive: true }, () => {
      const address = probe.address();
      if (address === null || typeof address === 'string') {
        probe.close();
        reject(new Error(`no port could be had on ${host}`));
        return;
      }
      probe.close(() => resolve(address.port));
    });
  });

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
