import { setTimeout as sleep } from 'node:timers/promises';
import type { AppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { OutageLog } from '../outage-log.js';
import type { Cluster } from './cluster.js';
import { actualRevisionOf, leaderNamedBy, meaningOf } from './failures.js';
import {
  AppendOutcomeUnknown,
  AppendTooLarge,
  EventStoreUnavailable,
  StreamTombstoned,
  WrongExpectedRevision,
  type ExpectedRevision,
} from './port.js';
import type { AppendRequest } from './requests.js';

/** They span the restart of a server; where a leader that dies has a successor, so many time limits span its election. */
const TRIES = 4;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 400;

/** Where an append ended; the server may not tell the position of a repeated one. */
interface Place {
  readonly revision: number;
  readonly position: bigint | null;
}

interface Append {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly request: AppendRequest;
}

/**
 * Sends an append until it is known what became of it: the same bytes each time, which the server stores once. A try lasts as long
 * as its time limit, unless another node turns out to lead.
 */
export async function appendUntilKnown(
  { stream, expected, request }: Append,
  context: { readonly cluster: Cluster; readonly failures: OutageLog; readonly timeoutMs: number },
): Promise<Place> {
  const { cluster, failures, timeoutMs } = context;
  const until = performance.now() + TRIES * timeoutMs;
  let isUnknown = false;
  const giveUp = (cause: unknown): Error =>
    isUnknown
      ? new AppendOutcomeUnknown(`the event store did not say whether it stored an append to ${stream}`, { cause })
      : new EventStoreUnavailable(`the event store did not take an append to ${stream}`, { cause });
  for (let attempt = 1; ; attempt += 1) {
    const node = await cluster.leader(until - performance.now()).catch((error: unknown) => {
      throw giveUp(error);
    });
    try {
      const place = placeOf(await node.append(request.messages, timeoutMs), { stream, expected });
      failures.worked();
      return place;
    } catch (error) {
      if (error instanceof WrongExpectedRevision) throw error;
      const { append, isForeseen } = meaningOf(error);
      if (append === 'wrong_revision') throw new WrongExpectedRevision(stream, expected, actualRevisionOf(error));
      if (append === 'tombstoned') throw new StreamTombstoned(stream);
      if (append === 'too_large') throw new AppendTooLarge(`an append to ${stream} is larger than the server takes`);
      isUnknown ||= append === 'unknown';
      failures.failed(error, { stream, attempt, append, isForeseen });
      cluster.doubt(node, leaderNamedBy(error));
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), MAX_PAUSE_MS);
      const isOver = cluster.hasSuccessors ? performance.now() + pauseMs >= until : attempt >= TRIES;
      if (append === 'refused' || isOver) throw giveUp(error);
      await sleep(pauseMs);
    }
  }
}

function placeOf(answer: AppendResp, { stream, expected }: Pick<Append, 'stream' | 'expected'>): Place {
  const wrong = answer.getWrongExpectedVersion();
  if (wrong !== undefined) {
    const actual = wrong.hasCurrentRevision() ? Number(wrong.getCurrentRevision()) : null;
    throw new WrongExpectedRevision(stream, expected, actual);
  }
  const success = answer.getSuccess();
  if (success === undefined) throw new Error('the event store has answered an append with neither success nor refusal');
  const position = success.getPosition()?.getCommitPosition();
  return {
    revision: Number(success.getCurrentRevision()),
    position: position === undefined ? null : BigInt(position),
  };
}
