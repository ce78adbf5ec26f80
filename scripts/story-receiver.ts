import assert from 'node:assert/strict';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StoryReceiver {
  readonly url: string;
  /** Gives it the webhook's secret: what came before waits until then. */
  readonly trust: (secret: string) => void;
  /** Resolves when so many deliveries of each event have come, each with a signature that fits; throws when one is missing. */
  readonly hears: (counts: Readonly<Record<string, number>>) => Promise<readonly Delivery[]>;
  readonly close: () => Promise<void>;
}

interface Delivery {
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The retries of a delivery come after a minute: a first attempt is much faster. */
const DELIVERY_WAIT_MS = 30_000;

/** A receiver of webhooks as `docs/webhooks.md` asks for: it verifies, answers 401 to what is not genuine, and keeps each delivery once. */
export async function startStoryReceiver(): Promise<StoryReceiver> {
  const deliveries = new Map<string, Delivery>();
  let refused = 0;
  let trust: (secret: string) => void = () => undefined;
  const trusted = new Promise<string>((resolve) => (trust = resolve));

  const receive = async (request: IncomingMessage): Promise<number> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    if (!isGenuine(await trusted, body, request)) {
      refused += 1;
      return 401;
    }
    const { event, data } = JSON.parse(body.toString('utf8')) as Delivery;
    assert.equal(request.headers['x-service-event'], event);
    const id = String(request.headers['x-service-delivery']);
    deliveries.set(id, { id, event, data });
    return 200;
  };
  const server = createServer((request, response) => {
    receive(request).then(
      (status) => response.writeHead(status).end(),
      () => response.writeHead(500).end(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    trust,
    hears: async (counts) => {
      const deadline = Date.now() + DELIVERY_WAIT_MS;
      for (;;) {
        const heard = [...deliveries.values()];
        assert.equal(refused, 0, 'a delivery came with a signature that does not fit');
        const missing = Object.keys(counts).filter(
          (name) => heard.filter(({ event }) => event === name).length < (counts[name] ?? 0),
        );
        if (missing.length === 0) return heard;
        assert.ok(Date.now() < deadline, `too few of ${missing.join(', ')} within ${DELIVERY_WAIT_MS / 1000} s`);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function isGenuine(secret: string, body: Buffer, { headers }: IncomingMessage): boolean {
  const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'));
  const given = Buffer.from(String(headers['x-service-signature']));
  return given.length === expected.length && timingSafeEqual(given, expected);
}
