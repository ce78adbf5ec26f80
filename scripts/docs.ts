/** Writes the documents that are made from the code. */
import { writeFile } from 'node:fs/promises';
import { REAL_CALLS } from '../test/support/real-calls.js';
import { errorsDocument } from './errors-doc.js';
import { eventsDocument } from './events-doc.js';
import { declared } from './declared-routes.js';
import { permissionsDocument } from './permissions-doc.js';

const docs = new URL('../docs/', import.meta.url);
await writeFile(new URL('errors.md', docs), errorsDocument());
await writeFile(new URL('events.md', docs), eventsDocument());
await writeFile(
  new URL('permissions.md', docs),
  permissionsDocument((await declared()).routes, new Set(Object.keys(REAL_CALLS))),
);
