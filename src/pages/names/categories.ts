import type { InEveryLocale, Locale } from '../locale.js';

/** Names of categories and sub-categories of `reference-data/categories.csv`, as a consumer would say them. */
const CATEGORY_NAMES: Readonly<Record<string, InEveryLocale<string>>> = {
  textile_apparel: { en: 'Apparel', de: 'Bekleidung', fr: 'Habillement', it: 'Abbigliamento', es: 'Ropa' },
  textile_accessories: {
    en: 'Textile accessories',
    de: 'Textile Accessoires',
    fr: 'Accessoires textiles',
    it: 'Accessori tessili',
    es: 'Accesorios textiles',
  },
  textile_home: {
    en: 'Home textiles',
    de: 'Heimtextilien',
    fr: 'Linge de maison',
    it: 'Tessili per la casa',
    es: 'Textil hogar',
  },
  textile_fabric: {
    en: 'Fabric and yarn',
    de: 'Stoff und Garn',
    fr: 'Tissu et fil',
    it: 'Tessuto e filato',
    es: 'Tejido e hilo',
  },
  footwear: { en: 'Footwear', de: 'Schuhe', fr: 'Chaussures', it: 'Calzature', es: 'Calzado' },
  leather_goods: { en: 'Leather goods', de: 'Lederwaren', fr: 'Maroquinerie', it: 'Pelletteria', es: 'Marroquinería' },
  tshirts: { en: 'T-shirts', de: 'T-Shirts', fr: 'T-shirts', it: 'T-shirt', es: 'Camisetas' },
  shirts_blouses: {
    en: 'Shirts and blouses',
    de: 'Hemden und Blusen',
    fr: 'Chemises et blouses',
    it: 'Camicie e bluse',
    es: 'Camisas y blusas',
  },
  sweaters_midlayers: {
    en: 'Sweaters and midlayers',
    de: 'Pullover und Zwischenschichten',
    fr: 'Pulls et couches intermédiaires',
    it: 'Maglioni e strati intermedi',
    es: 'Jerséis y capas intermedias',
  },
  jackets_coats: {
    en: 'Jackets and coats',
    de: 'Jacken und Mäntel',
    fr: 'Vestes et manteaux',
    it: 'Giacche e cappotti',
    es: 'Chaquetas y abrigos',
  },
  pants_shorts: {
    en: 'Pants and shorts',
    de: 'Hosen und Shorts',
    fr: 'Pantalons et shorts',
    it: 'Pantaloni e shorts',
    es: 'Pantalones y pantalones cortos',
  },
  jeans: { en: 'Jeans', de: 'Jeans', fr: 'Jeans', it: 'Jeans', es: 'Vaqueros' },
  dresses_skirts_jumpsuits: {
    en: 'Dresses, skirts and jumpsuits',
    de: 'Kleider, Röcke und Overalls',
    fr: 'Robes, jupes et combinaisons',
    it: 'Abiti, gonne e tute',
    es: 'Vestidos, faldas y monos',
  },
  leggings_tights_socks: {
    en: 'Leggings, tights and socks',
    de: 'Leggings, Strumpfhosen und Socken',
    fr: 'Leggings, collants et chaussettes',
    it: 'Leggings, collant e calze',
    es: 'Leggings, medias y calcetines',
  },
  underwear: { en: 'Underwear', de: 'Unterwäsche', fr: 'Sous-vêtements', it: 'Intimo', es: 'Ropa interior' },
  swimwear: { en: 'Swimwear', de: 'Bademode', fr: 'Maillots de bain', it: 'Costumi da bagno', es: 'Bañadores' },
  apparel_accessories: {
    en: 'Apparel accessories',
    de: 'Bekleidungsaccessoires',
    fr: "Accessoires d'habillement",
    it: 'Accessori di abbigliamento',
    es: 'Complementos de vestir',
  },
  open_toed_shoes: {
    en: 'Open-toed shoes',
    de: 'Offene Schuhe',
    fr: 'Chaussures ouvertes',
    it: 'Scarpe aperte',
    es: 'Zapatos abiertos',
  },
  closed_toed_shoes: {
    en: 'Closed-toed shoes',
    de: 'Geschlossene Schuhe',
    fr: 'Chaussures fermées',
    it: 'Scarpe chiuse',
    es: 'Zapatos cerrados',
  },
  boots: { en: 'Boots', de: 'Stiefel', fr: 'Bottes', it: 'Stivali', es: 'Botas' },
};

/** The name of a category or sub-category; an unknown id in plain words. */
export const categoryName = (id: string, locale: Locale): string =>
  CATEGORY_NAMES[id]?.[locale] ?? id.replaceAll('_', ' ');
