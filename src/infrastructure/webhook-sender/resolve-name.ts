import { Resolver } from 'node:dns/promises';
import { SendFailure } from './send-failure.js';

/** All addresses of a host's name, the preferred ones first. Stops asking when the signal aborts. */
export type ResolveName = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

const QUERY_LIMIT_MS = 2_000;
const TRIES = 2;
/** Where there is an IPv4 address, IPv6 is waited for no longer than this. */
const SECOND_FAMILY_WAIT_MS = 200;

/**
 * Asks the name servers directly. `getaddrinfo` would do it on the four threads that Node shares among everything, where the
 * names of a few dead name servers hold up everybody else's.
 */
export const resolveName: ResolveName = async (host, signal) => {
  const name = host.toLowerCase().replace(/\.$/, '');
  // Never a question for a name server (RFC 6761).
  if (name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1', '::1'];
  const resolver = new Resolver({ timeout: QUERY_LIMIT_MS, tries: TRIES });
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const codes: string[] = [];
    const none = (error: NodeJS.ErrnoException): string[] => {
      codes.push(error.code ?? '');
      return [];
    };
    const ipv6 = resolver.resolve6(name).catch(none);
    const ipv4 = await resolver.resolve4(name).catch(none);
    const found = [...ipv4, ...(ipv4.length === 0 ? await ipv6 : await soon(ipv6))];
    if (found.length > 0) return found;
    throw new SendFailure(
      codes.some((code) => code === 'ENOTFOUND' || code === 'ENODATA')
        ? 'the name of the host has no address'
        : 'the name of the host could not be looked up',
    );
  } finally {
    signal.removeEventListener('abort', cancel);
    resolver.cancel();
  }
};

async function soon(addresses: Promise<string[]>): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string[]>((resolve) => (timer = setTimeout(() => resolve([]), SECOND_FAMILY_WAIT_MS)));
  try {
    return await Promise.race([addresses, late]);
  } finally {
    clearTimeout(timer);
  }
}
