/**
 * The form under which free text is looked up: lower case, without diacritics, anything but letters and digits as one
 * space (reference-data/README.md §9).
 */
export const textKey = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/ß/g, 'ss')
    .replace(/ı/g, 'i')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
