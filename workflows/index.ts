/** What Temporal bundles: the workflows, and nothing that only runs outside of them. */
export { batchLifecycle } from './batch-lifecycle/workflow.js';
export { certificateExpiry } from './certificate-expiry/workflow.js';
export { certificateIntake } from './certificate-intake/workflow.js';
export { certificateLink } from './certificate-link/workflow.js';
export { productFollowUp } from './product-follow-up/workflow.js';
export { productImport } from './product-import/workflow.js';
export { proposalAcceptance } from './proposal-acceptance/workflow.js';
export { supplierInvitation } from './supplier-invitation/workflow.js';
export { webhookDelivery } from './webhook-delivery/workflow.js';
export { webhookEnding } from './webhook-ending/workflow.js';
export { webhookReplay } from './webhook-replay/workflow.js';
export { webhookTrouble } from './webhook-trouble/workflow.js';
