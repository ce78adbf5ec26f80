import type { FactoryMailTexts } from './en.js';

export const it: FactoryMailTexts = {
  invitation: {
    subject: (brand) => `${brand} vi invita a condividere dati di produzione`,
    heading: (brand) => `${brand} vi invita`,
    body: (brand, factory) =>
      `${brand} annovera ${factory} tra i suoi fornitori e prepara passaporti del prodotto per ciò che realizzate insieme. Vorrebbe chiedervi dati di produzione.`,
    next: 'Create un account per vedere tutte le richieste in un solo posto. Basta un minuto e non costa nulla.',
    action: 'Accettare o rifiutare l’invito',
    decline: 'Non volete? Aprite lo stesso link e scegliete «Rifiuta»: il marchio non potrà più inviarvi richieste.',
  },
  linked: {
    heading: (brand) => `${brand} vi ha aggiunti come fornitore`,
    body: (brand, factory) =>
      `${brand} annovera ${factory} tra i suoi fornitori. Poiché avete già un account, il collegamento è fatto; non dovete fare nulla.`,
    action: 'Vedere il marchio, o rifiutare',
    decline:
      'Non lavorate con questo marchio? Aprite il link e scegliete «Rifiuta»: il marchio non potrà più inviarvi richieste.',
  },
  request: {
    subject: {
      request: (brand, product) => `${brand} chiede dati di produzione: ${product}`,
      brand_reminder: (brand, product) => `Promemoria di ${brand}: dati di produzione per ${product}`,
      reminder_1: (brand, product) => `Promemoria: ${brand} aspetta i dati su ${product}`,
      reminder_2: (brand, product) => `Ultimo promemoria: ${brand} aspetta i dati su ${product}`,
      changes_requested: (brand, product) => `${brand} chiede modifiche: ${product}`,
    },
    heading: {
      request: (brand) => `${brand} chiede dati di produzione`,
      reminder: (brand) => `${brand} aspetta ancora i vostri dati`,
      changes_requested: (brand) => `${brand} chiede modifiche`,
    },
    hello: (factory) => `Buongiorno ${factory},`,
    body: {
      factory: (brand) =>
        `${brand} prepara un passaporto del prodotto per un lotto che producete voi. Le vostre cifre (pesi, energia, paesi) sostituiscono valori predefiniti nella sua impronta climatica.`,
      sub_supplier: (brand) =>
        `${brand} prepara un passaporto del prodotto per un lotto che contiene un vostro materiale. Le vostre cifre sulla vostra fase sostituiscono valori predefiniti nella sua impronta climatica.`,
    },
    reminder: {
      brand_reminder: 'Il marchio ci ha chiesto di ricordarvelo: la vostra risposta non è ancora arrivata.',
      reminder_1: 'Avete ricevuto questa richiesta una settimana fa, e la vostra risposta non è ancora arrivata.',
      reminder_2:
        'Avete ricevuto questa richiesta due settimane fa, e la vostra risposta non è ancora arrivata. È l’ultimo promemoria; il marchio saprà che i dati mancano.',
    },
    changes:
      'Il marchio ha letto la vostra risposta e vi chiede di cambiare qualcosa. Il link qui sotto è quello che conoscete; ciò che avete inviato è già compilato.',
    product: 'Prodotto',
    sku: 'Codice articolo',
    order: 'Ordine',
    quantity: 'Quantità',
    feedback: (brand) => `Che cosa ${brand} vi chiede di cambiare`,
    action: 'Aprire il modulo',
    form: 'Non serve un account. Potete salvare una bozza e tornare; ciò che non sapete può restare vuoto.',
    secret: 'Questo link è solo per voi: chi lo ha può rispondere al vostro posto.',
  },
  notes: (brand) => `Messaggio di ${brand}`,
};
