/** What Temporal bundles: the workflows, and nothing that only runs outside of them. */
export { batchLifecycle } from './batch-lifecycle/workflow.js';
export { certificateExpiry } from './certificate-expiry/workflow.js';
export {
  certificateIntake,
  certificateLink,
  proposalAcceptance,
  supplierInvitation,
  webhookTrouble,
} from './one-step/workflow.js';
export { productFollowUp } from './product-follow-up/workflow.js';
export { productImport } from './product-import/workflow.js';
export { webhookDelivery } from './webhook-delivery/workflow.js';
export { webhookEnding } from './webhook-ending/workflow.js';
export { webhookReplay } from './webhook-replay/workflow.js';
