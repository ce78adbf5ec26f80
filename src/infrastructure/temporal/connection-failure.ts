import { once } from 'node:events';
import { connect, type ClientHttp2Session } from 'node:http2';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TemporalPlace } from './place.js';

/**
 * Why no connection comes about, or null when one does: the client's own says only that there was none in time. It is one of TCP, TLS
 * and HTTP/2, without a call.
 */
export async function connectionFailure(
  { address, tls }: TemporalPlace['connection'],
  limitMs: number,
): Promise<Error | null> {
  const host = address.slice(0, address.lastIndexOf(':'));
  // An IP address is no name of a server, and need not be one: the certificate is compared with the address then.
  const {
    serverNameOverride: servername = isIP(host) === 0 ? host : '',
    serverRootCACertificate: ca,
    clientCertPair: pair,
  } = tls ?? {};
  const session = connect(`${tls === undefined ? 'http' : 'https'}://${address}`, {
    servername,
    ...(ca !== undefined && { ca }),
    ...(pair !== undefined && { cert: pair.crt, key: pair.key }),
  });
  const over = new AbortController();
  const { signal } = over;
  const late = async (): Promise<Error> => {
    await sleep(limitMs, undefined, { signal });
    return new Error('no answer in time');
  };
  try {
    return await Promise.race([
      // Rejects with the error of the session. One that wants a certificate of ours says so after its first words.
      once(session, 'remoteSettings', { signal }).then(() => answerOf(session)),
      once(session, 'close', { signal }).then(() => new Error('socket hang up')),
      late(),
    ]);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    over.abort();
    session.on('error', () => undefined).destroy();
  }
}

/** A ping that comes to nothing is told by the error or the end of its session. */
const answerOf = (session: ClientHttp2Session): Promise<null> =>
  new Promise((resolve) => {
    session.ping((error) => {
      if (error === null) resolve(null);
    });
  });
