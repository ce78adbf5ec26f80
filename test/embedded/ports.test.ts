import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findFreePort, isPortFree } from '../../src/embedded/ports.js';
import { choosePartPorts } from '../../src/embedded/supervisor/settings.js';

let dataDir: string;
beforeEach(async () => (dataDir = await mkdtemp(join(tmpdir(), 'passport-ports-'))));
afterEach(() => rm(dataDir, { recursive: true }));

test('a free port is none of those that outgoing connections are given, and none that is spoken for', async () => {
  const taken: number[] = [];
  for (let count = 0; count < 200; count += 1) {
    const port = await findFreePort('127.0.0.1', taken);
    expect(taken).not.toContain(port);
    expect(port).toBeLessThan(32_768);
    taken.push(port);
  }
});

test('six parts have six ports, and keep them in the next run', async () => {
  const ports = await choosePartPorts(dataDir);
  expect(new Set(Object.values(ports)).size).toBe(6);
  expect(await choosePartPorts(dataDir)).toEqual(ports);
});

test('a part whose port somebody else has taken gets another, never that of a part that comes after it', async () => {
  const ports = await choosePartPorts(dataDir);
  const stranger = createServer().listen(ports.postgres, '127.0.0.1');
  await once(stranger, 'listening');
  expect(await isPortFree(ports.postgres)).toBe(false);
  const next = await choosePartPorts(dataDir);
  stranger.close();
  expect(next).toEqual({ ...ports, postgres: next.postgres });
  expect(next.postgres).not.toBe(ports.postgres);
});

test('a file that names some of the ports is read', async () => {
  const temporal = await findFreePort();
  await writeFile(join(dataDir, 'ports.json'), JSON.stringify({ temporal }));
  expect(await choosePartPorts(dataDir)).toMatchObject({ temporal });
});
