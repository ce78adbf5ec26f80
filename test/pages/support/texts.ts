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
