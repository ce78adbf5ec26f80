import type { FactoryFormTexts } from './en.js';

export const fr: FactoryFormTexts = {
  title: (brand) => `Données de production pour ${brand}`,
  heading: (brand) => `${brand} demande des données de production`,
  intro: (factory, brand) =>
    `Bonjour ${factory}. ${brand} établit un passeport produit pour le lot ci-dessous. Vos chiffres remplacent des valeurs par défaut dans son empreinte climatique ; personne ne les connaît mieux que vous.`,
  introMaterial: (factory, brand) =>
    `Bonjour ${factory}. ${brand} établit un passeport produit pour le lot ci-dessous, et l’une de ses matières vient de chez vous. Indiquez ce que vous savez de votre propre étape ; le reste peut rester vide.`,
  optional:
    'Aucun champ n’est obligatoire, mais il faut au moins un chiffre. Laissez vide ce que vous ne savez pas : une valeur par défaut le remplacera, et le passeport le dira.',
  who: (brand) =>
    `${brand} voit ce que vous envoyez. Le passeport public montre l’empreinte calculée et vos certificats.`,
  product: 'Produit',
  order: 'Commande',
  quantity: 'Quantité',
  composition: 'Composition',
  sku: 'Référence',
  message: (brand) => `Message de ${brand}`,
  feedback: (brand) => `${brand} demande des modifications`,
  feedbackHint: 'Ce que vous aviez envoyé figure ci-dessous. Modifiez-le et envoyez-le à nouveau.',
  errorsTitle: (count) =>
    count === 1 ? 'Un champ demande votre attention' : `${count} champs demandent votre attention`,
  errorsKept: 'Rien n’est perdu : ce que vous avez saisi est toujours là.',
  notANumber: 'Écrivez un nombre comme 1250 ou 12,5, sans unité.',
  draftTitle: 'Brouillon enregistré',
  draft: 'Revenez avec le même lien quand vous voulez. La marque ne voit rien avant l’envoi.',
  sentTitle: 'Merci, vos données ont été envoyées',
  sent: (brand) =>
    `${brand} va les examiner. S’il faut changer quelque chose, vous recevrez un e-mail avec ce même lien.`,
  sentOpen: 'Vous pouvez modifier votre réponse jusqu’à la publication du passeport.',
  publishedTitle: 'Le passeport est publié',
  published: 'Les données ne peuvent plus être modifiées. Voici ce qui a été envoyé :',
  publishedEmpty: 'Les données ne peuvent plus être modifiées, et rien n’a été envoyé avec ce lien.',
  given: 'Ce que vous avez envoyé',
  choose: 'Inconnu',
  sections: {
    product: {
      title: 'Le produit',
      why: 'Le poids décide de l’essentiel de l’empreinte ; tout le reste est compté par kilogramme.',
    },
    places: {
      title: 'Où se déroule chaque étape',
      why: 'Du pays dépendent l’électricité et la chaleur prises en compte, et la distance parcourue.',
    },
    fabric: {
      title: 'Fil et tissu',
      why: 'Un fil fin demande plus d’électricité à filer, et tricoter en demande moins que tisser.',
    },
    dyeing: { title: 'Teinture', why: 'L’eau chaude et la vapeur sont souvent la plus grande part de la fabrication.' },
    making: { title: 'Coupe et couture', why: 'Les chutes ont dû être filées, tricotées et teintes elles aussi.' },
    transport: { title: 'Transport', why: 'Un vol pèse environ trente fois plus que le même trajet en bateau.' },
    certificates: {
      title: 'Certificats',
      why: 'Ils figurent au passeport avec leur validité. Laissez vides les lignes inutiles ; il y en a toujours trois de libres.',
    },
    notes: { title: 'Autre chose', why: 'Lu par la marque, ne figure pas au passeport.' },
  },
  fields: {
    productWeightKg: { label: 'Poids d’une pièce finie', help: 'Sans emballage, taille moyenne. Exemple : 0,18' },
    quantityProduced: { label: 'Pièces produites', help: 'Dans ce lot. Pour information seulement.' },
    productionDate: { label: 'Date de production', help: 'Le jour où le lot a été terminé.' },
    facilityId: { label: 'Site', help: 'Où le lot a été fabriqué.' },
    'countries.spinning': { label: 'Filature', help: 'Pays où le fil a été filé.' },
    'countries.fabric': { label: 'Tricotage ou tissage', help: 'Pays où le tissu a été fait.' },
    'countries.dyeing': { label: 'Teinture et apprêt', help: 'Pays de la teinturerie.' },
    'countries.making': { label: 'Coupe et couture', help: 'Pays où la pièce a été cousue.' },
    fabricProcess: { label: 'Comment le tissu est fait', help: 'Le tissu principal de la pièce.' },
    yarnNm: { label: 'Titre du fil (Nm)', help: 'Mètres de fil dans un gramme, 1 à 500. Ne × 1,69 = Nm. Exemple : 40' },
    'dyeing.electricityKwhPerKg': {
      label: 'Électricité de la teinturerie',
      help: 'Par kilogramme de tissu. Courant : 0,8 à 1,2',
    },
    'dyeing.heatMjPerKg': {
      label: 'Chaleur de la teinturerie',
      help: 'Vapeur et eau chaude, par kilogramme de tissu. Courant : 16 à 33',
    },
    'dyeing.fuel': { label: 'Combustible pour la chaleur', help: 'Ce que brûle la chaudière.' },
    cuttingLossPct: { label: 'Perte à la coupe', help: 'Part du tissu qui devient déchet. Courant : 10 à 20' },
    makingElectricityKwh: { label: 'Électricité de la couture', help: 'Pour tout le lot, toutes lignes confondues.' },
    airSharePct: { label: 'Part envoyée par avion', help: 'De ce lot, de chez vous au marché. 0 si aucune.' },
    notes: { label: 'Remarques', help: 'Par exemple comment les chiffres ont été mesurés.' },
  },
  units: { kg: 'kg', pieces: 'pièces', nm: 'Nm', kwhPerKg: 'kWh/kg', mjPerKg: 'MJ/kg', percent: '%', kwh: 'kWh' },
  processes: {
    knitting_circular: 'Tricotage circulaire',
    knitting_flat: 'Tricotage rectiligne',
    knitting_fully_fashioned: 'Tricotage fully fashioned (à forme)',
    knitting_seamless: 'Tricotage intégral (sans couture)',
    knitting_average: 'Tricotage, type inconnu',
    weaving: 'Tissage',
  },
  fuels: { natural_gas: 'Gaz naturel', light_fuel_oil: 'Fioul léger', heavy_fuel_oil: 'Fioul lourd', coal: 'Charbon' },
  certificate: (number) => `Certificat ${number}`,
  certificateFields: {
    type: { label: 'Type', help: 'Par exemple GOTS, OEKO-TEX Standard 100, ISO 14001.' },
    number: { label: 'Numéro', help: '' },
    issuer: { label: 'Délivré par', help: '' },
    validFrom: { label: 'Valable à partir du', help: '' },
    validUntil: { label: 'Valable jusqu’au', help: '' },
  },
  knownCertificates: 'Les certificats de votre catalogue sont déjà saisis. Retirez ceux qui ne concernent pas ce lot.',
  saveDraft: 'Enregistrer le brouillon',
  submit: 'Envoyer à la marque',
  footer: 'Ce lien est pour vous seul. Ne le transmettez pas : qui le possède peut répondre à votre place.',
  withdrawnTitle: 'Cette demande a été retirée',
  withdrawn: 'La marque ne demande plus ces données. Vous n’avez plus rien à faire.',
  declinedTitle: 'Vous ne travaillez plus avec cette marque',
  declined:
    'Votre entreprise a refusé de travailler avec elle : cette demande n’accepte donc plus de réponse. C’était une erreur ? Demandez à la marque de vous inviter à nouveau : ce lien fonctionnera de nouveau et retrouvera ce que vous avez enregistré.',
  unknownTitle: 'Ce lien n’est pas connu',
  unknown:
    'Il a peut-être été coupé. Ouvrez-le à nouveau depuis l’e-mail, ou demandez à la marque de renvoyer la demande.',
};
