import { parentPort, workerData } from 'node:worker_threads';
import { Refusal } from '../../core/errors.js';
import type { FromThread, ToThread } from './reader.js';
import { readFile } from './read-file.js';

/* Runs in a thread of its own: hands over the parts of a file, each when it is asked for. */

const port = parentPort;
if (port === null) throw new Error('the reader of spreadsheets runs in a thread');
const { path, limits, options } = workerData as ToThread;
const answer = (message: FromThread): void => port.postMessage(message);
const parts = readFile(path, limits, options);

port.on('message', () => {
  parts.next().then(
    ({ done, value }) => answer(done === true ? { kind: 'end' } : { kind: 'part', part: value }),
    (error: unknown) =>
      answer(
        error instanceof Refusal
          ? { kind: 'refused', code: error.code, detail: error.message, errors: error.errors }
          : { kind: 'failed', detail: error instanceof Error ? (error.stack ?? error.message) : String(error) },
      ),
  );
});
