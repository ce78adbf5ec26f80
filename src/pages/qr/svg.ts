import { MARK_PATH, MARK_SIZE } from '../mark.js';
import { QUIET_ZONE, modulesPath, placeMark, qrSymbol } from './symbol.js';

/** Ink on white: dark enough for every scanner, and the one colour of the mark. */
export const QR_INK = '#14213d';

/** The code as an SVG image; `sizePx` sets width and height, without it the image fills its place. */
export function qrSvg(text: string, opts: { readonly sizePx?: number } = {}): string {
  const symbol = qrSymbol(text);
  const side = symbol.size + 2 * QUIET_ZONE;
  const { plate, mark } = placeMark(symbol);
  const dimensions = opts.sizePx === undefined ? '' : ` width="${opts.sizePx}" height="${opts.sizePx}"`;
  const scale = mark.size / MARK_SIZE;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}"${dimensions} role="img" aria-label="QR code">` +
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/>` +
    `<path fill="${QR_INK}" shape-rendering="crispEdges" d="${modulesPath(symbol)}"/>` +
    `<rect x="${plate.at}" y="${plate.at}" width="${plate.size}" height="${plate.size}" rx="${plate.radius}" fill="#fff"/>` +
    `<path fill="${QR_INK}" fill-rule="evenodd" transform="translate(${mark.at} ${mark.at}) scale(${scale})" d="${MARK_PATH}"/>` +
    '</svg>'
  );
}
