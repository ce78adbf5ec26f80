import type { ImportField } from '../contract.js';

type Languages = 'en' | 'de' | 'fr' | 'it' | 'es';

/** A column that a file may have, for the mapping, the template and its explanations. */
export interface FileField {
  /** The name of the column, and of the field in a mapping. */
  readonly column: string;
  readonly field: ImportField;
  readonly explanation: string;
  readonly examples: readonly [string | number | boolean, string | number | boolean];
  /** Headers that mean this field. Those of materials are recognized by their words, see `recognize.ts`. */
  readonly meanings: Readonly<Record<Languages, readonly string[]>>;
}

const NONE = { en: [], de: [], fr: [], it: [], es: [] } as const;

const material = (
  number: 1 | 2 | 3,
  examples: Record<'Type' | 'Percent' | 'Origin', readonly [string | number, string | number]>,
) =>
  [
    {
      column: `material_${number}_type`,
      field: `material${number}Type`,
      explanation: 'A material, by its name in one of the usual languages or by its id. For a passport.',
      examples: examples.Type,
      meanings: NONE,
    },
    {
      column: `material_${number}_percent`,
      field: `material${number}Percent`,
      explanation: 'Its share in percent: 95, 95 % and 0.95 as a percentage all mean the same. The shares total 100.',
      examples: examples.Percent,
      meanings: NONE,
    },
    {
      column: `material_${number}_origin`,
      field: `material${number}Origin`,
      explanation: 'The country that the fibre comes from: 2-letter code or name.',
      examples: examples.Origin,
      meanings: NONE,
    },
  ] as const satisfies readonly FileField[];

/** Every column, in the order of the template. */
export const FILE_FIELDS: readonly FileField[] = [
  {
    column: 'name',
    field: 'name',
    explanation: 'The name of the product. The only column that every row needs.',
    examples: ['T-shirt Anna', 'Rain jacket Fjord'],
    meanings: {
      en: [
        'product name',
        'product',
        'style name',
        'item name',
        'article name',
        'model name',
        'product title',
        'title',
      ],
      de: [
        'produktname',
        'produktbezeichnung',
        'artikelname',
        'artikelbezeichnung',
        'bezeichnung',
        'modellname',
        'produkt',
      ],
      fr: ['nom', 'nom du produit', 'nom de l article', 'produit', 'designation', 'libelle', 'nom du modele'],
      it: ['nome', 'nome prodotto', 'nome del prodotto', 'nome articolo', 'prodotto', 'denominazione'],
      es: ['nombre', 'nombre del producto', 'nombre del articulo', 'producto', 'denominacion'],
    },
  },
  {
    column: 'external_id',
    field: 'externalId',
    explanation:
      'The key of the product in your own system. The first that a row is matched by, and the best: it never changes.',
    examples: ['STYLE-1001', 'STYLE-1002'],
    meanings: {
      en: ['id', 'external reference', 'external key', 'product id', 'item id', 'style id', 'pim id', 'erp id'],
      de: ['externe id', 'externe nummer', 'produkt id', 'artikel id', 'externer schlussel'],
      fr: ['id externe', 'identifiant', 'identifiant externe', 'id produit', 'reference externe'],
      it: ['id esterno', 'identificativo', 'id prodotto', 'riferimento esterno'],
      es: ['id externo', 'identificador', 'id producto', 'referencia externa'],
    },
  },
  {
    column: 'sku',
    field: 'sku',
    explanation: 'Your article number. Matched by if there is neither external_id nor gtin.',
    examples: ['TS-ANNA', 'JK-FJORD'],
    meanings: {
      en: [
        'sku code',
        'article number',
        'article no',
        'item number',
        'item no',
        'style number',
        'style no',
        'style code',
        'product code',
      ],
      de: [
        'artikelnummer',
        'artikel nr',
        'artikelnr',
        'art nr',
        'produktnummer',
        'modellnummer',
        'bestellnummer',
        'stylenummer',
      ],
      fr: ['reference', 'ref', 'reference produit', 'code article', 'numero d article', 'code produit'],
      it: ['codice articolo', 'codice prodotto', 'codice', 'numero articolo', 'riferimento'],
      es: ['referencia', 'codigo', 'codigo de articulo', 'codigo de producto', 'numero de articulo'],
    },
  },
  {
    column: 'gtin',
    field: 'gtin',
    explanation:
      '8, 12, 13 or 14 digits. Format the column as text: a spreadsheet program turns long numbers into 4.01E+12.',
    examples: ['4012345678901', ''],
    meanings: {
      en: [
        'ean',
        'ean 13',
        'ean13',
        'ean code',
        'gtin 13',
        'gtin13',
        'gtin ean',
        'ean gtin',
        'upc',
        'barcode',
        'bar code',
      ],
      de: ['ean nummer', 'gtin nummer', 'strichcode', 'barcode nummer'],
      fr: ['code ean', 'code barre', 'code barres', 'code a barres', 'gencod'],
      it: ['codice ean', 'codice a barre'],
      es: ['codigo ean', 'codigo de barras'],
    },
  },
  {
    column: 'category',
    field: 'category',
    explanation: 'Category or sub-category, by id or name. Without it the product is textile apparel.',
    examples: ['textile_apparel', 'jackets_coats'],
    meanings: {
      en: ['category id', 'product category', 'product group', 'product type'],
      de: ['kategorie', 'produktkategorie', 'warengruppe', 'produktgruppe', 'produktart', 'artikelgruppe'],
      fr: ['categorie', 'categorie de produit', 'categorie produit', 'type de produit', 'famille de produits'],
      it: ['categoria', 'categoria prodotto', 'tipo di prodotto', 'gruppo merceologico'],
      es: ['categoria de producto', 'categoria del producto', 'tipo de producto', 'grupo de productos'],
    },
  },
  {
    column: 'subcategory',
    field: 'subcategory',
    explanation: 'Sub-category, by id or name; it sets the category too, and makes the footprint more exact.',
    examples: ['tshirts', ''],
    meanings: {
      en: ['sub category', 'product subcategory', 'product sub category'],
      de: ['unterkategorie', 'untergruppe', 'produktunterkategorie'],
      fr: ['sous categorie'],
      it: ['sottocategoria'],
      es: ['subcategoria'],
    },
  },
  {
    column: 'weight_kg',
    field: 'weightKg',
    explanation: 'Weight of one piece in kg. Without it the passport is calculated with 0.25 kg, flagged as estimated.',
    examples: [0.18, 0.65],
    meanings: {
      en: ['weight', 'net weight', 'product weight', 'item weight', 'unit weight'],
      de: ['gewicht', 'nettogewicht', 'produktgewicht', 'artikelgewicht', 'stuckgewicht', 'eigengewicht'],
      fr: ['poids', 'poids net', 'poids du produit', 'poids unitaire'],
      it: ['peso', 'peso netto', 'peso prodotto', 'peso unitario'],
      es: ['peso neto', 'peso del producto'],
    },
  },
  {
    column: 'country_of_manufacture',
    field: 'countryOfManufacture',
    explanation: 'Where the product was made: 2-letter code or name.',
    examples: ['PT', 'Vietnam'],
    meanings: {
      en: [
        'manufacturing country',
        'production country',
        'country of production',
        'country of origin',
        'origin country',
        'country',
        'made in',
        'coo',
        'origin',
      ],
      de: [
        'herkunftsland',
        'ursprungsland',
        'produktionsland',
        'herstellungsland',
        'herstellerland',
        'hergestellt in',
        'land',
        'herkunft',
      ],
      fr: ['pays de fabrication', 'pays de production', 'pays d origine', 'fabrique en', 'pays', 'origine'],
      it: [
        'paese di produzione',
        'paese di fabbricazione',
        'paese di origine',
        'paese d origine',
        'prodotto in',
        'paese',
      ],
      es: ['pais de fabricacion', 'pais de produccion', 'pais de origen', 'fabricado en', 'hecho en', 'pais', 'origen'],
    },
  },
  {
    column: 'composition',
    field: 'composition',
    explanation: 'All materials in one cell, instead of the columns after it: "95% organic cotton, 5% elastane".',
    examples: ['', '60 % recycled polyester / 40 % polyamide'],
    meanings: {
      en: [
        'material composition',
        'fabric composition',
        'fibre composition',
        'fiber composition',
        'fibre content',
        'fiber content',
        'fabric content',
        'materials',
        'material',
      ],
      de: [
        'materialzusammensetzung',
        'zusammensetzung',
        'faserzusammensetzung',
        'stoffzusammensetzung',
        'materialangabe',
        'materialangaben',
        'materialien',
        'komposition',
      ],
      fr: ['composition textile', 'composition matiere', 'composition du produit', 'matiere', 'matieres'],
      it: [
        'composizione',
        'composizione materiale',
        'composizione tessuto',
        'composizione fibre',
        'materiale',
        'materiali',
      ],
      es: ['composicion', 'composicion textil', 'composicion del material', 'materiales'],
    },
  },
  ...material(1, { Type: ['organic cotton', ''], Percent: [95, ''], Origin: ['TR', ''] }),
  ...material(2, { Type: ['elastane', ''], Percent: [5, ''], Origin: ['', ''] }),
  ...material(3, { Type: ['', ''], Percent: ['', ''], Origin: ['', ''] }),
  {
    column: 'care_instructions',
    field: 'careInstructions',
    explanation: 'How to wash, dry and iron it, for the passport.',
    examples: ['Wash at 30 °C', 'Do not tumble dry'],
    meanings: {
      en: ['care', 'care label', 'care instruction', 'washing instructions', 'wash care'],
      de: ['pflegehinweise', 'pflegehinweis', 'pflegeanleitung', 'pflege', 'waschanleitung', 'waschhinweise'],
      fr: ['entretien', 'instructions d entretien', 'conseils d entretien', 'consignes de lavage'],
      it: ['istruzioni di cura', 'istruzioni di lavaggio', 'istruzioni per il lavaggio', 'cura', 'manutenzione'],
      es: ['cuidados', 'instrucciones de cuidado', 'instrucciones de lavado', 'cuidado'],
    },
  },
  {
    column: 'expected_lifespan_years',
    field: 'expectedLifespanYears',
    explanation: 'For how many years the product is meant to be used.',
    examples: [5, 10],
    meanings: {
      en: [
        'expected lifespan',
        'lifespan',
        'lifespan years',
        'expected lifetime',
        'lifetime',
        'lifetime years',
        'durability years',
      ],
      de: ['lebensdauer', 'lebensdauer jahre', 'lebensdauer in jahren', 'erwartete lebensdauer', 'nutzungsdauer'],
      fr: ['duree de vie', 'duree de vie attendue', 'duree de vie annees', 'duree de vie en annees'],
      it: ['durata', 'durata prevista', 'durata di vita', 'vita utile', 'durata anni'],
      es: ['vida util', 'vida util esperada', 'vida util anos', 'duracion'],
    },
  },
  {
    column: 'recyclable',
    field: 'recyclable',
    explanation: 'Yes or no, in English, German, French, Italian or Spanish.',
    examples: ['yes', 'no'],
    meanings: {
      en: ['is recyclable', 'recyclability'],
      de: ['recycelbar', 'recyclebar', 'recyclingfahig', 'wiederverwertbar', 'rezyklierbar'],
      fr: ['est recyclable', 'recyclabilite'],
      it: ['riciclabile'],
      es: ['reciclable'],
    },
  },
  {
    column: 'recycling_instructions',
    field: 'recyclingInstructions',
    explanation: 'Where it goes when it is no longer used, for the passport.',
    examples: ['Textile container', ''],
    meanings: {
      en: ['recycling', 'end of life', 'disposal', 'disposal instructions', 'recycling information'],
      de: ['recyclinghinweise', 'recyclinghinweis', 'entsorgung', 'entsorgungshinweise', 'entsorgungshinweis'],
      fr: ['recyclage', 'consignes de tri', 'consignes de recyclage', 'fin de vie'],
      it: ['riciclo', 'istruzioni di riciclo', 'istruzioni per il riciclo', 'smaltimento'],
      es: ['reciclaje', 'instrucciones de reciclaje', 'fin de vida'],
    },
  },
  {
    column: 'ecommerce_url',
    field: 'ecommerceUrl',
    explanation: 'The page of the product in your shop; begins with https://.',
    examples: ['https://shop.example/anna', ''],
    meanings: {
      en: [
        'e commerce url',
        'url',
        'product url',
        'shop url',
        'product link',
        'shop link',
        'webshop',
        'webshop link',
        'product page',
        'link',
      ],
      de: ['produkt url', 'produktlink', 'shoplink', 'produktseite', 'webshop url'],
      fr: ['url produit', 'lien', 'lien produit', 'page produit'],
      it: ['url prodotto', 'link prodotto', 'pagina prodotto'],
      es: ['url del producto', 'url producto', 'enlace', 'enlace del producto'],
    },
  },
  {
    column: 'supplier_name',
    field: 'supplierName',
    explanation: 'Who makes the product. Nobody is written to.',
    examples: ['Fiação do Norte', ''],
    meanings: {
      en: ['supplier', 'vendor', 'vendor name', 'manufacturer', 'factory', 'factory name'],
      de: ['lieferant', 'lieferantenname', 'name des lieferanten', 'hersteller', 'produzent', 'fabrik'],
      fr: ['fournisseur', 'nom du fournisseur', 'fabricant', 'usine'],
      it: ['fornitore', 'nome fornitore', 'nome del fornitore', 'produttore', 'fabbrica'],
      es: ['proveedor', 'nombre del proveedor', 'fabricante', 'fabrica'],
    },
  },
  {
    column: 'supplier_email',
    field: 'supplierEmail',
    explanation: 'Their address: the supplier is recorded under it, to be invited later. Nobody is written to.',
    examples: ['quality@fiacao.example', ''],
    meanings: {
      en: ['supplier mail', 'supplier e mail', 'vendor email', 'email', 'e mail', 'contact email', 'supplier contact'],
      de: ['lieferanten email', 'lieferanten e mail', 'email lieferant', 'e mail lieferant', 'mail lieferant'],
      fr: ['email fournisseur', 'e mail fournisseur', 'email du fournisseur', 'courriel fournisseur'],
      it: ['email fornitore', 'e mail fornitore', 'email del fornitore'],
      es: ['email proveedor', 'correo proveedor', 'correo del proveedor', 'email del proveedor'],
    },
  },
];

const BY_COLUMN = new Map(FILE_FIELDS.map((field) => [field.column, field]));

/** The names that a mapping may use. */
export const FILE_COLUMNS: readonly string[] = FILE_FIELDS.map(({ column }) => column);

export const fieldOfColumn = (column: string): FileField | null => BY_COLUMN.get(column) ?? null;
