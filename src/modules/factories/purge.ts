import type { EventStore } from '../../infrastructure/event-store/port.js';
import type { Database } from '../../infrastructure/postgres/database.js';
import { factoryState } from './handlers.js';
import { certificatesIn } from './state.js';
import { dropFileOf, fileUsesToCheck, noteChecked } from './store.js';

const DAY_S = 24 * 60 * 60;

/**
 * Drops the copies of certificates that have been removed while whoever removed them was killed. What a factory has is asked of
 * its stream: a read model may be behind.
 */
export async function purgeCertificateFiles(
  deps: { readonly database: Database; readonly eventStore: EventStore },
  limit: number,
  agedS = DAY_S,
): Promise<number> {
  const uses = await fileUsesToCheck(deps.database, agedS, limit);
  let dropped = 0;
  for (const [factoryId, own] of Map.groupBy(uses, (use) => use.factoryId)) {
    const there = new Set(
      certificatesIn(await factoryState(deps, factoryId)).map(({ certificateId }) => certificateId),
    );
    const gone = own.filter(({ certificateId }) => !there.has(certificateId));
    for (const use of gone) await dropFileOf(deps.database, use);
    dropped += gone.length;
    await noteChecked(
      deps.database,
      own.flatMap(({ certificateId }) => (there.has(certificateId) ? [certificateId] : [])),
    );
  }
  return dropped;
}
