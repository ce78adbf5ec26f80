import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/core/ids.js';

const project = join(import.meta.dirname, '..', '..');
const sources = globSync('{src,workflows,projections}/**/*.{ts,tsx}', { cwd: project }).filter(
  (path) => !path.startsWith('src/embedded/'),
);

/** Every function that names a stream, by its name. */
const makers = new Map<string, (id: string) => string>();
for (const path of sources.filter((source) => source.endsWith('/events.ts'))) {
  const module = (await import(join(project, path))) as Readonly<Record<string, unknown>>;
  for (const [name, made] of Object.entries(module)) {
    if (name.endsWith('Stream') && typeof made === 'function') makers.set(name, made as (id: string) => string);
  }
}

describe('the name of a stream', () => {
  it('is made by the modules, each by a function of its own', () => {
    expect([...makers.keys()].sort()).toEqual([
      ...['batchStream', 'deliveryStream', 'factoryStream', 'importStream', 'organizationStream', 'passportStream'],
      ...['productStream', 'proposalStream', 'supplierStream', 'webhookStream'],
    ]);
  });

  it.each([...makers])('is ASCII whatever the id holds, and another for another id: %s', (_name, streamOf) => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
        expect(streamOf(one)).toMatch(/^[\x21-\x7e]+$/);
        expect(streamOf(one) === streamOf(other)).toBe(one === other);
      }),
    );
    expect(streamOf('\ud800')).toMatch(/^[\x21-\x7e]+$/);
  });

  it('holds an id of ours as it is', () => {
    const id = newId('bat');
    expect(makers.get('batchStream')?.(id)).toBe(`batch-${id}`);
  });

  it('is put together in one place', () => {
    const kinds = [...makers.values()].map((streamOf) => streamOf('').slice(0, -1)).join('|');
    const another = new RegExp(`[\`'](${kinds})-(\\$\\{|' ?\\+)`);
    expect(sources.filter((path) => another.test(readFileSync(join(project, path), 'utf8')))).toEqual([]);
  });
});
