/** The service's mark: two knit stitches, one hanging in the other. Drawn in a square of 24 units. */
export const MARK_SIZE = 24;

const stitch = (y: number): string =>
  `M11.4 ${y + 10}C7 ${y + 9.2} 4 ${y + 5.6} 4 ${y}C8.6 ${y + 1} 11.4 ${y + 4.4} 11.4 ${y + 10}Z` +
  `M12.6 ${y + 10}C17 ${y + 9.2} 20 ${y + 5.6} 20 ${y}C15.4 ${y + 1} 12.6 ${y + 4.4} 12.6 ${y + 10}Z`;

/** SVG path data of the mark. */
export const MARK_PATH = stitch(2.5) + stitch(11.5);
