import { request } from 'node:http';
import { readFile, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../../src/embedded/ports.js';
import { startProgram, waitFor, type RunningProgram } from '../../support/program.js';
import type { Brand, TestService } from '../../support/service.js';
import { multipart } from './files.js';

/** An API process beside the service's own, with a folder of its own for temporary files: to be measured, and killed. */
export async function startApi(service: TestService, folder: string): Promise<{ api: RunningProgram; url: string }> {
  const port = await findFreePort();
  const env = { ...service.environment, PORT: String(port), TMPDIR: folder };
  const api = startProgram({ file: 'src/main.ts', env });
  await waitFor(api, () => api.output().includes('"ready"'), 60_000);
  return { api, url: `http://127.0.0.1:${port}` };
}

/** Uploads a file that is made while it is sent, of a length that nobody knows before. */
export function sendFile(
  url: string,
  brand: Brand,
  content: Iterable<string>,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; code: string; detail: string }> {
  const { payload, headers: type } = multipart('\0');
  const gap = payload.indexOf(0);
  function* body() {
    yield payload.subarray(0, gap);
    for (const piece of content) yield Buffer.from(piece);
    yield payload.subarray(gap + 1);
  }
  return new Promise((resolve, reject) => {
    const call = request(`${url}/brand/bulk/files`, {
      method: 'POST',
      headers: { ...brand.headers, ...type, ...headers },
    });
    call.on('error', reject);
    call.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => void (text += piece));
      answer.on('end', () => {
        const { code = '', detail = '' } = JSON.parse(text) as { code?: string; detail?: string };
        resolve({ status: answer.statusCode ?? 0, code, detail });
      });
    });
    Readable.from(body()).pipe(call);
  });
}

/** Sends the beginning of a file and, once the server has begun to keep it, ends the connection. */
export async function breakOff(
  url: string,
  brand: Brand,
  content: string,
  isBegun: () => Promise<boolean>,
): Promise<void> {
  const { payload, headers } = multipart(content);
  const call = request(`${url}/brand/bulk/files`, { method: 'POST', headers: { ...brand.headers, ...headers } });
  const ended = new Promise<void>((resolve) => call.on('error', () => resolve()).on('close', () => resolve()));
  call.write(payload.subarray(0, payload.length / 2));
  while (!(await isBegun())) await sleep(10);
  call.destroy();
  await ended;
}

const MIB = 1024 * 1024;

/** By how much a process's memory has grown at most while `work` ran, in MiB. */
export async function peakGrowthMib({ pid }: RunningProgram, work: () => Promise<unknown>): Promise<number> {
  const bytesOf = async (name: string): Promise<number> => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
  };
  // Sets the highest mark back to what is there now.
  await writeFile(`/proc/${pid}/clear_refs`, '5');
  const before = await bytesOf('VmRSS');
  await work();
  return ((await bytesOf('VmHWM')) - before) / MIB;
}
