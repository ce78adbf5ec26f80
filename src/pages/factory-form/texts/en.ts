/** What the factory's form says; the other languages have the same entries, by their type. */
export const en = {
  title: (brand: string) => `Production data for ${brand}`,
  heading: (brand: string) => `${brand} asks for production data`,
  intro: (factory: string, brand: string) =>
    `Hello ${factory}. ${brand} makes a product passport for the batch below. The figures you enter here replace default values in its climate footprint; nobody can know them better than you.`,
  introMaterial: (factory: string, brand: string) =>
    `Hello ${factory}. ${brand} makes a product passport for the batch below, and a material in it comes from you. Enter what you know about your own step; the rest may stay empty.`,
  optional:
    'No field is required, but at least one figure is needed. Leave empty what you do not know: a default value will stand in, and the passport will say so.',
  who: (brand: string) =>
    `${brand} sees what you submit. The public passport shows the resulting footprint and your certificates.`,
  product: 'Product',
  order: 'Order',
  quantity: 'Quantity',
  composition: 'Composition',
  sku: 'Article number',
  message: (brand: string) => `Message from ${brand}`,
  feedback: (brand: string) => `${brand} asks for changes`,
  feedbackHint: 'What you sent before is filled in below. Change it and submit again.',
  errorsTitle: (count: number) =>
    count === 1 ? 'One field needs your attention' : `${count} fields need your attention`,
  errorsKept: 'Nothing has been lost: what you typed is still here.',
  notANumber: 'Write a number such as 1250 or 12.5, without a unit.',
  draftTitle: 'Draft saved',
  draft: 'Come back with the same link whenever you like. The brand sees nothing until you submit.',
  sentTitle: 'Thank you, your data has been submitted',
  sent: (brand: string) =>
    `${brand} will look at it. If something needs to change, you will get an email with this same link.`,
  sentOpen: 'You can change your answer until the passport is published.',
  publishedTitle: 'The passport has been published',
  published: 'The data can no longer be changed. This is what was submitted:',
  publishedEmpty: 'The data can no longer be changed, and nothing was submitted with this link.',
  given: 'What you submitted',
  choose: 'Not known',
  sections: {
    product: {
      title: 'The product',
      why: 'Weight decides most of the footprint; everything else is counted per kilogram of it.',
    },
    places: {
      title: 'Where each step happens',
      why: 'The country decides which electricity and heat are counted, and how far goods travel.',
    },
    fabric: {
      title: 'Yarn and fabric',
      why: 'A fine yarn takes more electricity to spin, and knitting takes less than weaving.',
    },
    dyeing: { title: 'Dyeing', why: 'Hot water and steam are often the largest part of manufacturing.' },
    making: { title: 'Cutting and sewing', why: 'Cutting waste had to be spun, knitted and dyed as well.' },
    transport: { title: 'Transport', why: 'A flight weighs about thirty times as much as the same way by ship.' },
    certificates: {
      title: 'Certificates',
      why: 'Shown on the passport with their validity. Leave rows empty that you do not need; three empty ones are always added.',
    },
    notes: { title: 'Anything else', why: 'Read by the brand, not shown on the passport.' },
  },
  fields: {
    productWeightKg: { label: 'Weight of one finished piece', help: 'Without packaging, average size. Example: 0.18' },
    quantityProduced: { label: 'Pieces produced', help: 'In this batch. For information only.' },
    productionDate: { label: 'Date of production', help: 'The day the batch was finished.' },
    facilityId: { label: 'Facility', help: 'Where the batch was made.' },
    'countries.spinning': { label: 'Spinning', help: 'Country where the yarn was spun.' },
    'countries.fabric': { label: 'Knitting or weaving', help: 'Country where the fabric was made.' },
    'countries.dyeing': { label: 'Dyeing and finishing', help: 'Country of the dye house.' },
    'countries.making': { label: 'Cutting and sewing', help: 'Country where the piece was sewn.' },
    fabricProcess: { label: 'How the fabric is made', help: 'The main fabric of the piece.' },
    yarnNm: { label: 'Yarn count (Nm)', help: 'Metres of yarn in one gram, 1 to 500. Ne × 1.69 = Nm. Example: 40' },
    'dyeing.electricityKwhPerKg': {
      label: 'Electricity of the dye house',
      help: 'Per kilogram of fabric. Usual: 0.8 to 1.2',
    },
    'dyeing.heatMjPerKg': {
      label: 'Heat of the dye house',
      help: 'Steam and hot water, per kilogram of fabric. Usual: 16 to 33',
    },
    'dyeing.fuel': { label: 'Fuel for the heat', help: 'What the boiler burns.' },
    cuttingLossPct: { label: 'Cutting loss', help: 'Share of the fabric that ends as waste. Usual: 10 to 20' },
    makingElectricityKwh: { label: 'Electricity for sewing', help: 'For the whole batch, all lines together.' },
    airSharePct: { label: 'Share sent by air', help: 'Of this batch, from you to the market. 0 if none.' },
    notes: { label: 'Notes', help: 'For example how the figures were measured.' },
  },
  units: { kg: 'kg', pieces: 'pieces', nm: 'Nm', kwhPerKg: 'kWh/kg', mjPerKg: 'MJ/kg', percent: '%', kwh: 'kWh' },
  processes: {
    knitting_circular: 'Circular knitting',
    knitting_flat: 'Flat knitting',
    knitting_fully_fashioned: 'Fully fashioned knitting',
    knitting_seamless: 'Seamless (whole garment) knitting',
    knitting_average: 'Knitting, kind not known',
    weaving: 'Weaving',
  },
  fuels: {
    natural_gas: 'Natural gas',
    light_fuel_oil: 'Light fuel oil',
    heavy_fuel_oil: 'Heavy fuel oil',
    coal: 'Coal',
  },
  certificate: (number: number) => `Certificate ${number}`,
  certificateFields: {
    type: { label: 'Kind', help: 'For example GOTS, OEKO-TEX Standard 100, ISO 14001.' },
    number: { label: 'Number', help: '' },
    issuer: { label: 'Issued by', help: '' },
    validFrom: { label: 'Valid from', help: '' },
    validUntil: { label: 'Valid until', help: '' },
  },
  knownCertificates: 'The certificates in your catalogue are filled in. Remove what does not belong to this batch.',
  saveDraft: 'Save draft',
  submit: 'Submit to the brand',
  footer: 'This link is for you alone. Do not pass it on: whoever has it can answer for you.',
  withdrawnTitle: 'This request has been withdrawn',
  withdrawn: 'The brand no longer asks for this data. There is nothing left for you to do.',
  declinedTitle: 'You no longer work with this brand',
  declined:
    'Your factory has declined to work with it, so this request takes no answer. Was that a mistake? Ask the brand to invite you again: this link is then good again, and what you have saved is still there.',
  unknownTitle: 'This link is not known',
  unknown: 'It may have been cut off. Open it again from the email, or ask the brand to send the request once more.',
};

export type FactoryFormTexts = typeof en;
