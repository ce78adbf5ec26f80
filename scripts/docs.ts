/** Writes the documents that are made from the code. */
import { writeFile } from 'node:fs/promises';
import { errorsDocument } from './errors-doc.js';
import { eventsDocument } from './events-doc.js';

const docs = new URL('../docs/', import.meta.url);
await writeFile(new URL('errors.md', docs), errorsDocument());
await writeFile(new URL('events.md', docs), eventsDocument());
