/** The service's mark: a button with four holes. Drawn in a square of 24 units. */
export const MARK_SIZE = 24;

const round = (value: number): number => Math.round(value * 100) / 100;

const circle = (x: number, y: number, radius: number): string =>
  `M${round(x - radius)} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0z`;

const CENTRE = 12;
const HOLE_OFFSET = 2.7;

/** SVG path data of the mark, to be filled with the even-odd rule: rim, groove, face, holes. */
export const MARK_PATH = [
  circle(CENTRE, CENTRE, 12),
  circle(CENTRE, CENTRE, 9.2),
  circle(CENTRE, CENTRE, 7.9),
  ...[-1, 1].flatMap((x) => [-1, 1].map((y) => circle(CENTRE + x * HOLE_OFFSET, CENTRE + y * HOLE_OFFSET, 1.6))),
].join('');
