import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly at: number;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly deliveryId: string;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** What has come to this path. */
  readonly at: (path: string) => readonly Received[];
  readonly close: () => Promise<void>;
}

type Answer = (received: Received, response: ServerResponse) => void;

/** A receiver of webhooks on this machine. It answers 200 unless `answer` does something else. */
export async function startReceiver(answer: Answer = (_received, response) => response.end('ok')): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const one: Received = {
        at: Date.now(),
        path: request.url ?? '',
        headers: request.headers,
        deliveryId: String(request.headers['x-service-delivery']),
        body,
      };
      received.push(one);
      answer(one, response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    at: (path) => received.filter((one) => one.path === path),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
