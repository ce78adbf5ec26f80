/** What goes to brands, in English. */
export const BRAND_MAIL_TEXTS = {
  noAnswer: {
    subject: (product: string) => `No answer yet: production data for ${product}`,
    heading: 'The data has not arrived',
    body: (count: number, days: readonly number[]) => {
      const when = days.map((day) => `after ${day}`).join(' and ');
      return count === 1
        ? `One factory has not answered your request, although it has been reminded ${when} days:`
        : `${count} factories have not answered your request, although they have been reminded ${when} days:`;
    },
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
} as const;
