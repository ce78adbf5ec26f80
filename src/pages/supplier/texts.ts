import type { InEveryLocale } from '../locale.js';
import type { CatalogueKind } from './views.js';

export interface SupplierTexts {
  readonly home: string;
  readonly signedInAs: (email: string) => string;
  readonly unprovenTitle: string;
  readonly unproven: string;
  readonly mailProof: string;
  readonly proofMailed: (email: string) => string;
  readonly requests: string;
  readonly noRequests: string;
  readonly order: string;
  readonly answered: string;
  readonly changes: string;
  readonly published: string;
  readonly catalogue: string;
  readonly catalogueHelp: string;
  readonly certificates: string;
  readonly brands: string;
  readonly noBrands: string;
  readonly declined: string;
  readonly decline: (brand: string) => string;
  readonly declineHelp: string;
  readonly signOut: string;
  readonly pages: string;
  readonly kinds: Readonly<
    Record<CatalogueKind, { readonly title: string; readonly add: string; readonly none: string }>
  >;
  readonly fields: Readonly<
    Record<
      | 'name'
      | 'productType'
      | 'materialType'
      | 'percentage'
      | 'originCountry'
      | 'address'
      | 'country'
      | 'activities'
      | 'tier'
      | 'contactEmail'
      | 'type'
      | 'number'
      | 'issuer'
      | 'validFrom'
      | 'validUntil'
      | 'file',
      string
    >
  >;
  readonly materialRow: (number: number) => string;
  readonly activitiesHelp: string;
  readonly certificateHelp: string;
  readonly fileHelp: string;
  readonly fileKept: string;
  readonly productTypes: Readonly<Record<'fabric' | 'yarn' | 'trim' | 'garment' | 'other', string>>;
  readonly choose: string;
  readonly save: string;
  readonly remove: (name: string) => string;
  readonly change: (name: string) => string;
  readonly cancel: string;
  readonly saved: string;
  readonly removed: string;
  readonly refusedTitle: string;
  readonly refused: string;
  readonly refusedMaterials: string;
  readonly refusedFile: string;
  readonly refusedTaken: string;
  readonly refusedFull: string;
  readonly validUntil: (day: string) => string;
  readonly expired: (day: string) => string;
  readonly noEnd: string;
  readonly openFile: string;
}

export const SUPPLIER_TEXTS: InEveryLocale<SupplierTexts> = {
  en: {
    home: 'Your factory',
    signedInAs: (email) => `Signed in as ${email}`,
    unprovenTitle: 'Please confirm your address',
    unproven: 'Open the link that we mailed to you when you signed up. Requests of brands are shown after that.',
    mailProof: 'Mail the link again',
    proofMailed: (email) => `The link is on its way to ${email}.`,
    requests: 'Requests',
    noRequests: 'No brand is waiting for data from you.',
    order: 'Order',
    answered: 'answered',
    changes: 'changes asked for',
    published: 'published',
    catalogue: 'Products and facilities',
    catalogueHelp:
      'What you keep here is shown to the brands that you work with, and filled in for you in their forms.',
    certificates: 'Certificates',
    brands: 'Brands',
    noBrands: 'No brand has invited you yet.',
    declined: 'declined',
    decline: (brand) => `Work with ${brand} no more`,
    declineHelp:
      'The brand then sees nothing of your catalogue, its open requests close, and it cannot send you new ones.',
    signOut: 'Sign out',
    pages: 'Pages',
    kinds: {
      products: { title: 'Products', add: 'Add a product', none: 'No products yet.' },
      facilities: { title: 'Facilities', add: 'Add a facility', none: 'No facilities yet.' },
      subSuppliers: { title: 'Your suppliers', add: 'Add a supplier', none: 'No suppliers yet.' },
      certificates: { title: 'Certificates', add: 'Add a certificate', none: 'No certificates yet.' },
    },
    fields: {
      name: 'Name',
      productType: 'Kind of product',
      materialType: 'Material',
      percentage: 'Share in %',
      originCountry: 'Country of origin',
      address: 'Address',
      country: 'Country',
      activities: 'What is done there',
      tier: 'Tier',
      contactEmail: 'Email of a contact',
      type: 'Standard',
      number: 'Number',
      issuer: 'Issued by',
      validFrom: 'Valid from',
      validUntil: 'Valid until',
      file: 'Copy of the certificate',
    },
    materialRow: (number) => `Material ${number}`,
    activitiesHelp: 'One on each line.',
    certificateHelp: 'The same standard and number again changes the certificate that is there.',
    fileHelp: 'PDF, PNG or JPEG, at most 10 MB.',
    fileKept: 'PDF, PNG or JPEG, at most 10 MB. It takes the place of the copy that is there.',
    productTypes: { fabric: 'Fabric', yarn: 'Yarn', trim: 'Trim', garment: 'Garment', other: 'Other' },
    choose: 'Please choose',
    save: 'Save',
    remove: (name) => `Remove ${name}`,
    change: (name) => `Change ${name}`,
    cancel: 'Leave as it is',
    saved: 'Saved.',
    removed: 'Removed.',
    refusedTitle: 'Not saved yet',
    refused: 'Please check this field.',
    refusedMaterials: 'Please check the materials: the shares must add up to 100 %.',
    refusedFile: 'The file is not a PDF, PNG or JPEG of at most 10 MB.',
    refusedTaken: 'There is another certificate with this standard and number.',
    refusedFull: 'There are 1,000 entries already. Remove one first.',
    validUntil: (day) => `valid until ${day}`,
    expired: (day) => `expired on ${day}`,
    noEnd: 'no end date',
    openFile: 'Open the copy',
  },
  de: {
    home: 'Ihr Betrieb',
    signedInAs: (email) => `Angemeldet als ${email}`,
    unprovenTitle: 'Bitte bestätigen Sie Ihre Adresse',
    unproven:
      'Öffnen Sie den Link, den wir Ihnen bei der Anmeldung gemailt haben. Danach sehen Sie die Anfragen der Marken.',
    mailProof: 'Link noch einmal mailen',
    proofMailed: (email) => `Der Link ist unterwegs an ${email}.`,
    requests: 'Anfragen',
    noRequests: 'Keine Marke wartet auf Daten von Ihnen.',
    order: 'Auftrag',
    answered: 'beantwortet',
    changes: 'Änderungen erbeten',
    published: 'veröffentlicht',
    catalogue: 'Produkte und Standorte',
    catalogueHelp:
      'Was Sie hier pflegen, sehen die Marken, mit denen Sie arbeiten; in deren Formularen ist es schon eingetragen.',
    certificates: 'Zertifikate',
    brands: 'Marken',
    noBrands: 'Noch hat Sie keine Marke eingeladen.',
    declined: 'abgelehnt',
    decline: (brand) => `Nicht mehr mit ${brand} arbeiten`,
    declineHelp:
      'Die Marke sieht dann nichts mehr von Ihrem Katalog, ihre offenen Anfragen werden geschlossen, und neue kann sie nicht senden.',
    signOut: 'Abmelden',
    pages: 'Seiten',
    kinds: {
      products: { title: 'Produkte', add: 'Produkt hinzufügen', none: 'Noch keine Produkte.' },
      facilities: { title: 'Standorte', add: 'Standort hinzufügen', none: 'Noch keine Standorte.' },
      subSuppliers: { title: 'Ihre Lieferanten', add: 'Lieferanten hinzufügen', none: 'Noch keine Lieferanten.' },
      certificates: { title: 'Zertifikate', add: 'Zertifikat hinzufügen', none: 'Noch keine Zertifikate.' },
    },
    fields: {
      name: 'Name',
      productType: 'Art des Produkts',
      materialType: 'Material',
      percentage: 'Anteil in %',
      originCountry: 'Herkunftsland',
      address: 'Anschrift',
      country: 'Land',
      activities: 'Was dort gemacht wird',
      tier: 'Stufe',
      contactEmail: 'E-Mail eines Kontakts',
      type: 'Standard',
      number: 'Nummer',
      issuer: 'Ausgestellt von',
      validFrom: 'Gültig ab',
      validUntil: 'Gültig bis',
      file: 'Kopie des Zertifikats',
    },
    materialRow: (number) => `Material ${number}`,
    activitiesHelp: 'Jede auf einer eigenen Zeile.',
    certificateHelp: 'Derselbe Standard mit derselben Nummer ändert das vorhandene Zertifikat.',
    fileHelp: 'PDF, PNG oder JPEG, höchstens 10 MB.',
    fileKept: 'PDF, PNG oder JPEG, höchstens 10 MB. Sie ersetzt die vorhandene Kopie.',
    productTypes: { fabric: 'Stoff', yarn: 'Garn', trim: 'Zutat', garment: 'Kleidungsstück', other: 'Anderes' },
    choose: 'Bitte wählen',
    save: 'Speichern',
    remove: (name) => `${name} entfernen`,
    change: (name) => `${name} ändern`,
    cancel: 'So lassen',
    saved: 'Gespeichert.',
    removed: 'Entfernt.',
    refusedTitle: 'Noch nicht gespeichert',
    refused: 'Bitte prüfen Sie dieses Feld.',
    refusedMaterials: 'Bitte prüfen Sie die Materialien: Die Anteile müssen 100 % ergeben.',
    refusedFile: 'Die Datei ist kein PDF, PNG oder JPEG mit höchstens 10 MB.',
    refusedTaken: 'Es gibt schon ein Zertifikat mit diesem Standard und dieser Nummer.',
    refusedFull: 'Es gibt schon 1.000 Einträge. Entfernen Sie zuerst einen.',
    validUntil: (day) => `gültig bis ${day}`,
    expired: (day) => `abgelaufen am ${day}`,
    noEnd: 'ohne Enddatum',
    openFile: 'Kopie öffnen',
  },
  fr: {
    home: 'Votre usine',
    signedInAs: (email) => `Connecté en tant que ${email}`,
    unprovenTitle: 'Veuillez confirmer votre adresse',
    unproven:
      'Ouvrez le lien que nous vous avons envoyé à l’inscription. Les demandes des marques s’affichent ensuite.',
    mailProof: 'Renvoyer le lien',
    proofMailed: (email) => `Le lien est en route vers ${email}.`,
    requests: 'Demandes',
    noRequests: 'Aucune marque n’attend de données de votre part.',
    order: 'Commande',
    answered: 'répondu',
    changes: 'modifications demandées',
    published: 'publié',
    catalogue: 'Produits et sites',
    catalogueHelp:
      'Les marques avec lesquelles vous travaillez voient ce que vous tenez ici ; leurs formulaires sont déjà remplis.',
    certificates: 'Certificats',
    brands: 'Marques',
    noBrands: 'Aucune marque ne vous a encore invité.',
    declined: 'refusée',
    decline: (brand) => `Ne plus travailler avec ${brand}`,
    declineHelp:
      'La marque ne voit alors plus rien de votre catalogue, ses demandes en cours se ferment et elle ne peut plus en envoyer.',
    signOut: 'Se déconnecter',
    pages: 'Pages',
    kinds: {
      products: { title: 'Produits', add: 'Ajouter un produit', none: 'Pas encore de produits.' },
      facilities: { title: 'Sites', add: 'Ajouter un site', none: 'Pas encore de sites.' },
      subSuppliers: { title: 'Vos fournisseurs', add: 'Ajouter un fournisseur', none: 'Pas encore de fournisseurs.' },
      certificates: { title: 'Certificats', add: 'Ajouter un certificat', none: 'Pas encore de certificats.' },
    },
    fields: {
      name: 'Nom',
      productType: 'Type de produit',
      materialType: 'Matière',
      percentage: 'Part en %',
      originCountry: 'Pays d’origine',
      address: 'Adresse',
      country: 'Pays',
      activities: 'Ce qui y est fait',
      tier: 'Rang',
      contactEmail: 'E-mail d’un contact',
      type: 'Norme',
      number: 'Numéro',
      issuer: 'Délivré par',
      validFrom: 'Valable à partir du',
      validUntil: 'Valable jusqu’au',
      file: 'Copie du certificat',
    },
    materialRow: (number) => `Matière ${number}`,
    activitiesHelp: 'Une par ligne.',
    certificateHelp: 'La même norme avec le même numéro modifie le certificat existant.',
    fileHelp: 'PDF, PNG ou JPEG, 10 Mo au plus.',
    fileKept: 'PDF, PNG ou JPEG, 10 Mo au plus. Remplace la copie existante.',
    productTypes: { fabric: 'Tissu', yarn: 'Fil', trim: 'Fourniture', garment: 'Vêtement', other: 'Autre' },
    choose: 'Veuillez choisir',
    save: 'Enregistrer',
    remove: (name) => `Retirer ${name}`,
    change: (name) => `Modifier ${name}`,
    cancel: 'Laisser tel quel',
    saved: 'Enregistré.',
    removed: 'Retiré.',
    refusedTitle: 'Pas encore enregistré',
    refused: 'Veuillez vérifier ce champ.',
    refusedMaterials: 'Veuillez vérifier les matières : les parts doivent totaliser 100 %.',
    refusedFile: 'Le fichier n’est pas un PDF, PNG ou JPEG de 10 Mo au plus.',
    refusedTaken: 'Il existe déjà un certificat avec cette norme et ce numéro.',
    refusedFull: 'Il y a déjà 1 000 entrées. Retirez-en une d’abord.',
    validUntil: (day) => `valable jusqu’au ${day}`,
    expired: (day) => `expiré le ${day}`,
    noEnd: 'sans date de fin',
    openFile: 'Ouvrir la copie',
  },
  it: {
    home: 'La sua fabbrica',
    signedInAs: (email) => `Accesso come ${email}`,
    unprovenTitle: 'Confermi il suo indirizzo',
    unproven: 'Apra il link che le abbiamo inviato alla registrazione. Dopo vedrà le richieste dei marchi.',
    mailProof: 'Invia di nuovo il link',
    proofMailed: (email) => `Il link è in arrivo a ${email}.`,
    requests: 'Richieste',
    noRequests: 'Nessun marchio aspetta dati da lei.',
    order: 'Ordine',
    answered: 'risposta inviata',
    changes: 'modifiche richieste',
    published: 'pubblicato',
    catalogue: 'Prodotti e stabilimenti',
    catalogueHelp: 'I marchi con cui lavora vedono ciò che tiene qui; nei loro moduli è già compilato.',
    certificates: 'Certificati',
    brands: 'Marchi',
    noBrands: 'Nessun marchio l’ha ancora invitata.',
    declined: 'rifiutato',
    decline: (brand) => `Non lavorare più con ${brand}`,
    declineHelp:
      'Il marchio non vede più nulla del suo catalogo, le sue richieste aperte si chiudono e non può inviarne di nuove.',
    signOut: 'Esci',
    pages: 'Pagine',
    kinds: {
      products: { title: 'Prodotti', add: 'Aggiungi un prodotto', none: 'Ancora nessun prodotto.' },
      facilities: { title: 'Stabilimenti', add: 'Aggiungi uno stabilimento', none: 'Ancora nessuno stabilimento.' },
      subSuppliers: { title: 'I suoi fornitori', add: 'Aggiungi un fornitore', none: 'Ancora nessun fornitore.' },
      certificates: { title: 'Certificati', add: 'Aggiungi un certificato', none: 'Ancora nessun certificato.' },
    },
    fields: {
      name: 'Nome',
      productType: 'Tipo di prodotto',
      materialType: 'Materiale',
      percentage: 'Quota in %',
      originCountry: 'Paese d’origine',
      address: 'Indirizzo',
      country: 'Paese',
      activities: 'Che cosa vi si fa',
      tier: 'Livello',
      contactEmail: 'E-mail di un contatto',
      type: 'Norma',
      number: 'Numero',
      issuer: 'Rilasciato da',
      validFrom: 'Valido dal',
      validUntil: 'Valido fino al',
      file: 'Copia del certificato',
    },
    materialRow: (number) => `Materiale ${number}`,
    activitiesHelp: 'Una per riga.',
    certificateHelp: 'La stessa norma con lo stesso numero modifica il certificato esistente.',
    fileHelp: 'PDF, PNG o JPEG, al massimo 10 MB.',
    fileKept: 'PDF, PNG o JPEG, al massimo 10 MB. Sostituisce la copia presente.',
    productTypes: { fabric: 'Tessuto', yarn: 'Filato', trim: 'Accessorio', garment: 'Capo', other: 'Altro' },
    choose: 'Scelga',
    save: 'Salva',
    remove: (name) => `Rimuovi ${name}`,
    change: (name) => `Modifica ${name}`,
    cancel: 'Lascia com’è',
    saved: 'Salvato.',
    removed: 'Rimosso.',
    refusedTitle: 'Non ancora salvato',
    refused: 'Controlli questo campo.',
    refusedMaterials: 'Controlli i materiali: le quote devono dare 100 %.',
    refusedFile: 'Il file non è un PDF, PNG o JPEG di al massimo 10 MB.',
    refusedTaken: 'C’è già un certificato con questa norma e questo numero.',
    refusedFull: 'Ci sono già 1.000 voci. Ne rimuova prima una.',
    validUntil: (day) => `valido fino al ${day}`,
    expired: (day) => `scaduto il ${day}`,
    noEnd: 'senza data di fine',
    openFile: 'Apri la copia',
  },
  es: {
    home: 'Su fábrica',
    signedInAs: (email) => `Sesión iniciada como ${email}`,
    unprovenTitle: 'Confirme su dirección',
    unproven: 'Abra el enlace que le enviamos al registrarse. Después verá las solicitudes de las marcas.',
    mailProof: 'Enviar el enlace otra vez',
    proofMailed: (email) => `El enlace va de camino a ${email}.`,
    requests: 'Solicitudes',
    noRequests: 'Ninguna marca espera datos de usted.',
    order: 'Pedido',
    answered: 'respondida',
    changes: 'cambios solicitados',
    published: 'publicado',
    catalogue: 'Productos e instalaciones',
    catalogueHelp: 'Las marcas con las que trabaja ven lo que guarda aquí; en sus formularios ya está rellenado.',
    certificates: 'Certificados',
    brands: 'Marcas',
    noBrands: 'Ninguna marca le ha invitado todavía.',
    declined: 'rechazada',
    decline: (brand) => `No trabajar más con ${brand}`,
    declineHelp: 'La marca deja de ver su catálogo, sus solicitudes abiertas se cierran y no puede enviarle más.',
    signOut: 'Cerrar sesión',
    pages: 'Páginas',
    kinds: {
      products: { title: 'Productos', add: 'Añadir un producto', none: 'Aún no hay productos.' },
      facilities: { title: 'Instalaciones', add: 'Añadir una instalación', none: 'Aún no hay instalaciones.' },
      subSuppliers: { title: 'Sus proveedores', add: 'Añadir un proveedor', none: 'Aún no hay proveedores.' },
      certificates: { title: 'Certificados', add: 'Añadir un certificado', none: 'Aún no hay certificados.' },
    },
    fields: {
      name: 'Nombre',
      productType: 'Tipo de producto',
      materialType: 'Material',
      percentage: 'Parte en %',
      originCountry: 'País de origen',
      address: 'Dirección',
      country: 'País',
      activities: 'Qué se hace allí',
      tier: 'Nivel',
      contactEmail: 'Correo de un contacto',
      type: 'Norma',
      number: 'Número',
      issuer: 'Emitido por',
      validFrom: 'Válido desde',
      validUntil: 'Válido hasta',
      file: 'Copia del certificado',
    },
    materialRow: (number) => `Material ${number}`,
    activitiesHelp: 'Una por línea.',
    certificateHelp: 'La misma norma con el mismo número cambia el certificado existente.',
    fileHelp: 'PDF, PNG o JPEG, 10 MB como máximo.',
    fileKept: 'PDF, PNG o JPEG, 10 MB como máximo. Sustituye la copia que hay.',
    productTypes: { fabric: 'Tejido', yarn: 'Hilo', trim: 'Accesorio', garment: 'Prenda', other: 'Otro' },
    choose: 'Elija',
    save: 'Guardar',
    remove: (name) => `Quitar ${name}`,
    change: (name) => `Cambiar ${name}`,
    cancel: 'Dejar como está',
    saved: 'Guardado.',
    removed: 'Quitado.',
    refusedTitle: 'Aún no guardado',
    refused: 'Revise este campo.',
    refusedMaterials: 'Revise los materiales: las partes deben sumar 100 %.',
    refusedFile: 'El archivo no es un PDF, PNG o JPEG de 10 MB como máximo.',
    refusedTaken: 'Ya hay un certificado con esta norma y este número.',
    refusedFull: 'Ya hay 1.000 entradas. Quite una primero.',
    validUntil: (day) => `válido hasta el ${day}`,
    expired: (day) => `caducó el ${day}`,
    noEnd: 'sin fecha de fin',
    openFile: 'Abrir la copia',
  },
};
