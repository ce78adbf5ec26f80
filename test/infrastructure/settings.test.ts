import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/infrastructure/config.js';

const project = join(import.meta.dirname, '..', '..');
const textOf = (path: string): string => readFileSync(join(project, path), 'utf8');

const compose = textOf('docker-compose.yml');
const [schema = ''] = textOf('src/infrastructure/config.ts').split('type Settings');
const settings = [...schema.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].flatMap(([, name]) => name ?? []);
/** What a container is given that runs one of the three programs, and nobody has said anything. */
const given = Object.fromEntries(
  [...(/^x-program:[^]*?(?=^ {2}depends_on)/m.exec(compose)?.[0] ?? '').matchAll(/^ {4}([A-Z_]+): (.*)$/gm)].map(
    ([, name = '', value = '']) => [name, value.replace(/^'(.*)'$/, '$1')],
  ),
);
const DEFAULT = /\$\{\w+:-([^}]*)\}/g;
const NEEDED = /\$\{(\w+):\?[^}]*\}/g;

describe('a setting', () => {
  it.each(settings)('%s is explained', (name) => {
    expect(textOf('docs/operations.md')).toContain(`\`${name}\``);
  });

  it('reaches the containers, and nothing else does', () => {
    const notOfContainers = ['ALLOW_LOCAL_WEBHOOKS', 'WORKFLOW_BUNDLE', 'MOVE_STORE_TO'];
    expect(Object.keys(given).sort()).toEqual(settings.filter((name) => !notOfContainers.includes(name)).sort());
  });

  it("that an event store's server would take for its own is named, and is not among what it is given", () => {
    const taken = settings.filter((name) => /^(EVENTSTORE|KURRENTDB)_/.test(name));
    const [, named = ''] =
      /^Such a server takes .* Of ours that is (.*): give /m.exec(textOf('docs/operations.md')) ?? [];
    expect([...named.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(taken);
    const [container = ''] = /^ {2}eventstore:\n[^]*?(?=^$)/m.exec(compose) ?? [];
    expect(container).toContain('EVENTSTORE_INSECURE');
    expect(settings.filter((name) => container.includes(`${name}:`))).toEqual([]);
    expect(container).not.toContain('env_file');
  });

  it('that is an address ends without a slash, whichever way it is given', () => {
    const key = 'A'.repeat(43);
    const needed = { DATABASE_URL: 'postgres://', EVENTSTORE_URL: 'esdb://x', ADMIN_TOKEN: key, LINK_KEY: key };
    const keys = { TOKEN_SIGNING_KEY: key, ENCRYPTION_KEY: key, TEMPORAL_PAYLOAD_KEY: key };
    const addresses = { BASE_URL: 'https://api.example/passports//', CONSUMER_URL: 'https://id.example/' };
    expect(readConfig({ ...needed, ...keys, ...addresses })).toMatchObject({
      ...{ BASE_URL: 'https://api.example/passports', CONSUMER_URL: 'https://id.example' },
    });
  });

  const readProxies = (TRUST_PROXY: string) => {
    const key = 'A'.repeat(43);
    const keys = {
      ADMIN_TOKEN: key,
      LINK_KEY: key,
      TOKEN_SIGNING_KEY: key,
      ENCRYPTION_KEY: key,
      TEMPORAL_PAYLOAD_KEY: key,
    };
    return readConfig({ DATABASE_URL: 'postgres://', EVENTSTORE_URL: 'esdb://x', ...keys, TRUST_PROXY }).TRUST_PROXY;
  };

  it.each([
    ['', false],
    ['false', false],
    ['0', false],
    ['1', 1],
    ['3', 3],
    ['10.0.0.0/8', ['10.0.0.0/8']],
    ['loopback, 192.0.2.7 ,2001:db8::/32', ['loopback', '192.0.2.7', '2001:db8::/32']],
  ] as const)('TRUST_PROXY=%s names the proxies that are trusted', (text, trusted) => {
    expect(readProxies(text)).toEqual(trusted);
  });

  it.each([
    'true',
    'TRUE',
    'yes',
    '*',
    '0.0.0.0/0',
    '::/0',
    '1,true',
    '11',
    '-1',
    '1.5',
    '10.0.0.0/33',
    'proxy',
    '1,,2',
  ])('TRUST_PROXY=%s is refused at the start, and it says what to write instead', (text) => {
    expect(() => readProxies(text)).toThrow(
      /^configuration: TRUST_PROXY \(.+: say how many proxies stand in front, such as 1, or name their networks, such as 10\.0\.0\.0\/8\)$/,
    );
  });

  it('that has a default needs not be set for the containers to start', () => {
    const key = 'A'.repeat(43);
    const environment = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value.replace(DEFAULT, '$1').replace(NEEDED, key)]),
    );
    const { ADMIN_TOKEN, DATABASE_POOL_SIZE, TRUST_PROXY, IDP_REDIRECT_URIS } = readConfig(environment);
    expect({ ADMIN_TOKEN, DATABASE_POOL_SIZE, TRUST_PROXY, IDP_REDIRECT_URIS }).toEqual({
      ...{ ADMIN_TOKEN: key, DATABASE_POOL_SIZE: 10, TRUST_PROXY: false, IDP_REDIRECT_URIS: [] },
    });
  });
});

describe('a container', () => {
  const commands = [...`${compose}\n${textOf('Dockerfile')}`.matchAll(/dist\/([\w/]+)\.js/g)].flatMap(
    ([, path]) => path ?? [],
  );

  it('runs a program that the build makes', () => {
    expect(new Set(commands)).toEqual(new Set(['src/main', 'projections/main', 'workflows/main']));
    for (const path of commands) expect(existsSync(join(project, `${path}.ts`)), path).toBe(true);
  });

  it('is of an image whose version is said', () => {
    const images = [...`${compose}\n${textOf('Dockerfile')}`.matchAll(/(?:image:|FROM) (\S+)/g)].flatMap(
      ([, image]) => image ?? [],
    );
    expect(images.length).toBeGreaterThan(5);
    for (const image of images) expect(image).toMatch(/:v?\d+/);
  });

  it('is started again whenever it ends, also after the machine was', () => {
    const [, program = '', services = ''] = /(^x-program:[^]*)^services:\n([^]*?)^volumes:/m.exec(compose) ?? [];
    const containers = services.split(/^(?= {2}[\w-]+:$)/m);
    expect(containers).toHaveLength(8);
    for (const container of containers) {
      const whole = container.includes('<<: *program\n') ? container + program : container;
      expect(whole).toMatch(/^ {2,4}restart: unless-stopped$/m);
    }
  });
});
