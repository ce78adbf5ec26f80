import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import type { TemporalPlace } from './place.js';

/** How an HTTP/2 client begins, with empty settings; a server begins with its own. */
const GREETING = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', 'latin1');
const SETTINGS_FRAME = 4;

/**
 * Why no connection comes about, or null when one does: the client's own says only that there was none in time. A server that
 * wants a certificate of ours says so in place of its first words, so these are waited for.
 */
export async function connectionFailure(
  { address, tls }: TemporalPlace['connection'],
  limitMs: number,
): Promise<Error | null> {
  const over = new AbortController();
  const { signal } = over;
  const socket = open(address, tls);
  const late = async (): Promise<never> => {
    await sleep(limitMs, undefined, { signal });
    throw new Error('no answer in time');
  };
  const closed = async (): Promise<never> => {
    await once(socket, 'close', { signal });
    throw new Error('socket hang up');
  };
  try {
    socket.write(GREETING);
    // Each rejects with the error of the socket.
    const [first] = (await Promise.race([once(socket, 'data', { signal }), closed(), late()])) as [Buffer];
    return first[3] === SETTINGS_FRAME ? null : new Error('protocol error');
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    over.abort();
    socket.on('error', () => undefined).destroy();
  }
}

function open(address: string, tls: TemporalPlace['connection']['tls']): Socket {
  const at = address.lastIndexOf(':');
  const [host, port] = [address.slice(0, at).replace(/^\[|\]$/g, ''), Number(address.slice(at + 1))];
  if (tls === undefined) return connectTcp({ host, port });
  // An IP address is no name of a server, and need not be one: the certificate is compared with the address then.
  const {
    serverNameOverride: servername = isIP(host) === 0 ? host : '',
    serverRootCACertificate: ca,
    clientCertPair: pair,
  } = tls;
  return connectTls({
    ...{ host, port, servername, ALPNProtocols: ['h2'] },
    ...(ca !== undefined && { ca }),
    ...(pair !== undefined && { cert: pair.crt, key: pair.key }),
  });
}
