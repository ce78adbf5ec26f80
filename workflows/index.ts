/** What Temporal bundles: the workflows, and nothing that only runs outside of them. */
export { batchLifecycle } from './batch-lifecycle/workflow.js';
