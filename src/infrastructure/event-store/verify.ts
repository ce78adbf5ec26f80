import { linkHash } from '../../core/hash-chain.js';
import type { JsonObject } from '../../core/json.js';
import { StreamTombstoned, type EventLog, type RawEvent } from './port.js';

/** One place where the history is not as it was written. */
export interface BadEvent {
  readonly stream: string;
  /** Null when the event is missing, or has no number that can be told. */
  readonly revision: number | null;
  readonly id: string | null;
  readonly reason: string;
}

export interface Verification {
  readonly streams: number;
  readonly events: number;
  /** In the order in which they were found; the first is the first bad event. At most 100. */
  readonly problems: readonly BadEvent[];
}

const MAX_PROBLEMS = 100;
const TOMBSTONE_TYPE = '$streamDeleted';
const CUTTING_KEYS = ['$tb', '$maxCount', '$maxAge'] as const;

/** Where a stream's chain stands: the revision to come, and the stored hash of the last event. */
interface Link {
  nextRevision: number;
  previousHash: string | null;
}

/** Checks one stream, as an auditor would: from the stored bytes alone. */
export async function verifyStream(eventStore: Pick<EventLog, 'readStreamRaw'>, stream: string): Promise<Verification> {
  const problems: BadEvent[] = [];
  const link: Link = { nextRevision: 0, previousHash: null };
  let events = 0;
  try {
    for await (const event of eventStore.readStreamRaw(`$$${stream}`)) problems.push(...metadataProblems(event));
    for await (const event of eventStore.readStreamRaw(stream)) {
      events += 1;
      problems.push(...checkEvent(event, link));
      if (problems.length >= MAX_PROBLEMS) break;
    }
  } catch (error) {
    if (!(error instanceof StreamTombstoned)) throw error;
    problems.push({ stream, revision: null, id: null, reason: 'the stream has been tombstoned' });
  }
  return { streams: events > 0 ? 1 : 0, events, problems: problems.slice(0, MAX_PROBLEMS) };
}

/** Checks every domain stream in one pass over the log, in the order in which it was written. */
export async function verifyAll(eventStore: Pick<EventLog, 'readAllRaw'>): Promise<Verification> {
  const problems: BadEvent[] = [];
  const links = new Map<string, Link>();
  let events = 0;
  for await (const event of eventStore.readAllRaw({ after: null })) {
    if (event.stream.startsWith('$')) {
      problems.push(...metadataProblems(event));
    } else {
      events += 1;
      let link = links.get(event.stream);
      if (link === undefined) links.set(event.stream, (link = { nextRevision: 0, previousHash: null }));
      problems.push(...checkEvent(event, link));
    }
    if (problems.length >= MAX_PROBLEMS) break;
  }
  return { streams: links.size, events, problems: problems.slice(0, MAX_PROBLEMS) };
}

/** Metadata that hides events of a domain stream is a break by itself, whatever is left of the stream. */
function metadataProblems(event: RawEvent): BadEvent[] {
  const { stream, type, revision, id } = event;
  if (!stream.startsWith('$$') || type !== '$metadata') return [];
  const described = stream.slice(2);
  if (described.startsWith('$')) return [];
  const metadata = parseObject(event.data);
  const keys = metadata === null ? [] : CUTTING_KEYS.filter((key) => key in metadata);
  if (keys.length === 0) return [];
  return [{ stream: described, revision, id, reason: `its metadata hides events (${keys.join(', ')})` }];
}

function checkEvent(event: RawEvent, link: Link): BadEvent[] {
  const { stream, revision, id, type } = event;
  const problem = (reason: string): BadEvent => ({ stream, revision, id, reason });
  if (type === TOMBSTONE_TYPE || revision === null) return [problem('the stream has been tombstoned')];
  const found: BadEvent[] = [];
  if (revision !== link.nextRevision) {
    found.push(
      problem(
        revision > link.nextRevision
          ? `revisions ${link.nextRevision} to ${revision - 1} before it are missing`
          : `revision ${link.nextRevision} was due`,
      ),
    );
  }
  const isAfterGap = found.length > 0;
  link.nextRevision = revision + 1;

  const metadata = parseObject(event.metadata);
  const previousHash = link.previousHash;
  // What follows is judged by the hash as stored, so that one bad event is named once.
  const storedHash = metadata === null ? undefined : metadata['hash'];
  link.previousHash = typeof storedHash === 'string' ? storedHash : null;

  if (event.contentType !== 'application/json') return [...found, problem('it is not JSON')];
  const data = parseObject(event.data);
  if (data === null) return [...found, problem('its data is not a JSON object')];
  if (metadata === null) return [...found, problem('its metadata is not a JSON object')];
  if (!isCanonicalBytes(event.data, data)) return [...found, problem('the bytes of its data were changed')];
  if (!isCanonicalBytes(event.metadata, metadata)) return [...found, problem('the bytes of its metadata were changed')];
  if (typeof storedHash !== 'string') return [...found, problem('it carries no hash')];
  // The event before the gap is gone, so its hash cannot be told.
  if (isAfterGap) return found;
  const { hash: _hash, ...covered } = metadata;
  const expected = linkHash({ stream, revision, id, type, data, metadata: covered, previousHash });
  return expected === storedHash ? [] : [problem('its hash does not match its content and the event before it')];
}

function parseObject(bytes: Uint8Array): JsonObject | null {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as JsonObject) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** A changed space, or a last digit beyond a double's reach, would otherwise go unseen. */
const isCanonicalBytes = (bytes: Uint8Array, parsed: JsonObject): boolean =>
  Buffer.from(JSON.stringify(parsed), 'utf8').equals(bytes);
