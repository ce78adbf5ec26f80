import { isIP, isIPv4 } from 'node:net';
import { z } from 'zod';

/** Whose word is taken for where a call comes from: nobody's, that of so many proxies in a row, or of those in these networks. */
export type TrustedProxies = false | number | readonly string[];

const MAX_HOPS = 10;
/** Names for the addresses of one's own machine and of private networks. */
const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

const HELP = 'say how many proxies stand in front, such as 1, or name their networks, such as 10.0.0.0/8';

/** `TRUST_PROXY`. To trust whoever calls would let every caller choose its own address, so that cannot be said. */
export const trustedProxies = z
  .string()
  .default('')
  .transform((text, context): TrustedProxies => {
    const refuse = (why: string): never => {
      context.addIssue({ code: 'custom', message: `${why}: ${HELP}` });
      return z.NEVER;
    };
    const value = text.trim().toLowerCase();
    if (['', 'false', '0', 'no', 'off'].includes(value)) return false;
    if (/^\d+$/.test(value)) return Number(value) <= MAX_HOPS ? Number(value) : refuse(`at most ${MAX_HOPS} proxies`);
    const networks = value.split(',').map((one) => one.trim());
    if (networks.some(isEverybody)) return refuse('would take the word of every caller');
    return networks.every(isNetwork) ? networks : refuse('is neither a number nor a list of networks');
  });

const isEverybody = (network: string): boolean => /^(true|yes|on|\*)$|\/0+$/.test(network);

function isNetwork(text: string): boolean {
  if (NAMED_NETWORKS.includes(text)) return true;
  const [address = '', prefix, more] = text.split('/');
  if (isIP(address) === 0 || more !== undefined) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (isIPv4(address) ? 32 : 128));
}

/** For Fastify, which takes a bare number of hops for no trust at all. */
export const trustOf = (proxies: TrustedProxies): boolean | string[] | ((address: string, hop: number) => boolean) => {
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies;
  return proxies === false ? false : [...proxies];
};
