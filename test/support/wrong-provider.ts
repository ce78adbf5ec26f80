import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type CryptoKey, type JWK } from 'jose';

/** A key of a provider, private and as it is published. */
export interface ProviderKey {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly published: JWK;
}

export async function providerKey(alg: 'RS256' | 'ES256' | 'EdDSA', kid: string): Promise<ProviderKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { privateKey, publicKey, published: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

/** A provider that says what a test tells it to say. */
export interface WrongProvider {
  readonly issuer: string;
  /** What it answers at each path: JSON, or whatever the function does. */
  readonly answers: Record<string, object | ((request: IncomingMessage, response: ServerResponse) => void)>;
  /** The form of each call to the token endpoint. */
  readonly exchanged: URLSearchParams[];
  /** How often each path was asked for. */
  readonly asked: Map<string, number>;
  readonly close: () => Promise<void>;
}

export async function startWrongProvider(): Promise<WrongProvider> {
  const exchanged: URLSearchParams[] = [];
  const asked = new Map<string, number>();
  const answers: WrongProvider['answers'] = {};
  const server = createServer((request, response) => {
    void (async () => {
      const path = (request.url ?? '').split('?')[0] ?? '';
      asked.set(path, (asked.get(path) ?? 0) + 1);
      let body = '';
      for await (const chunk of request) body += String(chunk);
      if (path === '/token') exchanged.push(new URLSearchParams(body));
      const answer = answers[path];
      if (typeof answer === 'function') return answer(request, response);
      response.statusCode = answer === undefined ? 404 : 200;
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer ?? {}));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    exchanged,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
