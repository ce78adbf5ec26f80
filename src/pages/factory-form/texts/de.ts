import type { FactoryFormTexts } from './en.js';

export const de: FactoryFormTexts = {
  title: (brand) => `Produktionsdaten für ${brand}`,
  heading: (brand) => `${brand} bittet um Produktionsdaten`,
  intro: (factory, brand) =>
    `Guten Tag, ${factory}. ${brand} erstellt einen Produktpass für die unten genannte Charge. Ihre Zahlen ersetzen Standardwerte in der Klimabilanz; niemand kennt sie besser als Sie.`,
  introMaterial: (factory, brand) =>
    `Guten Tag, ${factory}. ${brand} erstellt einen Produktpass für die unten genannte Charge, und ein Material darin kommt von Ihnen. Tragen Sie ein, was Sie über Ihren eigenen Schritt wissen; der Rest darf leer bleiben.`,
  optional:
    'Kein Feld ist Pflicht, aber mindestens eine Zahl wird gebraucht. Lassen Sie leer, was Sie nicht wissen: Dann steht ein Standardwert, und der Pass sagt es.',
  who: (brand) =>
    `${brand} sieht, was Sie einreichen. Der öffentliche Pass zeigt die errechnete Klimabilanz und Ihre Zertifikate.`,
  product: 'Produkt',
  order: 'Bestellung',
  quantity: 'Menge',
  composition: 'Zusammensetzung',
  sku: 'Artikelnummer',
  message: (brand) => `Nachricht von ${brand}`,
  feedback: (brand) => `${brand} bittet um Änderungen`,
  feedbackHint: 'Was Sie zuvor geschickt haben, steht unten. Ändern Sie es und reichen Sie es noch einmal ein.',
  errorsTitle: (count) =>
    count === 1 ? 'Ein Feld braucht Ihre Aufmerksamkeit' : `${count} Felder brauchen Ihre Aufmerksamkeit`,
  errorsKept: 'Nichts ist verloren: Was Sie eingegeben haben, steht noch da.',
  notANumber: 'Schreiben Sie eine Zahl wie 1250 oder 12,5, ohne Einheit.',
  draftTitle: 'Entwurf gespeichert',
  draft: 'Kommen Sie mit demselben Link zurück, wann Sie möchten. Die Marke sieht nichts, bevor Sie einreichen.',
  sentTitle: 'Danke, Ihre Daten sind eingereicht',
  sent: (brand) =>
    `${brand} sieht sie sich an. Soll etwas geändert werden, erhalten Sie eine E-Mail mit demselben Link.`,
  sentOpen: 'Sie können Ihre Antwort ändern, bis der Pass veröffentlicht ist.',
  publishedTitle: 'Der Pass ist veröffentlicht',
  published: 'Die Daten lassen sich nicht mehr ändern. Das wurde eingereicht:',
  publishedEmpty: 'Die Daten lassen sich nicht mehr ändern; mit diesem Link wurde nichts eingereicht.',
  given: 'Was Sie eingereicht haben',
  choose: 'Nicht bekannt',
  sections: {
    product: {
      title: 'Das Produkt',
      why: 'Das Gewicht entscheidet das meiste; alles andere wird je Kilogramm gerechnet.',
    },
    places: {
      title: 'Wo welcher Schritt geschieht',
      why: 'Vom Land hängt ab, welcher Strom und welche Wärme gerechnet werden und wie weit die Ware reist.',
    },
    fabric: {
      title: 'Garn und Stoff',
      why: 'Feines Garn braucht beim Spinnen mehr Strom, und Stricken braucht weniger als Weben.',
    },
    dyeing: { title: 'Färben', why: 'Heißes Wasser und Dampf sind oft der größte Teil der Herstellung.' },
    making: {
      title: 'Zuschneiden und Nähen',
      why: 'Auch der Verschnitt musste gesponnen, gestrickt und gefärbt werden.',
    },
    transport: { title: 'Transport', why: 'Ein Flug wiegt etwa dreißigmal so viel wie derselbe Weg mit dem Schiff.' },
    certificates: {
      title: 'Zertifikate',
      why: 'Sie stehen mit ihrer Gültigkeit im Pass. Lassen Sie leer, was Sie nicht brauchen; drei leere Zeilen kommen immer dazu.',
    },
    notes: { title: 'Sonst noch etwas', why: 'Liest die Marke, steht nicht im Pass.' },
  },
  fields: {
    productWeightKg: {
      label: 'Gewicht eines fertigen Stücks',
      help: 'Ohne Verpackung, mittlere Größe. Beispiel: 0,18',
    },
    quantityProduced: { label: 'Hergestellte Stücke', help: 'In dieser Charge. Nur zur Information.' },
    productionDate: { label: 'Tag der Herstellung', help: 'Der Tag, an dem die Charge fertig war.' },
    facilityId: { label: 'Betriebsstätte', help: 'Wo die Charge hergestellt wurde.' },
    'countries.spinning': { label: 'Spinnen', help: 'Land, in dem das Garn gesponnen wurde.' },
    'countries.fabric': { label: 'Stricken oder Weben', help: 'Land, in dem der Stoff entstand.' },
    'countries.dyeing': { label: 'Färben und Ausrüsten', help: 'Land der Färberei.' },
    'countries.making': { label: 'Zuschneiden und Nähen', help: 'Land, in dem das Stück genäht wurde.' },
    fabricProcess: { label: 'Wie der Stoff entsteht', help: 'Der Hauptstoff des Stücks.' },
    yarnNm: { label: 'Garnnummer (Nm)', help: 'Meter Garn in einem Gramm, 1 bis 500. Ne × 1,69 = Nm. Beispiel: 40' },
    'dyeing.electricityKwhPerKg': { label: 'Strom der Färberei', help: 'Je Kilogramm Stoff. Üblich: 0,8 bis 1,2' },
    'dyeing.heatMjPerKg': {
      label: 'Wärme der Färberei',
      help: 'Dampf und heißes Wasser, je Kilogramm Stoff. Üblich: 16 bis 33',
    },
    'dyeing.fuel': { label: 'Brennstoff für die Wärme', help: 'Was der Kessel verbrennt.' },
    cuttingLossPct: { label: 'Verschnitt', help: 'Anteil des Stoffs, der Abfall wird. Üblich: 10 bis 20' },
    makingElectricityKwh: { label: 'Strom fürs Nähen', help: 'Für die ganze Charge, alle Linien zusammen.' },
    airSharePct: { label: 'Anteil per Luftfracht', help: 'Dieser Charge, von Ihnen zum Markt. 0, wenn keiner.' },
    notes: { label: 'Anmerkungen', help: 'Zum Beispiel, wie die Zahlen gemessen wurden.' },
  },
  units: { kg: 'kg', pieces: 'Stück', nm: 'Nm', kwhPerKg: 'kWh/kg', mjPerKg: 'MJ/kg', percent: '%', kwh: 'kWh' },
  processes: {
    knitting_circular: 'Rundstricken',
    knitting_flat: 'Flachstricken',
    knitting_fully_fashioned: 'Formgestrickt (fully fashioned)',
    knitting_seamless: 'Nahtlos gestrickt',
    knitting_average: 'Gestrickt, Art nicht bekannt',
    weaving: 'Weben',
  },
  fuels: { natural_gas: 'Erdgas', light_fuel_oil: 'Leichtes Heizöl', heavy_fuel_oil: 'Schweröl', coal: 'Kohle' },
  certificate: (number) => `Zertifikat ${number}`,
  certificateFields: {
    type: { label: 'Art', help: 'Zum Beispiel GOTS, OEKO-TEX Standard 100, ISO 14001.' },
    number: { label: 'Nummer', help: '' },
    issuer: { label: 'Ausgestellt von', help: '' },
    validFrom: { label: 'Gültig ab', help: '' },
    validUntil: { label: 'Gültig bis', help: '' },
  },
  knownCertificates:
    'Die Zertifikate aus Ihrem Katalog sind eingetragen. Löschen Sie, was nicht zu dieser Charge gehört.',
  saveDraft: 'Entwurf speichern',
  submit: 'Bei der Marke einreichen',
  footer: 'Dieser Link ist nur für Sie. Geben Sie ihn nicht weiter: Wer ihn hat, kann für Sie antworten.',
  withdrawnTitle: 'Diese Anfrage wurde zurückgezogen',
  withdrawn: 'Die Marke bittet nicht mehr um diese Daten. Für Sie ist nichts mehr zu tun.',
  declinedTitle: 'Sie arbeiten mit dieser Marke nicht mehr zusammen',
  declined:
    'Ihr Betrieb hat die Zusammenarbeit abgelehnt, deshalb nimmt diese Anfrage keine Antwort an. War das ein Versehen? Bitten Sie die Marke, Sie noch einmal einzuladen: Dann gilt dieser Link wieder, und was Sie gespeichert haben, ist noch da.',
  unknownTitle: 'Dieser Link ist nicht bekannt',
  unknown:
    'Vielleicht wurde er abgeschnitten. Öffnen Sie ihn noch einmal aus der E-Mail oder bitten Sie die Marke, die Anfrage neu zu senden.',
};
