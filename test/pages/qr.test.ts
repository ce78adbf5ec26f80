import { Resvg } from '@resvg/resvg-js';
import jsqr from 'jsqr';
import { describe, expect, it } from 'vitest';
import { qrLabelPdf, qrPng, qrSvg, qrTerminal } from '../../src/pages/qr/index.js';

const URLS = [
  'http://localhost:3000/p/2012345678900/7K3MPQ9RSTUV',
  'https://passport.example.com/p/04012345678901/23456789ABCD',
  'https://p.ex/p/40123455/ZYXWVUTSRQPN',
  `https://a-rather-long-host-name.passports.example.org/some/prefix/p/4012345678901/HJKLMNPQRSTU`,
];

type Decode = (pixels: Uint8ClampedArray, width: number, height: number) => { readonly data: string } | null;
// jsqr is a CommonJS module whose types and run-time form of the default export differ.
const decode = ((jsqr as { readonly default?: unknown }).default ?? jsqr) as Decode;

const pixelsOf = (svg: string, side: number): Uint8ClampedArray =>
  new Uint8ClampedArray(new Resvg(svg, { fitTo: { mode: 'width', value: side } }).render().pixels);

const read = (svg: string, side: number): string | undefined => decode(pixelsOf(svg, side), side, side)?.data;

const asSvg = (png: Buffer, side: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}">` +
  `<image width="${side}" height="${side}" href="data:image/png;base64,${png.toString('base64')}"/></svg>`;

describe('the QR code', () => {
  for (const url of URLS) {
    for (const sizePx of [200, 300, 600]) {
      it(`is read as exactly ${url} at ${sizePx} px, mark included`, () => {
        expect(read(qrSvg(url), sizePx)).toBe(url);
        const png = qrPng(url, sizePx);
        expect(png.readUInt32BE(16)).toBe(sizePx);
        expect(read(asSvg(png, sizePx), sizePx)).toBe(url);
      });
    }
  }

  it('has the same bytes for the same text, in every form', async () => {
    const label = { url: URLS[0]!, productName: 'Tee', gtin: '2012345678900', serial: '7K3MPQ9RSTUV' };
    expect(qrSvg(URLS[0]!)).toBe(qrSvg(URLS[0]!));
    expect(qrPng(URLS[0]!, 300).equals(qrPng(URLS[0]!, 300))).toBe(true);
    const first = await qrLabelPdf(label);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(first.equals(await qrLabelPdf(label))).toBe(true);
  });

  it('keeps four modules of white around it and its mark in the middle, a fifth of the width', () => {
    const svg = qrSvg(URLS[1]!);
    const side = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]);
    const [, at, size] = /<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"/.exec(svg)!.map(Number);
    expect(at! + size! / 2).toBeCloseTo(side / 2, 2);
    expect(size! / (side - 8)).toBeGreaterThanOrEqual(0.2);
    expect(size! / (side - 8)).toBeLessThanOrEqual(0.22);
    const columns = [...svg.matchAll(/M(\d+) (\d+)h/g)].map((match) => Number(match[1]));
    expect(Math.min(...columns.filter((column) => column > 0))).toBe(4);
  });

  it('is drawn dark on white, never inverted', () => {
    expect([...pixelsOf(qrSvg(URLS[1]!), 300).subarray(0, 4)]).toEqual([255, 255, 255, 255]);
  });

  it('prints a label that is a PDF, also for names beyond its fonts', async () => {
    for (const productName of ['Köln Tee – Größe M', '有機棉T恤', 'Şişli çorap', '<b>&"', 'x'.repeat(200)]) {
      const pdf = await qrLabelPdf({ url: URLS[1]!, productName, gtin: '04012345678901', serial: '23456789ABCD' });
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
      expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1);
    }
  });

  it('prints in a terminal as blocks that a camera reads', () => {
    const lines = qrTerminal(URLS[1]!).split('\n');
    const pixelsAModule = 4;
    const columns = lines[0]!.length;
    const side = columns * pixelsAModule;
    const pixels = new Uint8ClampedArray(side * side * 4);
    for (let y = 0; y < side; y += 1) {
      for (let x = 0; x < side; x += 1) {
        const row = Math.floor(y / pixelsAModule);
        const block = lines[Math.floor(row / 2)]![Math.floor(x / pixelsAModule)];
        const light = block === '█' || block === (row % 2 === 0 ? '▀' : '▄');
        pixels.set([light ? 255 : 0, light ? 255 : 0, light ? 255 : 0, 255], (y * side + x) * 4);
      }
    }
    expect(decode(pixels, side, side)?.data).toBe(URLS[1]);
  });
});
