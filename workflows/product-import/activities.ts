import { Refusal } from '../../src/core/errors.js';
import {
  type AfterChunk,
  type ChunkDependencies,
  endImport,
  type ImportEnd,
  importNextRows,
} from '../../src/modules/file-imports/index.js';
import { withHeartbeat } from '../heartbeat.js';
import type { ProductImportInput } from './contract.js';

export type ProductImportActivities = ReturnType<typeof createProductImportActivities>;

/** The workflow's time of the step: the same when it is tried again, so the same bytes are appended. */
type At = ProductImportInput & { readonly now: number };

export const createProductImportActivities = (deps: ChunkDependencies) => ({
  async importChunk(step: At): Promise<AfterChunk> {
    try {
      return await withHeartbeat(() => importNextRows(deps, step));
    } catch (error) {
      // Others are changing the same products at this moment: no answer for good, so it is tried again.
      const isOvertaken = error instanceof Refusal && error.code === 'concurrent_change';
      throw isOvertaken ? new Error(error.message, { cause: error }) : error;
    }
  },

  endProductImport: (step: At & { readonly state: ImportEnd; readonly failure: string | null }): Promise<void> =>
    endImport(deps, step),
});
