import { Resvg } from '@resvg/resvg-js';
import { qrSvg } from './svg.js';

/** The code as a PNG of `sizePx` by `sizePx` pixels, quiet zone and mark included. */
export function qrPng(text: string, sizePx: number): Buffer {
  const image = new Resvg(qrSvg(text), { fitTo: { mode: 'width', value: sizePx }, font: { loadSystemFonts: false } });
  return image.render().asPng();
}
