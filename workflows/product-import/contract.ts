import { TASK_QUEUE } from '../task-queues.js';

/** Imports the rows of one uploaded file, a chunk at a time. */
export const PRODUCT_IMPORT = { type: 'productImport', taskQueue: TASK_QUEUE } as const;

/** A file has one import. */
export const productImportId = ({ importId }: ProductImportInput): string => `import/${importId}`;

export interface ProductImportInput {
  readonly importId: string;
  readonly organizationId: string;
}
