import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { FABRIC_PROCESSES, FUELS } from '../../src/core/production-data.js';
import { isCountryCode } from '../../src/reference-data/countries.js';
import { FACTOR_SET_HASH, FACTOR_TABLES } from '../../src/reference-data/factor-tables.js';
import { cell, numberIn, numberOrNull, readTable } from '../../src/reference-data/tables.js';

describe('factor tables', () => {
  test('the hash of the set can be checked with sha256sum', () => {
    const files =
      'benchmarks.csv categories.csv distances.csv electricity.csv electricity_regions.csv heat.csv materials.csv materials_by_origin.csv processes.csv regions.csv transport.csv';
    const printed = execFileSync('sh', ['-c', `sha256sum ${files} | sha256sum`], {
      cwd: fileURLToPath(new URL('../../reference-data/', import.meta.url)),
      encoding: 'utf8',
    });
    expect(printed.split(' ')[0]).toBe(FACTOR_SET_HASH);
  });

  test('every factor names its source', () => {
    const tables = ['materials_by_origin', 'processes', 'electricity', 'electricity_regions', 'heat', 'transport'];
    for (const table of [...tables, 'distances', 'benchmarks', 'categories']) {
      for (const row of readTable(table)) expect(cell(row, 'source')).not.toBe('');
    }
    for (const row of readTable('materials')) {
      expect(cell(row, 'source') !== '').toBe(numberOrNull(row, 'kgco2e_per_kg') !== null);
    }
  });

  test('recycled materials agree with the formula in their own column', () => {
    const recycled = readTable('materials').filter((row) => cell(row, 'cff_A') !== '' && cell(row, 'kgco2e_per_kg') !== '');
    expect(recycled.length).toBeGreaterThan(8);
    for (const row of recycled) {
      const virgin = FACTOR_TABLES.materials.get(cell(row, 'cff_virgin'))?.kgPerKg ?? NaN;
      const [a, q] = [numberIn(row, 'cff_A'), numberIn(row, 'cff_Q')];
      expect(a * numberIn(row, 'kgco2e_per_kg') + (1 - a) * q * virgin).toBeCloseTo(numberIn(row, 'cff_kgco2e_per_kg'), 4);
    }
  });

  test('numbers that the tables hold as text are the ones in the code', () => {
    const processes = new Map(readTable('processes').map((row) => [cell(row, 'process_id'), row]));
    const formula = (id: string): string => cell(processes.get(id) ?? {}, 'elec_kwh');
    expect(['spinning_ring', 'spinning_filament', 'making'].map(formula)).toEqual(['4*Nm/50', '1.5*Nm/50', '0.029*minutes']);
    expect(formula('weaving')).toBe('0.0003145*picks, picks=(gsm*Nm/100/2/1.08)*(1000/gsm)*100 per kg fabric');
    const transport = readTable('transport');
    const shares = transport.filter((row) => cell(row, 'kind') === 'road_share');
    expect(shares.map((row) => [numberOrNull(row, 'km'), cell(row, 'note').split(' (')[0]])).toEqual([
      [500, 'share by road 1'],
      [1000, 'share by road 0.9'],
      [2000, 'share by road 0.5'],
      [3000, 'share by road 0.25'],
      [null, 'share by road 0'],
    ]);
    const air = transport.find((row) => cell(row, 'kind') === 'air_share');
    expect(cell(air ?? {}, 'note')).toMatch(/^0\.33 \(0 for Europe and Africa\)/);
  });

  test('the ids that production data may name are those of the tables', () => {
    for (const id of FABRIC_PROCESSES) expect(FACTOR_TABLES.processes.has(id)).toBe(true);
    const ofFabric = readTable('processes').filter((row) => cell(row, 'stage') === 'fabric');
    expect(ofFabric.map((row) => cell(row, 'process_id'))).toEqual([...FABRIC_PROCESSES]);
    const fuels = new Set(readTable('heat').map((row) => cell(row, 'fuel')));
    expect([...fuels].filter((fuel) => !fuel.startsWith('mix_'))).toEqual([...FUELS]);
  });

  test('Europe and Africa are the listed countries: no TR, no RU', () => {
    expect(FACTOR_TABLES.regions.get('PT')).toBe('europe');
    expect(FACTOR_TABLES.regions.get('MA')).toBe('africa');
    for (const code of ['TR', 'RU', 'IN']) expect(FACTOR_TABLES.regions.has(code)).toBe(false);
    for (const code of [...FACTOR_TABLES.regions.keys(), ...FACTOR_TABLES.grids.keys()]) {
      expect([code, isCountryCode(code)]).toEqual([code, true]);
    }
  });
});
