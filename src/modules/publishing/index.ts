export { changesWhatIsShown } from './content.js';
export { productFollowUp, republishFirstPassports, republishPassports, withdrawOpenBatches } from './follow-up.js';
export {
  brandNameOf,
  bringUpToDate,
  finishPublication,
  publishBatch,
  type PublishingDependencies,
} from './handlers.js';
export {
  isPreliminaryUnderWay,
  preliminaryPassportOf,
  publishNewProduct,
  publishPreliminaryBatch,
} from './preliminary.js';
