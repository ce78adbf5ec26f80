export interface FactoryMailTexts {
  readonly invitation: {
    readonly subject: (brand: string) => string;
    readonly heading: (brand: string) => string;
    readonly body: (brand: string, factory: string) => string;
    readonly next: string;
    readonly action: string;
    readonly decline: string;
  };
  readonly linked: {
    readonly heading: (brand: string) => string;
    readonly body: (brand: string, factory: string) => string;
    readonly action: string;
    readonly decline: string;
  };
  readonly request: {
    readonly subject: Readonly<Record<FactoryMailKind, (brand: string, product: string) => string>>;
    readonly heading: Readonly<Record<'request' | 'reminder' | 'changes_requested', (brand: string) => string>>;
    readonly hello: (factory: string) => string;
    readonly body: Readonly<Record<'factory' | 'sub_supplier', (brand: string) => string>>;
    readonly reminder: Readonly<Record<Exclude<FactoryMailKind, 'request' | 'changes_requested'>, string>>;
    readonly changes: string;
    readonly product: string;
    readonly sku: string;
    readonly order: string;
    readonly quantity: string;
    readonly action: string;
    readonly form: string;
    readonly secret: string;
    readonly feedback: (brand: string) => string;
  };
  readonly notes: (brand: string) => string;
}

/** `request` is the first mail; `brand_reminder` the one that the brand asked for; the other reminders come by themselves. */
export type FactoryMailKind = 'request' | 'brand_reminder' | 'reminder_1' | 'reminder_2' | 'changes_requested';

export const en: FactoryMailTexts = {
  invitation: {
    subject: (brand) => `${brand} invites you to share production data`,
    heading: (brand) => `${brand} invites you`,
    body: (brand, factory) =>
      `${brand} lists ${factory} as a supplier and makes product passports for what you make together. They would like to ask you for production data.`,
    next: 'Create an account to see all requests in one place. It takes a minute and costs nothing.',
    action: 'Accept or decline the invitation',
    decline: 'You do not want this? Open the same link and choose “Decline”; the brand can then send you no requests.',
  },
  linked: {
    heading: (brand) => `${brand} has added you as a supplier`,
    body: (brand, factory) =>
      `${brand} lists ${factory} as a supplier. Because you already have an account, you are linked at once; there is nothing you have to do.`,
    action: 'See the brand, or decline',
    decline:
      'You do not work with this brand? Open the link and choose “Decline”; the brand can then send you no requests.',
  },
  request: {
    subject: {
      request: (brand, product) => `${brand} asks for production data: ${product}`,
      brand_reminder: (brand, product) => `Reminder from ${brand}: production data for ${product}`,
      reminder_1: (brand, product) => `Reminder: ${brand} waits for data on ${product}`,
      reminder_2: (brand, product) => `Last reminder: ${brand} waits for data on ${product}`,
      changes_requested: (brand, product) => `${brand} asks for changes: ${product}`,
    },
    heading: {
      request: (brand) => `${brand} asks for production data`,
      reminder: (brand) => `${brand} still waits for your data`,
      changes_requested: (brand) => `${brand} asks for changes`,
    },
    hello: (factory) => `Hello ${factory},`,
    body: {
      factory: (brand) =>
        `${brand} makes a product passport for a batch that you produce. Your figures (weights, energy, countries) replace default values in its climate footprint.`,
      sub_supplier: (brand) =>
        `${brand} makes a product passport for a batch that contains a material from you. Your figures about your own step replace default values in its climate footprint.`,
    },
    reminder: {
      brand_reminder: 'They have asked us to remind you: your answer has not arrived yet.',
      reminder_1: 'A week ago you got this request, and your answer has not arrived yet.',
      reminder_2:
        'Two weeks ago you got this request, and your answer has not arrived yet. This is the last reminder; the brand will be told that the data is missing.',
    },
    changes:
      'They have looked at your answer and ask you to change something. The link below is the one you know; what you sent before is filled in.',
    product: 'Product',
    sku: 'Article number',
    order: 'Order',
    quantity: 'Quantity',
    feedback: (brand) => `What ${brand} asks you to change`,
    action: 'Open the form',
    form: 'No account is needed. You can save a draft and come back; fields you do not know may stay empty.',
    secret: 'This link is for you alone: whoever has it can answer for you.',
  },
  notes: (brand) => `Message from ${brand}`,
};
