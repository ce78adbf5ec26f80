import { withoutEnd } from '../../core/text.js';

export interface Host {
  readonly name: string;
  readonly port: number;
}

/** What an address of the event store says; `connectionString` is the form that the client package reads. */
export interface EventStoreAddress {
  readonly hosts: readonly Host[];
  /** The one host is a name in DNS that stands for all of a cluster. */
  readonly discovers: boolean;
  readonly isSecure: boolean;
  readonly credentials: { readonly username: string; readonly password: string } | null;
  /** Files with certificates, as they are named. */
  readonly files: { readonly ca: string | null; readonly certificate: string | null; readonly key: string | null };
  readonly keepAlive: { readonly intervalMs: number; readonly timeoutMs: number };
  readonly connectionName: string | null;
  readonly connectionString: string;
  /** The address for people and logs: without the password. */
  readonly shown: string;
}

const FORM = 'esdb://[user:password@]host[:port][,host...][?tls=false], or esdb+discover://';
const DEFAULT_PORT = 2113;
/** The names under which servers and tools of the same protocol hand out addresses; the client package knows the first. */
const SCHEMES = ['esdb', 'kurrentdb', 'kurrent', 'kdb'];

const isWholeNumber = (value: string): boolean => /^\d{1,9}$/.test(value);
const isBoolean = (value: string): boolean => value === 'true' || value === 'false';
const isText = (value: string): boolean => value !== '';
const KEEP_ALIVE_MS = 10_000;

/** The options of the client package, which tools hand out: those that the service has no use for are taken and change nothing. */
const OPTIONS: Readonly<Record<string, (value: string) => boolean>> = {
  tls: isBoolean,
  tlscafile: isText,
  usercertfile: isText,
  userkeyfile: isText,
  connectionname: isText,
  nodepreference: isText,
  maxdiscoverattempts: isWholeNumber,
  discoveryinterval: isWholeNumber,
  gossiptimeout: isWholeNumber,
  defaultdeadline: isWholeNumber,
  keepaliveinterval: isWholeNumber,
  keepalivetimeout: isWholeNumber,
  throwonappendfailure: isBoolean,
};

/** Options are the same in any case, with dashes and underscores or without. */
const flat = (text: string): string => text.trim().toLowerCase().replace(/[_-]/g, '');

/**
 * Reads `esdb://`, `esdb+discover://` and KurrentDB's `kurrentdb://` addresses, with one host or several by comma. Throws one line
 * that says what is wrong, and holds no part of the address that could be a password.
 */
export function parseEventStoreAddress(text: string): EventStoreAddress {
  const [scheme = '', rest] = splitOnce(text.trim(), '://');
  const [family = '', discover] = splitOnce(scheme.toLowerCase(), '+');
  if (rest === undefined || !SCHEMES.includes(family) || (discover ?? 'discover') !== 'discover') {
    throw new Error(`must look like ${FORM}`);
  }
  const [authority = '', query = ''] = splitOnce(rest, '?');
  const at = authority.lastIndexOf('@');
  const credentials = at === -1 ? null : credentialsOf(authority.slice(0, at));
  const places = withoutEnd(authority.slice(at + 1), '/');
  const hosts = places.split(',').map(hostOf);
  const discovers = discover !== undefined;
  if (discovers && hosts.length > 1) throw new Error('+discover takes one host, the name of the whole cluster');
  const options = query === '' ? [] : query.split('&').map(optionOf);
  const target = `${hosts.map(({ name, port }) => `${name}:${port}`).join(',')}${query === '' ? '' : `?${query}`}`;
  const prefix = `esdb${discovers ? '+discover' : ''}://`;
  const user = credentials === null ? '' : encodeURIComponent(credentials.username);
  const given = new Map(options);
  const textOf = (name: string): string | null => decoded(given.get(name));
  const msOf = (name: string): number => Number(given.get(name) ?? KEEP_ALIVE_MS);
  return {
    hosts,
    discovers,
    isSecure: given.get('tls') !== 'false',
    credentials,
    files: { ca: textOf('tlscafile'), certificate: textOf('usercertfile'), key: textOf('userkeyfile') },
    keepAlive: { intervalMs: msOf('keepaliveinterval'), timeoutMs: msOf('keepalivetimeout') },
    connectionName: textOf('connectionname'),
    connectionString:
      credentials === null ? prefix + target : `${prefix}${user}:${encodeURIComponent(credentials.password)}@${target}`,
    shown: `${scheme}://${credentials === null ? '' : `${user}:***@`}${places}${query === '' ? '' : `?${query}`}`,
  };
}

function credentialsOf(userInfo: string): { username: string; password: string } {
  const [user = '', secret = ''] = splitOnce(userInfo, ':');
  if (user === '' || secret === '') throw new Error('needs user and password before the @, as user:password');
  try {
    return { username: decodeURIComponent(user), password: decodeURIComponent(secret) };
  } catch {
    // What it cannot decode may be the password: it is not repeated.
    throw new Error('has a user or password with a % that is not escaped as %25');
  }
}

function decoded(value: string | undefined): string | null {
  if (value === undefined) return null;
  try {
    return decodeURIComponent(value);
  } catch {
    throw new Error('has an option with a % that is not escaped as %25');
  }
}

function hostOf(text: string): Host {
  const [name = '', port] = splitOnce(text.trim(), ':');
  if (name === '') throw new Error(`names no host; it must look like ${FORM}`);
  if (!/^[A-Za-z0-9._-]{1,253}$/.test(name) || (port !== undefined && !/^\d{1,5}$/.test(port))) {
    throw new Error('has a host that is not name:port (a literal IPv6 address needs a name)');
  }
  return { name, port: port === undefined ? DEFAULT_PORT : Number(port) };
}

function optionOf(text: string): readonly [name: string, value: string] {
  const [key = '', value = ''] = splitOnce(text, '=');
  const name = flat(key);
  if (name === 'tlsverifycert') {
    throw new Error('has tlsVerifyCert, which the client does not know: name the authority with tlsCaFile');
  }
  if (name === 'nodepreference' && flat(value) !== 'leader') {
    throw new Error('has a nodePreference that is not leader: what has been written must be read at once');
  }
  const takes = OPTIONS[name];
  if (takes === undefined)
    throw new Error(`has an option that there is not; there are ${Object.keys(OPTIONS).join(', ')}`);
  if (!takes(value.trim())) throw new Error(`has a value of ${name} that it does not take`);
  return [name, value.trim()];
}

function splitOnce(text: string, separator: string): readonly [string, string | undefined] {
  const index = text.indexOf(separator);
  return index === -1 ? [text, undefined] : [text.slice(0, index), text.slice(index + separator.length)];
}
