import { once } from 'node:events';
import { connect, createSecureServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Certificate } from './certificates.js';

export interface TemporalDoor {
  readonly address: string;
  /** Calls that came with the key, and calls that did not. */
  readonly calls: () => { readonly let: number; readonly refused: number };
  readonly close: () => Promise<void>;
}

/** What stands before Temporal Cloud: TLS, a certificate of the caller's or none, and an API key on every call. */
export async function startTemporalDoor(options: {
  readonly server: string;
  readonly certificate: Certificate;
  readonly ca: string;
  readonly apiKey: string;
}): Promise<TemporalDoor> {
  const upstream = connect(`http://${options.server}`);
  const sessions = new Set<ServerHttp2Session>();
  const calls = { let: 0, refused: 0 };
  const door = createSecureServer({
    ...options.certificate,
    ca: options.ca,
    requestCert: true,
    rejectUnauthorized: true,
  });
  door.on('session', (session) => {
    sessions.add(session.on('error', () => undefined).on('close', () => sessions.delete(session)));
  });
  door.on('stream', (stream: ServerHttp2Stream, headers) => {
    stream.on('error', () => undefined);
    if (headers.authorization !== `Bearer ${options.apiKey}`) {
      calls.refused += 1;
      const unauthenticated = { 'grpc-status': '16', 'grpc-message': 'no API key' };
      stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...unauthenticated }, { endStream: true });
      return;
    }
    calls.let += 1;
    const request = upstream.request({ ...headers, ':scheme': 'http', ':authority': options.server });
    let trailers = {};
    request.on('error', () => stream.close());
    request.on('trailers', (sent) => (trailers = sent));
    request.on('response', (answer, flags) => {
      const isWhole = (flags & 1) === 1;
      if (stream.destroyed) return;
      stream.respond(answer, { endStream: isWhole, waitForTrailers: !isWhole });
      if (isWhole) return;
      stream.on('wantTrailers', () => stream.sendTrailers(trailers));
      request.pipe(stream);
    });
    stream.on('close', () => request.close());
    stream.pipe(request);
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  return {
    address: `127.0.0.1:${(door.address() as AddressInfo).port}`,
    calls: () => ({ ...calls }),
    close: async () => {
      for (const session of sessions) session.destroy();
      upstream.destroy();
      await new Promise((resolve) => door.close(resolve));
    },
  };
}
