/** What the other rooms may use of rows: what one means, what it would do, and doing it. */
export { numberIn, quoted } from './cells.js';
export { commitRows } from './commit.js';
export type { EarlierRow, ImportField, ImportMode, ImportRow, RowError, RowOutcome } from './contract.js';
export { createKeySightings, type KeySightings } from './key-sightings.js';
export { COMMIT_ROWS, refuseBeyondPlan } from './limits.js';
export { createPlanner, joinedMessages, NO_COUNTS, seeKeys, summaryOf, summaryOfBoth } from './plan.js';
export { importMode, importReport, importRow, importSummary } from './schemas.js';
