import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples');

export interface LedgerRow {
  readonly id: string;
  readonly event: string;
  readonly body: string;
}

/** `examples/receiver.py` at work: a receiver that shares nothing with the service but the document it was written from. */
export interface LedgerReceiver {
  readonly rows: () => Promise<readonly LedgerRow[]>;
  readonly close: () => Promise<void>;
}

export async function startLedgerReceiver({
  secret,
  port,
}: {
  readonly secret: string;
  readonly port: number;
}): Promise<LedgerReceiver> {
  const folder = await mkdtemp(join(tmpdir(), 'ledger-'));
  const ledger = join(folder, 'ledger.db');
  const receiver = spawn('python3', [join(EXAMPLES, 'receiver.py'), String(port), ledger], {
    env: { PATH: process.env['PATH'], SECRET: secret },
    stdio: 'ignore',
  });
  const ended = once(receiver, 'exit');
  while (!(await isListening(port))) {
    if (receiver.exitCode !== null) throw new Error(`examples/receiver.py ended with ${receiver.exitCode}`);
    await sleep(50);
  }
  return {
    rows: async () => {
      const { stdout } = await promisify(execFile)('python3', ['-c', READ, ledger]);
      return JSON.parse(stdout) as LedgerRow[];
    },
    close: async () => {
      receiver.kill();
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

const READ = `
import json, sqlite3, sys
rows = sqlite3.connect(sys.argv[1], timeout=8).execute("select id, event, body from deliveries order by rowid")
print(json.dumps([dict(zip(("id", "event", "body"), row)) for row in rows]))
`;

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
