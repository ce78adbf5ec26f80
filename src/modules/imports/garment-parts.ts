import { textKey } from '../../reference-data/text-key.js';

/**
 * What people call the parts of a garment or shoe whose composition they give apart, as `textKey` writes it. Only needed where
 * no colon says that a name is coming; anything may stand before a colon.
 */
const WORDS = [
  // English
  'shell|outer|outer shell|outer fabric|outer layer|main|main fabric|main material|body|body fabric|face|face fabric|upper|self',
  'lining|body lining|pocket lining|sleeve lining|hood lining|inner lining|inner|interlining|filling|fill|padding|wadding',
  'insulation|rib|ribbing|ribs|cuff|cuffs|collar|sleeve|sleeves|pocket|pockets|trim|trims|trimming|hood|back|front|yoke|gusset',
  'waistband|contrast|contrast fabric|coating|membrane|backing|sole|outsole|insole|midsole|embroidery|lace|mesh|panel|panels',
  // German
  'oberstoff|obermaterial|aussenmaterial|aussenstoff|hauptstoff|hauptmaterial|futter|innenfutter|innenmaterial|futterstoff',
  'taschenfutter|armelfutter|fullung|wattierung|bund|bundchen|kragen|armel|tasche|taschen|besatz|kapuze|ruckseite|vorderseite',
  'sohle|laufsohle|innensohle|decksohle|beschichtung|spitze|stickerei|zwickel|einsatz|einsatze|kontraststoff',
  // French
  'tissu exterieur|exterieur|tissu principal|tissu|principal|tige|doublure|doublure poche|interieur|rembourrage|garnissage',
  'ouate|bord cote|bords cotes|col|manche|manches|poche|poches|capuche|dos|devant|ceinture|semelle|enduction|dentelle|broderie',
  // Italian
  'esterno|tessuto esterno|tessuto principale|principale|fodera|interno|imbottitura|polsini|colletto|manica|maniche|tasca|tasche',
  'cappuccio|retro|davanti|cintura|suola|tomaia|sottopiede|rivestimento|membrana|pizzo|ricamo|inserti|coste|bordo',
  // Spanish
  'exterior|tejido exterior|tejido principal|forro|interior|relleno|acolchado|puno|punos|cuello|manga|mangas|bolsillo|bolsillos',
  'capucha|espalda|delantero|cinturilla|suela|plantilla|empeine|recubrimiento|encaje|bordado|canale',
];

const PARTS = new Set(WORDS.flatMap((line) => line.split('|')));

/** Words that only announce the composition of all of it. */
const WHOLE = new Set(
  [
    'composition|material composition|fabric composition|fibre composition|fiber content|fibre content|material|materials|fabric',
    'zusammensetzung|materialzusammensetzung|materialien|stoff|composition matiere|matiere|matieres|composizione|materiale',
    'materiali|composicion|materiales|tejido|tessuto|100',
  ].flatMap((line) => line.split('|')),
);

export const isPart = (name: string): boolean => PARTS.has(textKey(name));
export const isWhole = (name: string): boolean => WHOLE.has(textKey(name));
