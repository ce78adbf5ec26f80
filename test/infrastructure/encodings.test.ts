import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReadOptions, SheetRow } from '../../src/infrastructure/spreadsheets/cells.js';
import { readFile } from '../../src/infrastructure/spreadsheets/read-file.js';

const LIMITS = { rows: 1_000, columns: 200, timeLimitMs: 30_000, memoryMb: 256 };

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'encodings-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let files = 0;
async function read(bytes: Buffer, options: ReadOptions = {}) {
  const path = join(folder, `file-${files++}`);
  await writeFile(path, bytes);
  const rows: SheetRow[] = [];
  let notes: readonly string[] = [];
  for await (const part of readFile(path, LIMITS, options)) {
    if ('format' in part) notes = part.notes;
    else rows.push(...part);
  }
  return { notes, text: rows.map(({ cells }) => cells.map(String).join(';')).join('\n') };
}

/** The text in an encoding of one byte a letter, as Node can only read them. */
function encoded(text: string, encoding: string): Buffer {
  const decoder = new TextDecoder(encoding);
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
  return Buffer.from([...text].map((letter) => bytes.get(letter) ?? expect.fail(`${encoding} has no "${letter}"`)));
}

describe('the encoding of a CSV is found out by the words that it makes:', () => {
  it.each([
    ['Turkish', 'windows-1254', 'ürün adı;malzeme\nTişört;pamuk\nKadın Elbise;polyester\nÇorap;yün\nİç giyim;ipek'],
    [
      'Turkish beside English',
      'windows-1254',
      'name;fabric\nKısa Kollu Tişört;cotton\nGömlek Çizgili;linen\nŞort;denim',
    ],
    ['Turkish beside German', 'windows-1254', 'Name;Größe\nTişört gündelik;groß\nKüçük Çanta;klein'],
    ['Polish', 'windows-1250', 'nazwa;skład\nKoszulka dziecięca;bawełna\nSpódnica;wełna\nŻakiet;poliester'],
    ['Czech', 'windows-1250', 'název;složení\nTričko dámské;bavlna\nKošile;len\nDětský kabát;vlna\nŽlutý svetr;vlna'],
    ['Hungarian', 'windows-1250', 'név;anyag\nNői póló;pamut\nGyűrű;ezüst\nBőr öv;bőr\nTűzött kabát;gyapjú'],
    ['Romanian', 'windows-1250', 'nume;compoziţie\nCămaşă bărbaţi;bumbac\nFustă;lână'],
    ['Russian', 'windows-1251', 'название;состав\nФутболка;хлопок\nПлатье;вискоза'],
    ['German', 'windows-1252', 'Bezeichnung;Größe\nKleid für Mädchen „Übergang“;38\nHöschen – weiß;36'],
    [
      'French',
      'windows-1252',
      'nom;matière\nChemise à carreaux;coton\nRobe d’été;viscose\nPull crème côtelé;laine mérinos',
    ],
    ['German beside French', 'windows-1252', 'de;fr\nHemd für Männer;chemise légère\nGrüne Hose;pantalon élégant'],
    ['Spanish', 'windows-1252', 'nombre;composición\nCamiseta niño;algodón\nPañuelo;seda\n¿Pantalón?;poliéster'],
    ['Portuguese', 'windows-1252', 'nome;composição\nCalções;algodão\nSutiã;renda\nPeões;lã'],
    ['Danish', 'windows-1252', 'navn;materiale\nBørnebluse;bomuld\nStrømper;uld\nKåbe;uld'],
    [
      'Icelandic',
      'windows-1252',
      'nafn;efni\nPeysa fyrir börn;ull\nKjóll síður;bómull\nÞykk úlpa með hettu;dúnn\nSkór;leður',
    ],
    [
      'French with a foreign name',
      'windows-1252',
      'nom;marque\nChemise légère crème;Škik\nRobe à carreaux;Hermès\nPull où;Život',
    ],
    ['signs alone', 'windows-1252', 'name;price\nTee™ – 2 m² ½;5 €\n„x“ 30°;10 £'],
    ['German of an old Macintosh', 'macintosh', 'Bezeichnung;Größe\nKleid für Mädchen;38\nHöschen;36'],
  ])('%s', async (_language, encoding, text) => {
    const { text: found, notes } = await read(encoded(text, encoding));
    expect(found).toBe(text);
    expect(notes[0]?.toLowerCase()).toContain(`read as ${encoding} text`);
  });
});

describe('where several are likely, or none,', () => {
  const unclear = encoded('name;sku\nTişört;1\nGömlek;2', 'windows-1254');

  it('the caller is asked, with what it would be', async () => {
    await expect(read(unclear)).rejects.toMatchObject({
      code: 'file_unreadable',
      message: expect.stringMatching(/unclear: .*"Tiþört" in windows-1252, "Tişört" in windows-1254.*`encoding`/),
      errors: [{ path: 'encoding' }],
    });
    const old = Buffer.from('name\nGr\x94\xe1e\nM\x84dchen\n\x9aber\n', 'latin1');
    await expect(read(old)).rejects.toMatchObject({ message: expect.stringMatching(/unknown.*`encoding`/) });
  });

  it('and the answer counts', async () => {
    expect((await read(unclear, { encoding: 'windows-1254' })).text).toBe('name;sku\nTişört;1\nGömlek;2');
    expect((await read(unclear, { encoding: 'windows-1252' })).text).toContain('Tiþört');
    const chinese = Buffer.from('6e616d650ac3deb2bc0a', 'hex');
    expect((await read(chinese, { encoding: 'gb18030' })).text).toBe('name\n棉布');
  });
});
