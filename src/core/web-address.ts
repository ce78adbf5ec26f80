/*
 * What mail programs turn into a link by themselves. Each look takes a bounded number of characters from each place, so the whole is
 * linear in the text.
 */

/** Endings that are no part of how companies abbreviate: `Co.Ltd`, `San.Tic` and `S.p.A` are names and not addresses. */
const LONG_ENDINGS = new Set(
  (
    'com net org info biz edu gov int eu app dev shop store online site website web xyz top club link click live blog cloud ' +
    'page tech space fashion clothing style example'
  ).split(' '),
);
/** Of two letters; after fewer than four letters they are taken for an abbreviation: `Cia.de Malhas`, `St.It`. */
const SHORT_ENDINGS = new Set(
  (
    'ac ai at be bg br by ca cc ch ci cl cn co cz de dk ee es fi fm fr gg gl gr hk hr hu ie il io ir is it jp kr kz la li lt lu ' +
    'lv ly ma me mx my ng nl no nu nz ph pk pl pt ro rs ru se sg sh si sk so su th tk tn to tr tv tw ua uk us uz vn ws za'
  ).split(' '),
);

/** Whether the text holds an address of the web, with or without `https://` before it. */
export function holdsWebAddress(text: string): boolean {
  // Full-width letters and dots are read by browsers as the plain ones.
  const plain = text.normalize('NFKC').replaceAll('。', '.').toLowerCase();
  if (plain.includes('://') || /\bwww\d?\./.test(plain)) return true;
  const parts = plain.split('.');
  return parts.some((part, index) => index > 0 && isAddress(parts[index - 1]?.slice(-4) ?? '', part.slice(0, 12)));
}

/** What stands right before and after a dot. */
function isAddress(before: string, after: string): boolean {
  if (!/[\p{L}\p{N}]$/u.test(before)) return false;
  // With a path behind it anything is one: `bit.ly/x`, `t.co/x`.
  if (/^[a-z]{2,10}\/[\p{L}\p{N}]/u.test(after)) return true;
  const ending = /^[\p{L}\p{N}]+/u.exec(after)?.[0] ?? '';
  return LONG_ENDINGS.has(ending) || (SHORT_ENDINGS.has(ending) && /^[\p{L}\p{N}-]{4}$/u.test(before));
}

/** The text with an ellipsis for every word that holds one. */
export const withoutWebAddresses = (text: string): string =>
  holdsWebAddress(text)
    ? text
        .split(' ')
        .map((word) => (holdsWebAddress(word) ? '…' : word))
        .join(' ')
    : text;
