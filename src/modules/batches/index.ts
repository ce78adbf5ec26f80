export {
  type BatchCreated,
  type BatchEvent,
  batchStream,
  type DppRequest,
  type Pefcr,
  requestMailId,
  type RequestMailKey,
} from './events.js';
export { type CallDependencies, callLifecycle, callSubmit } from './calls.js';
export { type MailOutcome, refuseUnlessAnswerable } from './decider.js';
export {
  answerableRequest,
  type BatchDependencies,
  createPreliminaryBatch,
  createPublishedBatch,
  findAnyBatch,
  loadAnyBatch,
  loadBatch,
  type LoadedBatch,
  openRequest,
  preliminaryBatch,
  recordMails,
  recordPublished,
  refuseUnlessPublishable,
  requestChanges,
  rescoreBatch,
  restoreLinks,
  sendRequest,
  submitData,
  withdrawBatch,
} from './handlers.js';
export { batchOfRequest, requestOfLink } from './links.js';
export { type Batch, type BatchRequest, outstandingMails } from './state.js';
