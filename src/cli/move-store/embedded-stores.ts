import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

interface EmbeddedStores {
  readonly databaseUrl: string;
  readonly eventStoreUrl: string;
}

/** A program of its own, which the service does not have: what npm start brings along is not there in production. */
const PROGRAM = fileURLToPath(new URL('../../embedded/stores.js', import.meta.url));

/** Runs `work` beside the embedded stores of the stopped service on `DATA_DIR`. They end with this process, however it ends. */
export async function withEmbeddedStores<T>(work: (stores: EmbeddedStores) => Promise<T>): Promise<T> {
  const program = spawn(process.execPath, [PROGRAM], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Ctrl-C on the terminal is for this process, whose end they notice.
    detached: true,
  });
  const ended = once(program, 'exit');
  const ready = once(program, 'message').then(([stores]) => stores as EmbeddedStores);
  try {
    const stores = await Promise.race([ready, ended.then(() => null)]);
    // It has said why.
    if (stores === null) throw new Error('The embedded stores cannot be started. Nothing was done.');
    return await work(stores);
  } finally {
    if (program.connected) program.disconnect();
    await ended;
  }
}
