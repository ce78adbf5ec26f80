import type { EventStore } from '../../infrastructure/event-store/port.js';
import type { Database } from '../../infrastructure/postgres/database.js';
import { namedFile } from './files.js';
import { factoryState } from './handlers.js';
import { certificatesIn } from './state.js';
import { dropFileOf, fileUsesToCheck, noteChecked, showNamedFile } from './store.js';

const DAY_S = 24 * 60 * 60;

/**
 * Drops the copies of certificates that have been removed or replaced while whoever did so was killed. What a factory has is asked
 * of its stream: a read model may be behind.
 */
export async function purgeCertificateFiles(
  deps: { readonly database: Database; readonly eventStore: EventStore },
  limit: number,
  agedS = DAY_S,
): Promise<number> {
  const uses = await fileUsesToCheck(deps.database, agedS, limit);
  let dropped = 0;
  for (const [factoryId, own] of Map.groupBy(uses, (use) => use.factoryId)) {
    const state = await factoryState(deps, factoryId);
    const there = new Set(certificatesIn(state).map(({ certificateId }) => certificateId));
    // Before a hold goes: its file may be the one that the certificate has by now.
    for (const [certificateId, { sha256 }] of state.files) {
      const isUnsettled = own.some((use) => (use.certificateId === certificateId) !== (use.sha256 === sha256));
      if (!isUnsettled) continue;
      await showNamedFile(deps.database, { certificateId, factoryId }, () => namedFile(deps, factoryId, certificateId));
    }
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
