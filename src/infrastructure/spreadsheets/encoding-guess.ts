/** Encodings of one byte a letter, and those of East Asia, that a CSV may be in; by their names for `TextDecoder`. */
export const NAMED_ENCODINGS = [
  ...(['windows-1252', 'windows-1250', 'windows-1254', 'windows-1257', 'windows-1251', 'windows-1253'] as const),
  ...(['macintosh', 'iso-8859-2', 'iso-8859-9', 'gb18030', 'big5', 'shift_jis', 'euc-kr'] as const),
] as const;

export type NamedEncoding = (typeof NAMED_ENCODINGS)[number];

/** The letters beyond a to z that the words of a language have. */
const ALPHABETS = {
  german: 'äöüß',
  french: 'àâæçéèêëîïôœùûüÿ',
  spanish: 'áéíñóúü',
  italian: 'àèéìíòóùú',
  portuguese: 'áâãàçéêíóôõúü',
  catalan: 'àçèéíïóòúü',
  dutch: 'äéèëïöóü',
  nordic: 'åäöæøéèü',
  finnish: 'åäöšž',
  icelandic: 'áðéíóúýþæö',
  turkish: 'çğıöşüâîûi̇',
  polish: 'ąćęłńóśźż',
  czech: 'áčďéěíňóřšťúůýž',
  slovak: 'áäčďéíĺľňóôŕšťúýž',
  hungarian: 'áéíóöőúüű',
  romanian: 'ăâîşţ',
  southSlavic: 'čćđšž',
  lithuanian: 'ąčęėįšųūž',
  latvian: 'āčēģīķļņšūž',
  estonian: 'äöüõšž',
  russian: 'абвгдежзийклмнопрстуфхцчшщъыьэюяёєіїґў',
  greek: 'αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋ',
} as const;

type Language = keyof typeof ALPHABETS;

interface Candidate {
  readonly encoding: NamedEncoding;
  readonly languages: readonly Language[];
}

const WESTERN = [
  'german',
  'french',
  'spanish',
  'italian',
  'portuguese',
  'catalan',
  'dutch',
  'nordic',
  'finnish',
] as const;

/** The likeliest first. */
const CANDIDATES: readonly Candidate[] = [
  { encoding: 'windows-1252', languages: WESTERN },
  { encoding: 'windows-1252', languages: [...WESTERN, 'icelandic'] },
  { encoding: 'windows-1254', languages: [...WESTERN, 'turkish'] },
  {
    encoding: 'windows-1250',
    languages: ['german', 'polish', 'czech', 'slovak', 'hungarian', 'romanian', 'southSlavic'],
  },
  { encoding: 'windows-1257', languages: ['german', 'lithuanian', 'latvian', 'estonian'] },
  { encoding: 'windows-1251', languages: ['russian'] },
  { encoding: 'windows-1253', languages: ['greek'] },
  { encoding: 'macintosh', languages: WESTERN },
];

export type Guess =
  { readonly encoding: NamedEncoding } | { readonly unclear: readonly (readonly [NamedEncoding, word: string])[] };

/**
 * Which encoding makes words of these bytes: each the letters of one word, at least one of them beyond ASCII. The Western one
 * unless others make more words of them; `unclear` if several of those do, and not the same ones; null if none makes words of
 * enough of them.
 */
export function guessEncoding(words: readonly Uint8Array[]): Guess | null {
  if (words.length === 0) return { encoding: 'windows-1252' };
  const readings = CANDIDATES.map(({ encoding, languages }) => {
    const decoder = new TextDecoder(encoding);
    const texts = words.map((word) => decoder.decode(word));
    return { encoding, texts, known: texts.filter((text) => languages.some((one) => isWord(text, one))).length };
  });
  const most = Math.max(...readings.map(({ known }) => known));
  const western = readings[0]?.known ?? 0;
  const isBetter = most > western && most - western >= words.length * SLIPS_SHARE;
  if (!isBetter && western >= words.length * USUAL_SHARE) return { encoding: 'windows-1252' };
  if (most < words.length * OTHER_SHARE) return null;
  const best = readings.filter(({ known }) => known === most);
  const [first, ...others] = best;
  if (first === undefined) return null;
  const other = others.filter(({ texts }) => texts.some((text, index) => text !== first.texts[index]));
  if (other.length === 0) return { encoding: first.encoding };
  // Six letters of Icelandic are Turkish ones: whoever has more words with the others.
  const turkish = other.find(({ encoding }) => encoding === 'windows-1254');
  if (other.length === 1 && turkish !== undefined) {
    const [ofIcelandic, ofTurkish] = [
      first.texts.filter((text) => isWord(text, 'icelandic')).length,
      turkish.texts.filter((text) => isWord(text, 'turkish')).length,
    ];
    if (ofIcelandic !== ofTurkish) return { encoding: ofIcelandic > ofTurkish ? 'windows-1252' : 'windows-1254' };
  }
  const place = words.findIndex((_, index) => other.some(({ texts }) => texts[index] !== first.texts[index]));
  return { unclear: [first, ...other].map(({ encoding, texts }) => [encoding, texts[place] ?? ''] as const) };
}

/** How many of the words must be some: names and slips are none. */
const USUAL_SHARE = 0.5;
const OTHER_SHARE = 0.8;
const SLIPS_SHARE = 0.02;

const LETTERS = new Map(Object.entries(ALPHABETS).map(([language, letters]) => [language, new Set(letters)]));
const OWN_SCRIPT: ReadonlySet<Language> = new Set(['russian', 'greek']);
/** Signs before and behind words, and the few inside: l’été, Hose–Rock. */
const BEFORE = /[\p{P}™®©€\u00a0\u00ad]/u;
const BEHIND = /[\p{P}™®©€°¹²³ªº\u00a0\u00ad]/u;
const INSIDE = /[’–—·\u00ad\u00a0…]/u;
const CASED = /^(?:\p{Lu}?\p{Ll}*|\p{Lu}+)$/u;

/** Whether a text could be a word of the language: its letters, in capitals, in small ones, or with a capital first. */
function isWord(text: string, language: Language): boolean {
  return bare(text)
    .split(INSIDE)
    .every((word) => {
      const letters = LETTERS.get(language);
      const isOwn = [...word.toLowerCase()].every(
        (letter) => (letter >= 'a' && letter <= 'z' && !OWN_SCRIPT.has(language)) || letters?.has(letter) === true,
      );
      return isOwn && CASED.test(word.replaceAll('ß', 's')) && isSpelt(word.toLowerCase(), language);
    });
}

function bare(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && BEFORE.test(text.charAt(start))) start += 1;
  while (end > start && BEHIND.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Letters that a language has in a few places only. */
function isSpelt(word: string, language: Language): boolean {
  if (language === 'portuguese') return !/õ(?!e)/.test(word);
  if (language === 'greek') return !/ς(?=.)|σ$/.test(word);
  return language !== 'russian' || !/^[ъьы]/.test(word);
}
