/** Where the worker listens. One queue serves most processes: each of them is short of work, none of them of time. */
export const TASK_QUEUE = 'passports';

/** Webhooks have a queue and places of their own: what they send to may be slow, and a burst of them delays no call. */
export const WEBHOOK_QUEUE = 'webhooks';
