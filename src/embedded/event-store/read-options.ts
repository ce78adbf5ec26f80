import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { invalidArgument } from './errors.js';

const { Options } = streams.ReadReq;
const { StreamOptionCase, CountOptionCase, FilterOptionCase, ReadDirection } = Options;

/** The reference's names, which its refusals hold; by the protocol's numbers. */
const STREAMS = { [StreamOptionCase.STREAM]: 'Stream', [StreamOptionCase.ALL]: 'All' };
const COUNTS = { [CountOptionCase.COUNT]: 'Count', [CountOptionCase.SUBSCRIPTION]: 'Subscription' };
const DIRECTIONS = { [ReadDirection.FORWARDS]: 'Forwards', [ReadDirection.BACKWARDS]: 'Backwards' };
const FILTERS = { [FilterOptionCase.FILTER]: 'Filter', [FilterOptionCase.NO_FILTER]: 'NoFilter' };

const NONE = 'None';
const nameIn = (names: Readonly<Record<number, string>>, number: number, unknown: string): string =>
  names[number] ?? unknown;

/** What there is to read, and how; every other combination is refused. */
const READS: ReadonlySet<string> = new Set([
  'Stream, Count, Forwards, NoFilter',
  'Stream, Count, Backwards, NoFilter',
  'Stream, Subscription, Forwards, NoFilter',
  'All, Count, Forwards, NoFilter',
  'All, Count, Forwards, Filter',
  'All, Count, Backwards, NoFilter',
  'All, Count, Backwards, Filter',
  'All, Subscription, Forwards, NoFilter',
  'All, Subscription, Forwards, Filter',
]);

/** Refuses what the reference refuses, in its words: who reads here without an error is to read there without one. */
export function demandReadOf(options: ReadReq.Options): void {
  if (!options.hasUuidOption()) throw invalidArgument("'uuidOption' is a required argument");
  const stream = nameIn(STREAMS, options.getStreamOptionCase(), NONE);
  if (stream === NONE) throw invalidArgument(`'${NONE}' is not a valid stream option`);
  const count = nameIn(COUNTS, options.getCountOptionCase(), NONE);
  const direction = nameIn(DIRECTIONS, options.getReadDirection(), String(options.getReadDirection()));
  const filter = nameIn(FILTERS, options.getFilterOptionCase(), NONE);
  const read = `${stream}, ${count}, ${direction}, ${filter}`;
  if (!READS.has(read)) throw invalidArgument(`The combination of (${read}) is invalid.`);
}
