import type { DomainEvent, EventMetadata, Recorded } from '../../core/events.js';
import type { PrivateTexts } from '../private-texts/private-texts.js';

/** An event ready to be appended: its bytes are fixed here, so that a retry sends the very same ones. */
export interface NewEvent<E extends DomainEvent = DomainEvent> {
  /** Lower-case UUID; the server recognises a repeated append by it. */
  readonly id: string;
  readonly type: E['type'];
  readonly data: E['data'];
  readonly metadata: EventMetadata;
}

/** `no_stream`, or the revision of the stream's last event. Never `any`: the hash chain needs the exact place. */
export type ExpectedRevision = 'no_stream' | number;

export interface AppendResult {
  /** Revision of the last event appended. */
  readonly revision: number;
  /** Position of the last event appended. */
  readonly position: bigint;
}

/** An event as bytes, for those who check what is stored rather than what it means. */
export interface RawEvent {
  readonly id: string;
  readonly stream: string;
  /** Null for a tombstone, whose number is beyond a double's reach. */
  readonly revision: number | null;
  readonly position: bigint;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

/** Which events of the whole log a subscription is sent; system events (`$...`) never are. */
export type AllFilter =
  { readonly streamPrefixes: readonly string[] } | { readonly eventTypePrefixes: readonly string[] };

export type AllMessage =
  | { readonly kind: 'event'; readonly event: Recorded }
  /** Everything up to `position` was considered, passed or not. */
  | { readonly kind: 'checkpoint'; readonly position: bigint }
  | { readonly kind: 'caught_up' };

/** The only door to the event store: events as they are stored. Every call has a time limit of its own. */
export interface EventLog {
  /** Read models are made of what is stored, so that an erased text is gone from them too. */
  readonly texts: 'sealed';
  /**
   * Appends all events or none. Any failure whose outcome is unknown is tried again with the same bytes.
   * Throws `WrongExpectedRevision`, `StreamTombstoned` or `AppendTooLarge`, and when the tries are used up `EventStoreUnavailable`
   * if nothing can have been written and `AppendOutcomeUnknown` else.
   */
  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult>;
  /** Events from `fromRevision` (default 0) on, oldest first; nothing when the stream does not exist. */
  readStream(stream: string, options?: { fromRevision?: number; limit?: number }): AsyncIterable<Recorded>;
  /** The same, as stored bytes and with system streams allowed. */
  readStreamRaw(stream: string, options?: { fromRevision?: number; limit?: number }): AsyncIterable<RawEvent>;
  /** The whole log as stored bytes, system events among them: for those who check it. */
  readAllRaw(options: { after: bigint | null }): AsyncIterable<RawEvent>;
  /** Domain events of the whole log after `after` (null: from the start), oldest first, up to the present end. */
  readAll(options: { after: bigint | null; limit?: number }): AsyncIterable<Recorded>;
  /**
   * Domain events of the whole log after `after`, then live ones. Ends with an error when the server goes away and
   * quietly when `signal` aborts: the caller loops and resumes from its checkpoint.
   */
  subscribeToAll(options: { after: bigint | null; filter?: AllFilter; signal: AbortSignal }): AsyncIterable<AllMessage>;
  /** Of the last event of the whole log, system events among them; null while it is empty. */
  lastPosition(): Promise<bigint | null>;
  /** Resolves when the server answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The same with private texts opened where events are read, raw reads apart. */
export interface EventStore extends Omit<EventLog, 'texts'> {
  /** Opens what the read models hold of them. */
  readonly texts: PrivateTexts;
  /** The event's data as it is to be stored there, its private texts sealed; the same for the same event at the same place. */
  sealed(
    place: { readonly stream: string; readonly revision: number; readonly organizationId: string | null },
    event: DomainEvent,
  ): Promise<object>;
}

/** Somebody else appended first. `actual` is null when the stream does not exist. */
export class WrongExpectedRevision extends Error {
  override readonly name = 'WrongExpectedRevision';
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly actual: number | null;
  constructor(stream: string, expected: ExpectedRevision, actual: number | null) {
    super(`stream ${stream} stands at ${actual ?? 'no_stream'}, not at ${expected}`);
    this.stream = stream;
    this.expected = expected;
    this.actual = actual;
  }
}

/** The server did not say in time whether it stored the events: they may be there, now or later. */
export class AppendOutcomeUnknown extends Error {
  override readonly name = 'AppendOutcomeUnknown';
}

/** An append of more than the server takes: refused here, before anything is sent. */
export class AppendTooLarge extends Error {
  override readonly name = 'AppendTooLarge';
}

/** The stream is tombstoned, which never happens to a domain stream by this service's hand. */
export class StreamTombstoned extends Error {
  override readonly name = 'StreamTombstoned';
  readonly stream: string;
  constructor(stream: string) {
    super(`stream ${stream} has been tombstoned`);
    this.stream = stream;
  }
}

/** The server cannot be reached, or does not answer in time; nothing was written by this call. */
export class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable';
}
