/** A fact of the business. `type` is in the past tense; `data` is plain JSON and holds no personal data. */
export interface DomainEvent<Type extends string = string, Data extends object = object> {
  readonly type: Type;
  readonly data: Data;
}

/** Who caused an event: an opaque id, never a name or an address. */
export type Actor = {
  readonly type: 'user' | 'factory_link' | 'api_key' | 'import_row' | 'operator' | 'system';
  readonly id: string | null;
};

/** The row of an import that an event came from. */
export type ImportMark = {
  readonly importId: string;
  /** SHA-256 of the file's bytes in hex; null for rows that came as JSON. */
  readonly fileHash: string | null;
  /** As the person sees it: the header of a sheet is row 1. */
  readonly row: number;
};

/** What every domain event carries beside its data; `hash` is the link of the stream's hash chain. */
export interface EventMetadata {
  readonly schemaVersion: number;
  readonly organizationId: string | null;
  readonly actor: Actor;
  readonly correlationId: string;
  readonly causationId: string | null;
  /** Milliseconds since the Unix epoch: the time of the fact. */
  readonly recordedAt: number;
  /** Only on events that an import led to. */
  readonly import?: ImportMark;
  readonly hash: string;
}

/** A domain event as it stands in the log. */
export interface Recorded<E extends DomainEvent = DomainEvent> {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  /** Place in the whole log: monotonic, not contiguous. */
  readonly position: bigint;
  readonly type: E['type'];
  readonly data: E['data'];
  readonly metadata: EventMetadata;
}

/** Which event it is, in whatever store the log lies: a position is the store's own. */
export type EventPlace = Pick<Recorded, 'stream' | 'revision'>;

/** A recorded event of a union, narrowed by `type`. */
export type RecordedOf<E extends DomainEvent> = E extends DomainEvent ? Recorded<E> & E : never;
