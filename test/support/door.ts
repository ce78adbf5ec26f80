import { once } from 'node:events';
import {
  connect as connectHttp2,
  createSecureServer,
  type Http2SecureServer,
  type ServerHttp2Stream,
} from 'node:http2';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Certificate } from './certificates.js';

export interface Door {
  /** As `host:port`. */
  readonly address: string;
  /** Calls that came with what the door asks for, and calls that did not. */
  readonly calls: () => { readonly let: number; readonly refused: number };
  readonly close: () => Promise<void>;
}

interface Lock {
  /** What stands behind the door, as `host:port`, and speaks without TLS. */
  readonly server: string;
  readonly certificate: Certificate;
  /** Asks for a certificate of the caller's, of this authority. */
  readonly ca?: string;
  /** The header that every call must have: `Bearer ...` of Temporal Cloud, `Basic ...` of an event store. */
  readonly authorization?: string;
}

/**
 * What stands before a server that somebody else runs: TLS, and what the server asks of a caller. gRPC (event store, Temporal) is let
 * through call by call; Postgres looks at its passwords itself.
 */
export async function startDoor(speaks: 'grpc' | 'postgres', lock: Lock): Promise<Door> {
  const calls = { let: 0, refused: 0 };
  const { door, closeServer } = speaks === 'grpc' ? grpcDoor(lock, calls) : postgresDoor(lock, calls);
  const sockets = new Set<Socket>();
  door.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  return {
    address: `127.0.0.1:${(door.address() as AddressInfo).port}`,
    calls: () => ({ ...calls }),
    close: async () => {
      const closed = new Promise((resolve) => door.close(resolve));
      for (const socket of sockets) socket.destroy();
      closeServer();
      await closed;
    },
  };
}

type Opened = { readonly door: Server | Http2SecureServer; readonly closeServer: () => void };

function grpcDoor({ server, certificate, ca, authorization }: Lock, calls: { let: number; refused: number }): Opened {
  const upstream = connectHttp2(`http://${server}`);
  const asked = ca === undefined ? {} : { ca, requestCert: true, rejectUnauthorized: true };
  const door = createSecureServer({ ...certificate, ...asked });
  door.on('session', (session) => session.on('error', () => undefined));
  door.on('stream', (stream: ServerHttp2Stream, headers) => {
    stream.on('error', () => undefined);
    if (authorization !== undefined && headers.authorization !== authorization) {
      calls.refused += 1;
      const unauthenticated = { 'grpc-status': '16', 'grpc-message': 'Unauthenticated' };
      stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...unauthenticated }, { endStream: true });
      return;
    }
    calls.let += 1;
    const request = upstream.request({ ...headers, ':scheme': 'http', ':authority': server });
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
  return { door, closeServer: () => upstream.destroy() };
}

/** The first message of a client that wants TLS: its length and the number of the request. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

function postgresDoor({ server, certificate }: Lock, calls: { let: number; refused: number }): Opened {
  const [host = '', port] = server.split(':');
  const behind = new Set<Socket>();
  const door = createServer((socket) => {
    socket.once('data', (first) => {
      if (!SSL_REQUEST.equals(first)) {
        calls.refused += 1;
        socket.destroy();
        return;
      }
      calls.let += 1;
      socket.write('S');
      const secure = new TLSSocket(socket, { isServer: true, ...certificate });
      const upstream = connect(Number(port), host);
      behind.add(upstream.on('close', () => behind.delete(upstream)));
      secure.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
      upstream.on('error', () => secure.destroy()).on('close', () => secure.destroy());
      secure.pipe(upstream).pipe(secure);
    });
  });
  return {
    door,
    closeServer: () => {
      for (const upstream of behind) upstream.destroy();
    },
  };
}
