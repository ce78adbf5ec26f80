import type { AnyPrivateFields } from './core/private-texts.js';
import { BATCH_TEXTS } from './modules/batches/events.js';
import { DEPLOYMENT_TEXTS } from './modules/deployment/events.js';
import { FACTORY_TEXTS } from './modules/factory-portal/events.js';
import { IMPORT_TEXTS } from './modules/file-imports/events.js';
import { ORGANIZATION_TEXTS } from './modules/organizations/events.js';
import { PASSPORT_TEXTS } from './modules/passports/events.js';
import { PRODUCT_TEXTS } from './modules/products/events.js';
import { PROPOSAL_TEXTS } from './modules/proposals/events.js';
import { SUPPLIER_TEXTS } from './modules/suppliers/events.js';
import { WEBHOOK_TEXTS } from './modules/webhooks/events.js';

/** The private texts of every event type, as each module has decided beside its events. */
export const PRIVATE_FIELDS: AnyPrivateFields = {
  ...BATCH_TEXTS,
  ...DEPLOYMENT_TEXTS,
  ...FACTORY_TEXTS,
  ...IMPORT_TEXTS,
  ...ORGANIZATION_TEXTS,
  ...PASSPORT_TEXTS,
  ...PRODUCT_TEXTS,
  ...PROPOSAL_TEXTS,
  ...SUPPLIER_TEXTS,
  ...WEBHOOK_TEXTS,
};
