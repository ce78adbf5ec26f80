import type { InEveryMailLocale } from './blocks.js';

const en = {
  invitation: {
    subject: (brand: string) => `${brand} invites you to share production data`,
    heading: (brand: string) => `${brand} invites you`,
    body: (brand: string, factory: string) =>
      `${brand} lists ${factory} as a supplier and makes product passports for what you make together. They would like to ask you for production data.`,
    next: 'Create an account to see all requests in one place. It takes a minute and costs nothing.',
    action: 'Accept or decline the invitation',
    decline:
      'You do not want this? Open the same link and choose “Decline”; the brand can then send you no new requests.',
  },
  linked: {
    subject: (brand: string) => `${brand} has added you as a supplier`,
    heading: (brand: string) => `${brand} has added you as a supplier`,
    body: (brand: string, factory: string) =>
      `${brand} lists ${factory} as a supplier. Because you already have an account, you are linked at once; there is nothing you have to do.`,
    action: 'See the brand, or decline',
    decline:
      'You do not work with this brand? Open the link and choose “Decline”; the brand can then send you no new requests.',
  },
  request: {
    subject: {
      request: (brand: string, product: string) => `${brand} asks for production data: ${product}`,
      brand_reminder: (brand: string, product: string) => `Reminder from ${brand}: production data for ${product}`,
      reminder_1: (brand: string, product: string) => `Reminder: ${brand} waits for data on ${product}`,
      reminder_2: (brand: string, product: string) => `Last reminder: ${brand} waits for data on ${product}`,
      changes_requested: (brand: string, product: string) => `${brand} asks for changes: ${product}`,
    },
    heading: {
      request: (brand: string) => `${brand} asks for production data`,
      brand_reminder: (brand: string) => `${brand} still waits for your data`,
      reminder_1: (brand: string) => `${brand} still waits for your data`,
      reminder_2: (brand: string) => `${brand} still waits for your data`,
      changes_requested: (brand: string) => `${brand} asks for changes`,
    },
    hello: (factory: string) => `Hello ${factory},`,
    body: {
      factory: (brand: string) =>
        `${brand} makes a product passport for a batch that you produce. Your figures (weights, energy, countries) replace default values in its climate footprint.`,
      sub_supplier: (brand: string) =>
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
    notes: (brand: string) => `Message from ${brand}`,
    feedback: (brand: string) => `What ${brand} asks you to change`,
    action: 'Open the form',
    form: 'No account is needed. You can save a draft and come back; fields you do not know may stay empty.',
    secret: 'This link is for you alone: whoever has it can answer for you.',
  },
  noAnswer: {
    subject: (product: string) => `No answer yet: production data for ${product}`,
    heading: 'The data has not arrived',
    body: (count: number) =>
      count === 1
        ? 'One factory has not answered your request, although it has been reminded after 7 and after 14 days:'
        : `${count} factories have not answered your request, although they have been reminded after 7 and after 14 days:`,
    product: 'Product',
    order: 'Order',
    next: 'No further reminder goes out by itself. The links stay good: you can send the request again to remind them, or talk to them directly.',
    greeting: (brand: string) => `Hello ${brand},`,
  },
  webhookTrouble: {
    subject: { failed: 'A webhook delivery has failed', gone: 'A webhook has been paused' },
    heading: { failed: 'A webhook delivery has failed', gone: 'A webhook has been paused' },
    greeting: (brand: string) => `Hello ${brand},`,
    body: {
      failed:
        'All four attempts have failed: the first, and those after 1, 5 and 30 minutes. We have given up on this one.',
      gone: 'The receiver has answered 410, which says that it wants no more. We send it nothing until you activate the webhook again; what happens meanwhile is kept.',
    },
    webhook: 'Webhook',
    receiver: 'Receiver',
    event: 'Event',
    error: 'Last error',
    next: {
      failed: (webhookId: string) =>
        `GET /brand/webhooks/${webhookId}/deliveries?state=failed lists what has failed, with every attempt. Once the receiver works, POST /brand/webhooks/${webhookId}/replay sends it again.`,
      gone: (webhookId: string) =>
        `PATCH /brand/webhooks/${webhookId} with "active": true activates it, and POST /brand/webhooks/${webhookId}/replay sends what was kept.`,
    },
    rare: 'This mail comes once a day at most. More deliveries may have failed since, to this receiver or to others.',
  },
};

export type MailTexts = typeof en;

export const MAIL_TEXTS: InEveryMailLocale<MailTexts> = { en };
