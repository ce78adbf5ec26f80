const IN_TEXT = /https?:\/\/[^\s<>"']+/g;
const IN_HTML = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&#38;': '&',
  '&quot;': '"',
  '&#39;': "'",
  '&lt;': '<',
  '&gt;': '>',
};

/** The web addresses in a message, each once: those of the text first, then those that only the HTML links to. */
export const findLinks = (text: string, html: string): string[] => {
  const links = new Set<string>();
  // Punctuation that ends the sentence is not part of the address.
  for (const [address] of text.matchAll(IN_TEXT)) links.add(address.replace(/[.,;:!?)\]]{1,10}$/, ''));
  for (const match of html.matchAll(IN_HTML)) {
    const address = (match[1] ?? match[2] ?? '').replaceAll(/&[a-z#0-9]+;/g, (entity) => ENTITIES[entity] ?? entity);
    if (/^https?:\/\//.test(address)) links.add(address);
  }
  return [...links];
};
