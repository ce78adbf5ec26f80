import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TargetRules } from '../../../src/infrastructure/webhook-sender/address-rules.js';
import { createWebhookSender, type Outcome } from '../../../src/infrastructure/webhook-sender/sender.js';
import type { ResolveName } from '../../../src/infrastructure/webhook-sender/resolve-name.js';
import { createAuthority, type Authority } from '../../support/certificates.js';

const SECRETS = { secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`, next: null };
const BODY = '{"event":"batch.created","data":{"name":"Bücher"}}';

const servers: Server[] = [];
const sockets = new Set<Socket>();
let authority: Authority;

beforeAll(async () => {
  authority = await createAuthority();
  setDefaultCACertificates([...getCACertificates('default'), authority.ca]);
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  await authority.remove();
});

async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  servers.push(server);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  server.listen(0, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Public, and returned by its owners long ago (RFC 3701): nothing answers there. */
const NOBODYS = '3ffe::1';

/** To every name of these tests, this machine. */
const here: ResolveName = async () => ['127.0.0.1'];

const sendTo = (url: string, to: { readonly rules: TargetRules; readonly resolve: ResolveName }): Promise<Outcome> =>
  createWebhookSender({ ...to, clock: Date.now }).send({
    ...{ url, deliveryId: 'dlv_1', event: 'batch.created', body: BODY, secrets: SECRETS },
  });
const attempt = (url: string, { resolve = here, allowLocal = true } = {}): Promise<Outcome> =>
  sendTo(url, { rules: { allowLocal }, resolve });

const toHttp = async (listener: RequestListener): Promise<Outcome> =>
  attempt(`http://127.0.0.1:${await listen(createHttpServer(listener))}/hook`);
const toTcp = async (onConnection: (socket: Socket) => void): Promise<Outcome> =>
  attempt(`http://127.0.0.1:${await listen(createTcpServer(onConnection))}/hook`);
const toHttps = async (options: ServerOptions, name = 'receiver.test'): Promise<Outcome> =>
  attempt(`https://${name}:${await listen(createHttpsServer(options, (_request, response) => response.end('ok')))}/`);

describe.concurrent('a receiver', () => {
  it('that answers 2xx has got the very bytes, with their headers, in one POST', async () => {
    const requests: { method: string; url: string; body: string; headers: object }[] = [];
    const port = await listen(
      createHttpServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          const { method = '', url = '', headers } = request;
          requests.push({ method, url, headers, body: Buffer.concat(chunks).toString('utf8') });
          response.writeHead(202).end('taken');
        });
      }),
    );
    const outcome = await attempt(`http://127.0.0.1:${port}/hook?for=us#part`);
    expect(outcome).toMatchObject({ status: 202, error: null, answer: 'taken' });
    expect(outcome.at).toBeGreaterThan(Date.now() - 5_000);
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ method: 'POST', url: '/hook?for=us', body: BODY });
    expect(requests[0]?.headers).toMatchObject({
      host: `127.0.0.1:${port}`,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(BODY)),
      'x-service-event': 'batch.created',
      'x-service-delivery': 'dlv_1',
      'webhook-id': 'dlv_1',
    });
  });

  it.for([500, 404, 401, 429, 503])('that answers %i has not taken it', async (status, { expect: check }) => {
    const outcome = await toHttp((_request, response) => response.writeHead(status).end('no'));
    check(outcome).toMatchObject({ status, error: `the receiver answered ${status}`, answer: 'no' });
  });

  it('that answers 410 wants no more', async ({ expect: check }) => {
    const outcome = await toHttp((_request, response) => response.writeHead(410).end());
    check(outcome).toMatchObject({ status: 410, answer: '' });
    check(outcome.error).toContain('no more');
  });

  it('that redirects is not followed', async ({ expect: check }) => {
    let followed = 0;
    const inside = await listen(createHttpServer((_request, response) => response.end(`secret ${(followed += 1)}`)));
    const outcome = await toHttp((_request, response) =>
      response.writeHead(301, { location: `http://127.0.0.1:${inside}/` }).end(),
    );
    check(outcome).toMatchObject({ status: 301, error: 'the receiver answered 301; redirects are not followed' });
    check(followed).toBe(0);
  });

  it('that never answers is given up after 10 s', async ({ expect: check }) => {
    const outcome = await toHttp(() => undefined);
    check(outcome).toMatchObject({ status: null, error: 'no answer within 10 s', answer: null });
    check(outcome.durationMs).toBeGreaterThan(9_900);
  });

  it('that sends a byte a second is given up after 10 s, 2xx or not', async ({ expect: check }) => {
    const drip = (response: ServerResponse) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 1_000);
      response.on('close', () => clearInterval(timer));
    };
    const outcome = await toHttp((_request, response) => drip(response));
    check(outcome).toMatchObject({ status: 200, error: 'the answer had not ended after 10 s' });
    check(outcome.answer).toMatch(/^\.{7,10}$/);
    check(outcome.durationMs).toBeLessThan(12_000);
  });

  it('that sends its headers a byte a second is given up after 10 s', async ({ expect: check }) => {
    const outcome = await toTcp((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
      const timer = setInterval(() => socket.write('x'), 1_000);
      socket.on('close', () => clearInterval(timer)).on('error', () => undefined);
    });
    check(outcome).toMatchObject({ status: null, error: 'no answer within 10 s', answer: null });
    check(outcome.durationMs).toBeLessThan(12_000);
  });

  it('that takes the connection and speaks no TLS is given up after 10 s', async ({ expect: check }) => {
    const port = await listen(createTcpServer(() => undefined));
    const outcome = await attempt(`https://receiver.test:${port}/`);
    check(outcome).toMatchObject({ status: null, error: 'no connection within 10 s', answer: null });
  });

  it('that answers 2xx with an endless body has taken it: 64 KiB are read, one is kept', async ({ expect: check }) => {
    let written = 0;
    const outcome = await toHttp((_request, response) => {
      const chunk = 'ä'.repeat(8 * 1024);
      const pour = (): void => {
        while (!response.destroyed && response.write(chunk)) written += 2 * chunk.length;
        if (!response.destroyed) response.once('drain', pour);
      };
      pour();
    });
    check(outcome).toMatchObject({ status: 200, error: null, answer: 'ä'.repeat(512) });
    check(outcome.durationMs).toBeLessThan(8_000);
    check(written).toBeLessThan(64 * 1024 * 1024);
  });

  it('whose first KiB ends inside a character loses that character only', async ({ expect: check }) => {
    const outcome = await toHttp((_request, response) => response.end(`x${'ä'.repeat(600)}`));
    check(outcome.answer).toBe(`x${'ä'.repeat(511)}`);
  });

  it('that closes before it has answered', async ({ expect: check }) => {
    const outcome = await toTcp((socket) => socket.once('data', () => socket.end()));
    check(outcome).toMatchObject({
      status: null,
      error: 'the receiver closed the connection before it had answered',
      answer: null,
    });
  });

  it('that resets the connection', async ({ expect: check }) => {
    const outcome = await toTcp((socket) => socket.once('data', () => socket.resetAndDestroy()));
    check(outcome).toMatchObject({ status: null, error: 'the receiver closed the connection before it had answered' });
  });

  it('that closes in the middle of a 2xx has not taken it', async ({ expect: check }) => {
    const outcome = await toTcp((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')),
    );
    check(outcome).toMatchObject({
      status: 200,
      error: 'the receiver closed the connection in the middle of its answer',
      answer: 'half',
    });
  });

  it('that answers something else than HTTP', async ({ expect: check }) => {
    const outcome = await toTcp((socket) => socket.once('data', () => socket.end('220 smtp ready\r\n')));
    check(outcome).toMatchObject({ status: null, error: 'the answer is not HTTP', answer: null });
  });

  it('that answers with endless headers', async ({ expect: check }) => {
    const outcome = await toTcp((socket) =>
      socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`)),
    );
    check(outcome).toMatchObject({ status: null, error: 'the headers of the answer are too long' });
  });

  it('that is not there', async ({ expect: check }) => {
    const server = createTcpServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    check(await attempt(`http://127.0.0.1:${port}/`)).toMatchObject({ error: 'the connection was refused' });
  });

  it('with a certificate of a trusted authority is sent to over TLS', async ({ expect: check }) => {
    check(await toHttps(await authority.issue('DNS:receiver.test'))).toMatchObject({ status: 200, error: null });
    check(await toHttps(await authority.issue('IP:127.0.0.1'), '127.0.0.1')).toMatchObject({ status: 200 });
  });

  it('with the certificate of another host, a late one, or its own, is sent nothing', async ({ expect: check }) => {
    const [other, late, own] = await Promise.all([
      authority.issue('DNS:internal.corp'),
      authority.issue('DNS:receiver.test', -1),
      authority.selfSigned('DNS:receiver.test'),
    ]);
    check(await toHttps(other)).toMatchObject({ status: null, error: 'the certificate is for another host' });
    check(await toHttps(late)).toMatchObject({ status: null, error: 'the certificate has expired' });
    check(await toHttps(own)).toMatchObject({ status: null, error: 'the certificate is signed by itself' });
  });

  it('that speaks plain HTTP where TLS is asked for', async ({ expect: check }) => {
    const port = await listen(createHttpServer((_request, response) => response.end()));
    const { status, error } = await attempt(`https://receiver.test:${port}/`);
    check(status).toBeNull();
    check(error).toMatch(/^no secure connection could be made \([A-Z_]+\)$/);
  });
});

describe('an address that is not public', () => {
  let connections = 0;
  let port: number;
  beforeAll(async () => {
    const inside = createHttpServer((_request, response) => response.end('internal'));
    port = await listen(inside);
    inside.on('connection', () => (connections += 1));
  });
  const refused = (url: string, resolve?: ResolveName) =>
    attempt(url, { allowLocal: false, ...(resolve === undefined ? {} : { resolve }) });

  it.each([
    'https://127.0.0.1:PORT/',
    'https://2130706433:PORT/',
    'https://0177.0.0.1:PORT/',
    'https://0x7f.1:PORT/',
    'https://127.1:PORT/',
    'https://[::1]:PORT/',
    'https://[::ffff:127.0.0.1]:PORT/',
    'https://[::ffff:7f00:1]:PORT/',
    'https://[64:ff9b::7f00:1]:PORT/',
    'https://0.0.0.0:PORT/',
    'https://169.254.169.254/',
    'http://receiver.test:PORT/',
    'https://user:word@receiver.test:PORT/',
    'file:///etc/passwd',
    'https://receiver.test:22/',
  ])('is not connected to: %s', async (url) => {
    const before = connections;
    const outcome = await refused(url.replace('PORT', String(port)));
    expect(outcome).toMatchObject({ status: null, answer: null });
    expect(outcome.error).toMatch(/nothing was sent/);
    expect(connections).toBe(before);
  });

  it.each(['localhost', 'localhost.', 'LOCALHOST', 'some.localhost'])('is not connected to: %s', async (name) => {
    const { resolveName } = await import('../../../src/infrastructure/webhook-sender/resolve-name.js');
    const outcome = await refused(`https://${name}:${port}/`, resolveName);
    expect(outcome).toMatchObject({ error: 'the address of the host is not a public one, so nothing was sent' });
  });

  it('is not reached by a name that meant an allowed one a moment ago', async () => {
    const answers = ['127.0.0.1', '169.254.169.254', '::ffff:10.0.0.1'];
    const asked: string[] = [];
    const rebinding: ResolveName = async (host) => [answers[asked.push(host) - 1] ?? ''];
    const again = () => attempt(`http://rebinding.test:${port}/`, { resolve: rebinding });
    // Asked once for each attempt: the connection goes to the very address that was checked.
    expect(await again()).toMatchObject({ status: 200 });
    expect(asked).toEqual(['rebinding.test']);
    for (const count of [2, 3]) {
      expect(await again()).toMatchObject({
        status: null,
        error: expect.stringContaining('not a public one') as string,
      });
      expect(asked).toHaveLength(count);
    }
  });

  it('is not reached by a name that means this machine, outside of development', async () => {
    const before = connections;
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '0.0.0.0']) {
      const outcome = await refused(`https://inside.test:${port}/`, async () => [address]);
      expect(outcome.error).toBe('the address of the host is not a public one, so nothing was sent');
    }
    expect(connections).toBe(before);
  });

  it('is not reached by a name that means a public one as well, whichever comes first', async () => {
    const before = connections;
    const inside = ['127.0.0.1', '::ffff:127.0.0.1'];
    const outcomes = await Promise.all(
      [
        [NOBODYS, ...inside],
        [...inside, NOBODYS],
      ].map((addresses) => refused(`https://both.test:${port}/`, async () => addresses)),
    );
    for (const { status, error } of outcomes) {
      expect(status).toBeNull();
      // The public one was tried.
      expect(error).not.toMatch(/public/);
    }
    expect(connections).toBe(before);
  });

  it('is sent nothing when it is where a connection has led that was let pass by its name', async () => {
    let bytes = 0;
    let accepted = 0;
    const server = createTcpServer((socket) => {
      accepted += 1;
      socket.on('data', (chunk) => (bytes += chunk.length));
    });
    const url = `http://passing.test:${await listen(server)}/`;
    // No name of this machine is public: it is let pass here as in development, and from then on as nowhere else.
    const rules = { allowLocal: true };
    const resolve: ResolveName = async () => {
      process.nextTick(() => (rules.allowLocal = false));
      return ['127.0.0.1'];
    };
    const closed = once(server, 'connection').then(([socket]) => once(socket as Socket, 'close'));
    expect(await sendTo(url, { rules, resolve })).toMatchObject({
      status: null,
      error: 'the address of the host is not a public one, so nothing was sent',
    });
    await closed;
    expect([accepted, bytes]).toEqual([1, 0]);
  });

  it('tells nothing of itself', async () => {
    const outcome = await refused(`https://mixed.test:${port}/`, async () => ['10.1.2.3', '::1', '127.0.0.1']);
    expect(outcome.error).not.toMatch(/10\.|127\.|::1|mixed/);
  });

  it('is reached in development alone, and there only on the machine itself', async () => {
    expect(await attempt(`http://localhost:${port}/`)).toMatchObject({ status: 200, answer: 'internal' });
    expect(await attempt('http://10.0.0.1:9999/')).toMatchObject({ status: null });
    expect(await attempt(`http://metadata.test:${port}/`, { resolve: async () => ['169.254.169.254'] })).toMatchObject({
      error: 'the address of the host is not a public one, so nothing was sent',
    });
  });
});
