import { readNamedStores } from '../../infrastructure/config.js';
import { parseEventStoreAddress, type EventStoreAddress } from '../../infrastructure/event-store/address.js';
import { migrate } from '../../infrastructure/postgres/migrate.js';
import { command, print, type Open } from '../command.js';
import { withEmbeddedStores } from './embedded-stores.js';
import { demandStopped, moveLog } from './move.js';

/** In the place of an address: the store that npm start brings along. */
const EMBEDDED = 'embedded';

/** A store as it was named, and as it is connected to. */
interface Named {
  readonly name: string;
  readonly url: string;
}

export const moveStore = command({
  name: 'move-store',
  usage: [
    [`[address|${EMBEDDED}]`, 'copy the log to another event store (or to MOVE_STORE_TO) and have it go on there'],
  ],
  settings: [],
  read: ([to, ...more]) => (more.length === 0 ? { to } : null),
  run: async ({ to }, _settings, open) => {
    const { DATABASE_URL: database, EVENTSTORE_URL: source = EMBEDDED, MOVE_STORE_TO } = readNamedStores();
    const destination = to ?? MOVE_STORE_TO;
    if (destination === undefined) throw new Error('Say where to: an address after "move-store", or in MOVE_STORE_TO.');
    refuseSame(source, destination);
    if (database !== undefined && ![source, destination].includes(EMBEDDED)) {
      return run(
        { database, source: { name: source, url: source }, destination: { name: destination, url: destination } },
        open,
      );
    }
    return withEmbeddedStores(({ databaseUrl, eventStoreUrl }) => {
      const named = (name: string): Named => ({ name, url: name === EMBEDDED ? eventStoreUrl : name });
      const stores = { source: named(source), destination: named(destination) };
      return run({ database: database ?? databaseUrl, ...stores }, open);
    });
  },
});

function refuseSame(source: string, destination: string): void {
  const placesOf = (name: string): string[] =>
    name === EMBEDDED ? [name] : readAddress(name).hosts.map((host) => `${host.name.toLowerCase()}:${host.port}`);
  const places = placesOf(source);
  if (placesOf(destination).some((place) => places.includes(place))) {
    throw new Error('The destination is the store that the log is at.');
  }
}

function readAddress(address: string): EventStoreAddress {
  try {
    return parseEventStoreAddress(address);
  } catch (error) {
    throw new Error(`The address of an event store ${error instanceof Error ? error.message : String(error)}.`, {
      cause: error,
    });
  }
}

async function run(
  { database: url, source, destination }: { database: string; source: Named; destination: Named },
  open: Open,
): Promise<number> {
  const database = open.database({ DATABASE_URL: url });
  await demandStopped(database);
  await migrate(database, 'service', new URL('../../infrastructure/postgres/migrations/', import.meta.url));
  await migrate(database, 'read', new URL('../../../projections/migrations/', import.meta.url));
  const opened = ({ name, url: EVENTSTORE_URL }: Named) => ({
    log: open.eventStore({ EVENTSTORE_URL }),
    address: name === EMBEDDED ? 'the embedded event store' : readAddress(name).shown,
  });
  await moveLog({ source: opened(source), destination: opened(destination), database, print });
  const next = destination.name === EMBEDDED ? 'take EVENTSTORE_URL away' : 'set EVENTSTORE_URL to the new address';
  print(`Next: ${next} and start the service. The old store is as it was.`);
  return 0;
}
