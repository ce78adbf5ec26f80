import type { FactoryMailTexts } from './en.js';

export const de: FactoryMailTexts = {
  invitation: {
    subject: (brand) => `${brand} lädt Sie ein, Produktionsdaten zu teilen`,
    heading: (brand) => `${brand} lädt Sie ein`,
    body: (brand, factory) =>
      `${brand} führt ${factory} als Lieferanten und erstellt Produktpässe für das, was Sie gemeinsam herstellen. Dafür möchte die Marke Sie um Produktionsdaten bitten.`,
    next: 'Legen Sie ein Konto an, um alle Anfragen an einer Stelle zu sehen. Das dauert eine Minute und kostet nichts.',
    action: 'Einladung annehmen oder ablehnen',
    decline:
      'Sie möchten das nicht? Öffnen Sie denselben Link und wählen Sie „Ablehnen“; die Marke kann Ihnen dann keine Anfragen senden.',
  },
  linked: {
    heading: (brand) => `${brand} hat Sie als Lieferanten aufgenommen`,
    body: (brand, factory) =>
      `${brand} führt ${factory} als Lieferanten. Weil Sie schon ein Konto haben, sind Sie sofort verbunden; Sie müssen nichts tun.`,
    action: 'Marke ansehen oder ablehnen',
    decline:
      'Sie arbeiten nicht mit dieser Marke? Öffnen Sie den Link und wählen Sie „Ablehnen“; die Marke kann Ihnen dann keine Anfragen senden.',
  },
  request: {
    subject: {
      request: (brand, product) => `${brand} bittet um Produktionsdaten: ${product}`,
      brand_reminder: (brand, product) => `Erinnerung von ${brand}: Produktionsdaten für ${product}`,
      reminder_1: (brand, product) => `Erinnerung: ${brand} wartet auf Daten zu ${product}`,
      reminder_2: (brand, product) => `Letzte Erinnerung: ${brand} wartet auf Daten zu ${product}`,
      changes_requested: (brand, product) => `${brand} bittet um Änderungen: ${product}`,
    },
    heading: {
      request: (brand) => `${brand} bittet um Produktionsdaten`,
      reminder: (brand) => `${brand} wartet noch auf Ihre Daten`,
      changes_requested: (brand) => `${brand} bittet um Änderungen`,
    },
    hello: (factory) => `Guten Tag, ${factory},`,
    body: {
      factory: (brand) =>
        `${brand} erstellt einen Produktpass für eine Charge, die Sie herstellen. Ihre Angaben (Gewichte, Energie, Länder) ersetzen Standardwerte in der Klimabilanz.`,
      sub_supplier: (brand) =>
        `${brand} erstellt einen Produktpass für eine Charge, in der ein Material von Ihnen steckt. Ihre Angaben zu Ihrem eigenen Schritt ersetzen Standardwerte in der Klimabilanz.`,
    },
    reminder: {
      brand_reminder: 'Die Marke lässt Sie erinnern: Ihre Antwort ist noch nicht da.',
      reminder_1: 'Vor einer Woche haben Sie diese Anfrage bekommen, und Ihre Antwort ist noch nicht da.',
      reminder_2:
        'Vor zwei Wochen haben Sie diese Anfrage bekommen, und Ihre Antwort ist noch nicht da. Dies ist die letzte Erinnerung; die Marke erfährt, dass die Daten fehlen.',
    },
    changes:
      'Die Marke hat Ihre Antwort angesehen und bittet Sie, etwas zu ändern. Der Link unten ist der, den Sie kennen; was Sie gesendet haben, ist schon eingetragen.',
    product: 'Produkt',
    sku: 'Artikelnummer',
    order: 'Bestellung',
    quantity: 'Menge',
    feedback: (brand) => `Was ${brand} geändert haben möchte`,
    action: 'Formular öffnen',
    form: 'Sie brauchen kein Konto. Sie können einen Entwurf speichern und später weitermachen; was Sie nicht wissen, darf leer bleiben.',
    secret: 'Dieser Link ist nur für Sie: Wer ihn hat, kann für Sie antworten.',
  },
  notes: (brand) => `Nachricht von ${brand}`,
};
