import type { DomainEvent, Recorded } from '../../core/events.js';
import type { AnyPrivateFields, KeyHolders } from '../../core/private-texts.js';
import type { EventLog, EventStore } from './port.js';
import type { PrivateTexts } from '../private-texts/private-texts.js';

/**
 * The event store as the business sees it: private texts are sealed on their way into the log and opened on their way out. `fields`
 * are the declarations of all modules. Raw reads answer what is stored.
 */
export function withPrivateTexts(log: EventLog, fields: AnyPrivateFields, texts: PrivateTexts): EventStore {
  const opened = async (event: Recorded): Promise<Recorded> => {
    const declared = fields[event.type];
    if (declared === undefined) return event;
    let data = event.data as Data;
    for (const path of Object.keys(declared)) {
      data = await changedAt(data, path.split('.'), (text) => texts.open(text));
    }
    return { ...event, data };
  };

  return {
    texts,
    append: log.append.bind(log),
    readStreamRaw: log.readStreamRaw.bind(log),
    readAllRaw: log.readAllRaw.bind(log),
    lastPosition: log.lastPosition.bind(log),
    ping: log.ping.bind(log),
    close: log.close.bind(log),

    async sealed({ stream, revision, organizationId }, event) {
      let data = event.data as Data;
      for (const [path, holdersOf] of Object.entries(fields[event.type] ?? {})) {
        const place = `${stream}/${revision}/${event.type}/${path}`;
        data = await changedAt(data, path.split('.'), (text) =>
          texts.seal(text, holders(event, holdersOf, organizationId), place),
        );
      }
      return data;
    },

    async *readStream(stream, options) {
      for await (const event of log.readStream(stream, options)) yield opened(event);
    },

    async *readAll(options) {
      for await (const event of log.readAll(options)) yield opened(event);
    },

    async *subscribeToAll(options) {
      for await (const message of log.subscribeToAll(options)) {
        yield message.kind === 'event' ? { kind: 'event', event: await opened(message.event) } : message;
      }
    },
  };
}

type Data = Readonly<Record<string, unknown>>;

function holders(
  event: DomainEvent,
  holdersOf: KeyHolders<never> | undefined,
  organizationId: string | null,
): readonly string[] {
  const found = holdersOf?.(event.data as never, organizationId).filter((holder) => holder !== null) ?? [];
  // A text that nobody could erase must not get into the log.
  if (found.length === 0) throw new Error(`a private text of ${event.type} hangs on nobody's key`);
  return found;
}

/** The data with the text at `path` replaced; where there is none it is the same. */
async function changedAt(
  data: Data,
  [name = '', ...rest]: readonly string[],
  change: (text: string) => Promise<string>,
): Promise<Data> {
  const value = data[name];
  if (rest.length === 0) return typeof value === 'string' ? { ...data, [name]: await change(value) } : data;
  if (typeof value !== 'object' || value === null) return data;
  return { ...data, [name]: await changedAt(value as Data, rest, change) };
}
