import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A whole answer, with everything in it that HTTP/1.1 knows: an early one, headers, a body in pieces and a trailer. */
export const WHOLE_ANSWER =
  'HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n' +
  'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n' +
  '5\r\nhello\r\n0\r\nX-End: 1\r\n\r\n';

const UPGRADE = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

/** What a receiver does instead of going on with its answer. */
export const MISDEEDS = {
  falls_silent: () => undefined,
  closes: (socket) => void socket.end(),
  // Its own direction only: it would still read.
  half_closes: (socket) => void socket.end(),
  hangs_up: (socket) => void socket.destroy(),
  resets: (socket) => void socket.resetAndDestroy(),
  upgrades: (socket) => void socket.write(UPGRADE),
  upgrades_and_closes: (socket) => void socket.end(UPGRADE),
  upgrades_barely: (socket) => void socket.write('HTTP/1.1 101 \r\n\r\n'),
  says_continue: (socket) => void socket.write('HTTP/1.1 100 Continue\r\n\r\n'),
  says_continue_for_ever: (socket) => pour(socket, 'HTTP/1.1 100 Continue\r\n\r\n'),
  says_processing: (socket) => void socket.write('HTTP/1.1 102 Processing\r\n\r\n'),
  answers_anew: (socket) => void socket.write(WHOLE_ANSWER),
  answers_twice: (socket) => void socket.write(WHOLE_ANSWER + 'HTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\nno'),
  sends_rubbish: (socket) => void socket.write(Buffer.from([0, 255, 13, 10, 0, 10, 13, 10])),
  sends_zeros_for_ever: (socket) => pour(socket, '0'.repeat(1_000)),
  drips: (socket) => drip(socket),
} as const satisfies Record<string, (socket: Socket) => void>;

export type Misdeed = keyof typeof MISDEEDS;
export const MISDEED_NAMES = Object.keys(MISDEEDS) as readonly Misdeed[];

function pour(socket: Socket, text: string): void {
  const many = text.repeat(100);
  const go = (): void => {
    while (socket.writable && socket.write(many)) continue;
    if (socket.writable) socket.once('drain', go);
  };
  go();
}

function drip(socket: Socket): void {
  const timer = setInterval(() => socket.writable && socket.write('a'), 500);
  socket.once('close', () => clearInterval(timer));
}

export interface HostileReceiver {
  /** A receiver that sends so many bytes of an answer and then does that; `at_once` without having read the request. */
  readonly url: (misdeed: Misdeed, position: number | 'at_once') => string;
  /** Connections that nobody has ended. */
  readonly open: () => number;
  readonly close: () => Promise<void>;
}

/** Bare sockets on this machine; the path of the address says what they do, and its port when they do it before reading. */
export async function startHostileReceiver(): Promise<HostileReceiver> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket
      .on('error', () => undefined)
      .on('end', () => socket.destroy())
      .on('close', () => sockets.delete(socket));
  };
  const listen = async (onConnection: (socket: Socket) => void) => {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => onConnection(keep(socket)));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return { server, port: (server.address() as AddressInfo).port };
  };
  const afterReading = await listen((socket) =>
    socket.once('data', (request) => {
      const [, misdeed = '', position = ''] = /^POST \/(\w+)\/(\d+) /.exec(request.toString('latin1')) ?? [];
      const act = (): void => MISDEEDS[misdeed as Misdeed](socket);
      if (position === '0') act();
      else socket.write(WHOLE_ANSWER.slice(0, Number(position)), act);
    }),
  );
  const atOnce = new Map<Misdeed, Awaited<ReturnType<typeof listen>>>();
  for (const misdeed of MISDEED_NAMES) {
    const act = (socket: Socket): void => {
      MISDEEDS[misdeed](socket);
      socket.resume();
    };
    atOnce.set(misdeed, await listen(act));
  }
  const servers = [afterReading, ...atOnce.values()].map(({ server }) => server);
  return {
    url: (misdeed, position) =>
      position === 'at_once'
        ? `http://127.0.0.1:${atOnce.get(misdeed)?.port}/`
        : `http://127.0.0.1:${afterReading.port}/${misdeed}/${position}`,
    open: () => sockets.size,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}
