export { type DeliveryEvent, deliveryIdOf, deliveryStream, type WebhookEvent } from './events.js';
export { WEBHOOK_BODIES } from './body-schemas.js';
export { type Attempt, type Delivery, isUnderWay } from './delivery.js';
export { factOf, SOURCE_EVENT_TYPES } from './facts.js';
export { secretSealer, secretsOf } from './secrets.js';
export {
  askRedelivery,
  cancelDelivery,
  createDelivery,
  createEventsOf,
  hasWebhooks,
  loadDelivery,
  loadedDelivery,
  matchingWebhooks,
  pauseGone,
  recordAttempt,
  type SendingDependencies,
  webhooksOf,
} from './sending.js';
export { givePlaceBack, restorePlace } from './slots.js';
export { type Standing, standingOf, stopNow, stopOf, stoppedUpTo } from './stops.js';
