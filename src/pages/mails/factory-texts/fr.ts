import type { FactoryMailTexts } from './en.js';

export const fr: FactoryMailTexts = {
  invitation: {
    subject: (brand) => `${brand} vous invite à partager des données de production`,
    heading: (brand) => `${brand} vous invite`,
    body: (brand, factory) =>
      `${brand} compte ${factory} parmi ses fournisseurs et établit des passeports produit pour ce que vous fabriquez ensemble. La marque souhaite vous demander des données de production.`,
    next: 'Créez un compte pour voir toutes les demandes au même endroit. Cela prend une minute et ne coûte rien.',
    action: 'Accepter ou refuser l’invitation',
    decline:
      'Vous ne le souhaitez pas ? Ouvrez le même lien et choisissez « Refuser » : la marque ne pourra alors plus vous envoyer de demandes.',
  },
  linked: {
    heading: (brand) => `${brand} vous a ajouté comme fournisseur`,
    body: (brand, factory) =>
      `${brand} compte ${factory} parmi ses fournisseurs. Comme vous avez déjà un compte, le lien est fait ; vous n’avez rien à faire.`,
    action: 'Voir la marque, ou refuser',
    decline:
      'Vous ne travaillez pas avec cette marque ? Ouvrez le lien et choisissez « Refuser » : la marque ne pourra alors plus vous envoyer de demandes.',
  },
  request: {
    subject: {
      request: (brand, product) => `${brand} demande des données de production : ${product}`,
      brand_reminder: (brand, product) => `Rappel de ${brand} : données de production pour ${product}`,
      reminder_1: (brand, product) => `Rappel : ${brand} attend des données sur ${product}`,
      reminder_2: (brand, product) => `Dernier rappel : ${brand} attend des données sur ${product}`,
      changes_requested: (brand, product) => `${brand} demande des modifications : ${product}`,
    },
    heading: {
      request: (brand) => `${brand} demande des données de production`,
      reminder: (brand) => `${brand} attend toujours vos données`,
      changes_requested: (brand) => `${brand} demande des modifications`,
    },
    hello: (factory) => `Bonjour ${factory},`,
    body: {
      factory: (brand) =>
        `${brand} établit un passeport produit pour un lot que vous fabriquez. Vos chiffres (poids, énergie, pays) remplacent des valeurs par défaut dans son empreinte climatique.`,
      sub_supplier: (brand) =>
        `${brand} établit un passeport produit pour un lot qui contient une matière venant de chez vous. Vos chiffres sur votre propre étape remplacent des valeurs par défaut dans son empreinte climatique.`,
    },
    reminder: {
      brand_reminder: 'La marque nous a demandé de vous le rappeler : votre réponse n’est pas encore arrivée.',
      reminder_1: 'Vous avez reçu cette demande il y a une semaine, et votre réponse n’est pas encore arrivée.',
      reminder_2:
        'Vous avez reçu cette demande il y a deux semaines, et votre réponse n’est pas encore arrivée. C’est le dernier rappel ; la marque apprendra que les données manquent.',
    },
    changes:
      'La marque a lu votre réponse et vous demande d’y changer quelque chose. Le lien ci-dessous est celui que vous connaissez ; ce que vous avez envoyé est déjà rempli.',
    product: 'Produit',
    sku: 'Référence',
    order: 'Commande',
    quantity: 'Quantité',
    feedback: (brand) => `Ce que ${brand} vous demande de changer`,
    action: 'Ouvrir le formulaire',
    form: 'Aucun compte n’est nécessaire. Vous pouvez enregistrer un brouillon et revenir ; ce que vous ne savez pas peut rester vide.',
    secret: 'Ce lien n’est que pour vous : qui l’a peut répondre à votre place.',
  },
  notes: (brand) => `Message de ${brand}`,
};
