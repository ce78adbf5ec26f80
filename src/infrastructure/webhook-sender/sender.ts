import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { TargetRules } from './address-rules.js';
import { connectChecked } from './connect.js';
import type { ResolveName } from './resolve-name.js';
import { failureInWords, SendFailure } from './send-failure.js';
import { signatureHeaders, type Secrets } from './signatures.js';

export interface WebhookSender {
  /** Makes one attempt. Never throws: however it goes is an outcome. */
  send(order: Order): Promise<Outcome>;
}

export interface Order {
  readonly url: string;
  readonly deliveryId: string;
  readonly event: string;
  readonly body: string;
  readonly secrets: Secrets;
}

export interface Outcome {
  /** When the attempt began, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly durationMs: number;
  /** Null when no answer came. */
  readonly status: number | null;
  /** In words; null when a 2xx came in time. */
  readonly error: string | null;
  /** The first KiB of the answer; null when none came. */
  readonly answer: string | null;
}

/** From the lookup of the name to the end of the answer. */
const EXCHANGE_LIMIT_MS = 10_000;
/** What comes behind this is not waited for. */
const ANSWER_LIMIT_BYTES = 64 * 1024;
const KEPT_BYTES = 1024;
/** With all around the body, which the parser takes without end: announcements of an answer, leading zeros of a length. */
const TRAFFIC_LIMIT_BYTES = 512 * 1024;
const SWITCHING_PROTOCOLS = 101;

type Step = 'connect' | 'answer' | 'end';

const TOO_LATE: Readonly<Record<Step, string>> = {
  connect: 'no connection within 10 s',
  answer: 'no answer within 10 s',
  end: 'the answer had not ended after 10 s',
};

/** Each attempt has a connection of its own: what was checked for one says nothing about the next. */
export function createWebhookSender(options: {
  readonly rules: TargetRules;
  readonly resolve: ResolveName;
  readonly clock: () => number;
}): WebhookSender {
  return {
    async send(order) {
      const at = options.clock();
      const began = performance.now();
      const limit = new AbortController();
      const timer = setTimeout(() => limit.abort(), EXCHANGE_LIMIT_MS);
      const { signal } = limit;
      const seen: Seen = { step: 'connect', status: null, answer: null, socket: null };
      // The exchange is not asked whether it has ended: a receiver may bring a socket into a state that tells of nothing any more.
      const isOver = once(signal, 'abort').then(() => Promise.reject(new Error('too late')));
      let error: string | null;
      try {
        error = await Promise.race([exchange(order, { ...options, at, seen, signal }), isOver]);
      } catch (failure) {
        error = signal.aborted ? TOO_LATE[seen.step] : failureInWords(failure);
      } finally {
        clearTimeout(timer);
        seen.socket?.destroy();
      }
      const durationMs = Math.round(performance.now() - began);
      return { at, durationMs, status: seen.status, error, answer: seen.answer === null ? null : textOf(seen.answer) };
    },
  };
}

/** How far an exchange has come. */
interface Seen {
  step: Step;
  status: number | null;
  answer: Buffer | null;
  socket: Socket | null;
}

/** What the owner of the webhook is told of the answer: null, or why it is none of those that count. */
async function exchange(
  { url: text, secrets, ...signed }: Order,
  {
    rules,
    resolve,
    at,
    seen,
    signal,
  }: {
    readonly rules: TargetRules;
    readonly resolve: ResolveName;
    readonly at: number;
    readonly seen: Seen;
    readonly signal: AbortSignal;
  },
): Promise<string | null> {
  const url = new URL(text);
  seen.socket = await connectChecked(url, { rules, resolve, signal });
  seen.step = 'answer';
  const answer = await post(seen.socket, url, signed.body, signatureHeaders(secrets, { ...signed, at }));
  seen.status = answer.statusCode ?? null;
  seen.step = 'end';
  // What follows is no HTTP.
  if (seen.status === SWITCHING_PROTOCOLS) seen.answer = Buffer.alloc(0);
  else await read(answer, (kept) => (seen.answer = kept));
  return objection(seen.status ?? 0);
}

function post(
  socket: Socket,
  url: URL,
  body: string,
  signatures: Readonly<Record<string, string>>,
): Promise<IncomingMessage> {
  const bytes = Buffer.from(body, 'utf8');
  return new Promise((resolve, reject) => {
    const sent = request({
      createConnection: () => socket,
      method: 'POST',
      path: `${url.pathname}${url.search}`,
      headers: {
        Host: url.host,
        'User-Agent': 'product-passport-service',
        'Content-Type': 'application/json',
        'Content-Length': bytes.length,
        Connection: 'close',
        ...signatures,
      },
    });
    // Once the request reads it: before, bytes would be lost.
    sent.once('socket', () =>
      socket.on('data', () => {
        if (socket.bytesRead > TRAFFIC_LIMIT_BYTES) (begun ?? sent).destroy(new SendFailure('the answer is too long'));
      }),
    );
    let begun: IncomingMessage | null = null;
    sent.once('response', (answer) => resolve((begun = answer)));
    // Without somebody who takes it, such an answer would end in silence.
    sent.once('upgrade', resolve);
    // Stays: a connection may fail once more after its answer has begun.
    sent.on('error', reject);
    sent.end(bytes);
  });
}

/** Reads to the end or to the limit, whichever comes first. `keep` is told of the beginning as it comes. */
async function read(answer: IncomingMessage, keep: (beginning: Buffer) => void): Promise<void> {
  let kept = Buffer.alloc(0);
  let length = 0;
  keep(kept);
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      if (kept.length < KEPT_BYTES) {
        kept = Buffer.concat([kept, chunk.subarray(0, KEPT_BYTES - kept.length)]);
        keep(kept);
      }
      length += chunk.length;
      if (length > ANSWER_LIMIT_BYTES) return;
    }
  } catch (error) {
    const isCut = error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
    throw isCut ? new SendFailure('the receiver closed the connection in the middle of its answer') : error;
  }
}

function objection(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status === SWITCHING_PROTOCOLS) return 'the receiver answered 101: it wants to speak something else than HTTP';
  if (status >= 300 && status < 400) return `the receiver answered ${status}; redirects are not followed`;
  if (status === 410) return 'the receiver answered 410: it wants no more deliveries';
  return `the receiver answered ${status}`;
}

/** A character that was cut in two is left out. */
const textOf = (bytes: Buffer): string => new TextDecoder('utf-8').decode(bytes, { stream: true });
