import type { DomainEvent } from '../../core/events.js';
import { textsOf } from '../../core/private-texts.js';
import type { ImportCounts } from '../../core/vocabulary.js';
import { streamName } from '../../core/streams.js';

/** Stream `import-<id>`: that a file was imported, and how it ended. What its rows did stands in the products' streams. */
export type ImportEvent =
  | DomainEvent<
      'ImportStarted',
      {
        importId: string;
        organizationId: string;
        /** SHA-256 of the file's bytes, hex. */
        fileHash: string;
        mode: 'create' | 'upsert';
        /** Rows to import. */
        rows: number;
      }
    >
  | DomainEvent<'ImportEnded', { importId: string; state: ImportEnd; counts: ImportCounts }>;

export type ImportEnd = 'completed' | 'cancelled' | 'failed';

export const IMPORT_TEXTS = textsOf<ImportEvent>().private({}).open('fileHash');

export const importStream = (importId: string): string => streamName('import', importId);
