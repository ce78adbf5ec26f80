import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { isAllowedAddress, refuseTarget, type TargetRules } from './address-rules.js';
import type { ResolveName } from './resolve-name.js';
import { NOT_PUBLIC, SendFailure } from './send-failure.js';

/** One that does not answer leaves time for the next. */
const ONE_ADDRESS_LIMIT_MS = 3_000;
const MAX_ADDRESSES = 4;

/**
 * Opens a connection for one exchange, with TLS where the URL says so. The name is resolved here and the connection made to the
 * very address that was checked, so that no second lookup can answer differently; the socket's own view is checked as well,
 * before a byte is written.
 */
export async function connectChecked(
  url: URL,
  { rules, resolve, signal }: { rules: TargetRules; resolve: ResolveName; signal: AbortSignal },
): Promise<Socket> {
  const refusal = refuseTarget(url, rules);
  if (refusal !== null) throw new SendFailure(`nothing was sent: the address ${refusal}`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(host) === 0 ? await resolve(host, signal) : [host];
  const allowed = addresses.filter((address) => isAllowedAddress(address, rules)).slice(0, MAX_ADDRESSES);
  if (allowed.length === 0) throw new SendFailure(NOT_PUBLIC);
  const isSecure = url.protocol === 'https:';
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port);
  const socket = await connectToOneOf(allowed, port, signal);
  if (!isAllowedAddress(socket.remoteAddress ?? '', rules)) {
    socket.destroy();
    throw new SendFailure(NOT_PUBLIC);
  }
  return isSecure ? secure(socket, host, signal) : socket;
}

async function connectToOneOf(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
  let failure: unknown;
  for (const [index, address] of addresses.entries()) {
    const socket = connectTcp({ host: address, port, noDelay: true, autoSelectFamily: false });
    const isLast = index === addresses.length - 1;
    const limit = isLast ? undefined : setTimeout(() => socket.destroy(silent()), ONE_ADDRESS_LIMIT_MS);
    try {
      await once(socket, 'connect', { signal });
      return socket;
    } catch (error) {
      socket.destroy();
      signal.throwIfAborted();
      failure = error;
    } finally {
      clearTimeout(limit);
    }
  }
  throw failure;
}

async function secure(socket: Socket, host: string, signal: AbortSignal): Promise<Socket> {
  const connection = connectTls({
    socket,
    host,
    // A name of its own has no dot at the end, and an address is no name.
    ...(isIP(host) === 0 ? { servername: host.replace(/\.$/, '') } : {}),
    // Said here, so that no environment variable can say otherwise.
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
  });
  try {
    await once(connection, 'secureConnect', { signal });
    return connection;
  } catch (error) {
    connection.destroy();
    socket.destroy();
    throw error;
  }
}

const silent = (): Error => Object.assign(new Error('the host does not answer'), { code: 'ETIMEDOUT' });
