/** What a reader sees: tags out, entities back, white space to single blanks. */
export const textOf = (html: string): string =>
  html
    .replace(/<style[\s\S]*?<\/style>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');

/** Paths of a dictionary whose text is blank; help texts may be. */
export function emptyTexts(dictionary: object, path = ''): string[] {
  return Object.entries(dictionary).flatMap(([key, value]: [string, unknown]) => {
    const here = path === '' ? key : `${path}.${key}`;
    if (typeof value === 'function')
      return String((value as (...given: unknown[]) => unknown)('a', 'b')).trim() === '' ? [here] : [];
    if (typeof value === 'object' && value !== null) return emptyTexts(value, here);
    return String(value).trim() === '' && key !== 'help' ? [here] : [];
  });
}

/** Paths of a dictionary, each with what it puts into its text: `intro: 1, 2` for a text with both of its arguments. */
export function sayings(dictionary: object, path = ''): string[] {
  return Object.entries(dictionary)
    .flatMap(([key, value]: [string, unknown]) => {
      const here = path === '' ? key : `${path}.${key}`;
      if (typeof value === 'object' && value !== null) return sayings(value, here);
      if (typeof value !== 'function') return [here];
      const text = String((value as (...given: unknown[]) => unknown)('«1»', '«2»'));
      return [`${here}: ${['1', '2'].filter((number) => text.includes(`«${number}»`)).join(', ')}`];
    })
    .sort();
}
