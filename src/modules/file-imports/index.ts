export type { ImportEnd, ImportEvent } from './events.js';
export { announceLeftImports } from './announce.js';
export { type AfterChunk, type ChunkDependencies, endImport, importNextRows } from './chunk.js';
export { csvImportRoutes } from './csv-routes.js';
export { ROWS_KEPT_MS } from './handlers.js';
export { purgeReports } from './runs.js';
export { purgeImportFiles } from './store.js';
