import { BlockList, isIP, isIPv4 } from 'node:net';

export interface TargetRules {
  /** A development service: http and the machine's own addresses are allowed. */
  readonly allowLocal: boolean;
}

/** Never in production, whatever else is set. */
export const webhookTargets = (config: {
  readonly NODE_ENV: string;
  readonly ALLOW_LOCAL_WEBHOOKS: boolean;
}): TargetRules => ({ allowLocal: config.NODE_ENV !== 'production' && config.ALLOW_LOCAL_WEBHOOKS });

const HTTPS_PORT = 443;
const FIRST_UNPRIVILEGED_PORT = 1024;

/** Whether anybody on the internet could mean this address; everything that is special in any way is not public. */
export function isPublicAddress(ip: string): boolean {
  const address = withoutZone(ip);
  if (isIP(address) === 0) return false;
  if (isIPv4(address)) return !SPECIAL_IPV4.check(address, 'ipv4');
  return GLOBAL_UNICAST.check(address, 'ipv6') && !SPECIAL_IPV6.check(address, 'ipv6');
}

export function isLoopbackAddress(ip: string): boolean {
  const address = withoutZone(ip);
  if (isIP(address) === 0) return false;
  return isIPv4(address) ? LOOPBACK.check(address, 'ipv4') : LOOPBACK_IPV6.check(address, 'ipv6');
}

/** Whether a connection to the address may be made; asked for every address that a name resolves to. */
export const isAllowedAddress = (ip: string, { allowLocal }: TargetRules): boolean =>
  isPublicAddress(ip) || (allowLocal && isLoopbackAddress(ip));

/** Why a webhook cannot be sent there, as far as the URL itself tells; null when nothing speaks against it. */
export function refuseTarget(url: URL, rules: TargetRules): string | null {
  if (url.protocol !== 'https:' && !(rules.allowLocal && url.protocol === 'http:')) return 'must begin with https://';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or a password';
  // The URL parser has turned decimal, octal, hexadecimal and shortened forms into the usual one.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (host === '') return 'must name a host';
  if (isIP(host) !== 0 && !isAllowedAddress(host, rules)) return 'must not be a private or special address';
  const isOwnMachine = rules.allowLocal && (isLoopbackAddress(host) || /^localhost\.?$/.test(host));
  const port = url.port === '' ? (url.protocol === 'https:' ? HTTPS_PORT : 80) : Number(url.port);
  if (!isOwnMachine && port !== HTTPS_PORT && port < FIRST_UNPRIVILEGED_PORT) {
    return `must use port ${HTTPS_PORT} or one from ${FIRST_UNPRIVILEGED_PORT} to 65535`;
  }
  return null;
}

const withoutZone = (ip: string): string => ip.split('%', 1)[0] ?? '';

const subnets = (family: 'ipv4' | 'ipv6', ...nets: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const net of nets) {
    const [address = '', prefix] = net.split('/');
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
};

const LOOPBACK = subnets('ipv4', '127.0.0.0/8');
const LOOPBACK_IPV6 = subnets('ipv6', '::1/128');

// The special-purpose registry of IANA, multicast, and the one metadata address that lies in public space.
const SPECIAL_IPV4 = subnets(
  'ipv4',
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
);

// Outside of it lie loopback, unspecified, mapped, NAT64, unique local, link-local, site-local and multicast addresses.
const GLOBAL_UNICAST = subnets('ipv6', '2000::/3');

// Protocol assignments with Teredo, documentation twice, 6to4.
const SPECIAL_IPV6 = subnets('ipv6', '2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20');
