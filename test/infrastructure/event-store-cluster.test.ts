import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createEventStore } from '../../src/infrastructure/event-store/eventstoredb.js';
import {
  AppendOutcomeUnknown,
  EventStoreUnavailable,
  type EventLog,
  type ExpectedRevision,
  type NewEvent,
} from '../../src/infrastructure/event-store/port.js';
import { startCluster, type Election, type StandInCluster } from '../support/cluster.js';

const logger = pino({ level: 'silent' });
const WRITERS = 8;
const ROUNDS = 3;
const WRITING_MS = 500;
/** Beyond the election, which no client can shorten. */
const GOAL_MS = 1_000;

const fact = (n: number): NewEvent => ({
  id: randomUUID(),
  type: 'FactKept',
  data: { n },
  metadata: {
    ...{ schemaVersion: 1, organizationId: null, actor: { type: 'system', id: null } },
    ...{ correlationId: 'cluster', causationId: null, recordedAt: 0, hash: '' },
  },
});
const numberOf = (event: { data: object }): number => (event.data as { n: number }).n;

/** Appends to a stream of its own without a pause, each event until it is acknowledged. */
function startWriter(eventStore: EventLog, prefix: string) {
  const stream = `${prefix}-${randomUUID()}`;
  let isStopping = false;
  let acknowledged = 0;
  let wake: () => void = () => undefined;
  const run = async (): Promise<void> => {
    let expected: ExpectedRevision = 'no_stream';
    for (let n = 0; !isStopping; n += 1) {
      const event = fact(n);
      for (;;) {
        try {
          expected = (await eventStore.append(stream, expected, [event])).revision;
          break;
        } catch (error) {
          if (!(error instanceof AppendOutcomeUnknown) && !(error instanceof EventStoreUnavailable)) throw error;
        }
      }
      acknowledged += 1;
      wake();
      await sleep(5);
    }
  };
  const running = run();
  return {
    stream,
    acknowledged: () => acknowledged,
    /** Resolves with the moment at which an append begun later than now, or under way, is acknowledged. */
    next: () => new Promise<number>((resolve) => (wake = () => resolve(performance.now()))),
    stop: async () => {
      isStopping = true;
      await running;
    },
  };
}

/** Follows the streams of a prefix as the projector does: what ends is begun again from the last event. */
function startSubscriber(eventStore: EventLog, prefix: string) {
  const stopping = new AbortController();
  const seen = new Map<string, number[]>();
  let after: bigint | null = null;
  let wake: () => void = () => undefined;
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const filter = { streamPrefixes: [prefix] };
        for await (const message of eventStore.subscribeToAll({ after, filter, signal: stopping.signal })) {
          if (message.kind !== 'event') continue;
          const { event } = message;
          after = event.position;
          seen.set(event.stream, [...(seen.get(event.stream) ?? []), numberOf(event)]);
          wake();
        }
      } catch (error) {
        if (!(error instanceof EventStoreUnavailable)) throw error;
        await sleep(100);
      }
    }
  };
  const running = run();
  return {
    seen,
    next: () => new Promise<number>((resolve) => (wake = () => resolve(performance.now()))),
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

async function numbersIn(eventStore: EventLog, stream: string): Promise<number[]> {
  const numbers: number[] = [];
  for await (const event of eventStore.readStream(stream)) numbers.push(numberOf(event));
  return numbers;
}

const quantiles = (values: readonly number[]): string => {
  const sorted = values.map(Math.round).sort((one, other) => one - other);
  return `p50 ${sorted[Math.floor(sorted.length / 2)]} ms, max ${sorted.at(-1)} ms`;
};

describe('the adapter before a cluster of three', () => {
  let cluster: StandInCluster;
  const opened: EventLog[] = [];
  const open = (url = cluster.url): EventLog => {
    const eventStore = createEventStore({ url, logger });
    opened.push(eventStore);
    return eventStore;
  };

  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterEach(async () => {
    for (const eventStore of opened.splice(0)) await eventStore.close();
    await cluster.heal();
  });
  afterAll(() => cluster.stop());

  const ends: readonly (readonly [string, (of: StandInCluster) => Promise<Election>])[] = [
    ['is killed', (nodes) => nodes.killLeader()],
    ['hangs', (nodes) => nodes.hangLeader()],
    ['lives on as a follower', (nodes) => nodes.replaceLeader()],
  ];

  it.each(ends)('writes and follows again within a second of the election when the leader %s', async (how, end) => {
    const prefix = `round${randomUUID().slice(0, 8)}`;
    const eventStore = open();
    const subscriber = startSubscriber(open(), prefix);
    const writers = Array.from({ length: WRITERS }, () => startWriter(eventStore, prefix));
    const figures = { writes: [] as number[], subscriptions: [] as number[], elections: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      await Promise.all([...writers.map((writer) => writer.next()), subscriber.next(), sleep(WRITING_MS)]);
      const { lostAt, electedAt } = await end(cluster);
      // A timer set at that moment is as late as this machine is busy.
      const goal = sleep(GOAL_MS, 'too late' as const);
      const goneOn = Promise.all([Promise.all(writers.map((writer) => writer.next())), subscriber.next()]);
      const times = await Promise.race([goneOn, goal]);
      if (times === 'too late') throw new Error(`nobody wrote or followed ${GOAL_MS} ms after the election`);
      const [written, followed] = times;
      figures.elections.push(electedAt - lostAt);
      figures.writes.push(...written.map((at) => at - lostAt));
      figures.subscriptions.push(followed - lostAt);
      await cluster.heal();
    }
    await Promise.all(writers.map((writer) => writer.stop()));
    for (const { stream, acknowledged } of writers) {
      const kept = await numbersIn(eventStore, stream);
      expect(kept).toEqual(Array.from({ length: acknowledged() }, (_, n) => n));
      while ((subscriber.seen.get(stream)?.length ?? 0) < kept.length) await subscriber.next();
      expect(subscriber.seen.get(stream)).toEqual(kept);
    }
    await subscriber.stop();
    const total = writers.reduce((sum, writer) => sum + writer.acknowledged(), 0);
    process.stdout.write(
      `a leader that ${how}: elected after ${quantiles(figures.elections)}; written after ${quantiles(figures.writes)}; ` +
        `followed after ${quantiles(figures.subscriptions)}; ${total} acknowledged, each there once\n`,
    );
  });

  it('sends an append once to a leader that is slow, and waits for it', async () => {
    const eventStore = open();
    await eventStore.append(`warm-${randomUUID()}`, 'no_stream', [fact(0)]);
    await cluster.slowLeader({ commitMs: 1_800, gossipMs: 1_200 });
    const before = await cluster.appendsAtLeader();
    const streams = Array.from({ length: 20 }, () => `slow-${randomUUID()}`);
    await Promise.all(streams.map((stream) => eventStore.append(stream, 'no_stream', [fact(0)])));
    expect((await cluster.appendsAtLeader()) - before).toBe(streams.length);
    await cluster.slowLeader({ commitMs: 0, gossipMs: 0 });
  });

  it('finds the leader from the address of a follower alone', async () => {
    const eventStore = open(cluster.urlOfFollower());
    const stream = `single-${randomUUID()}`;
    await eventStore.append(stream, 'no_stream', [fact(0)]);
    await cluster.replaceLeader();
    await eventStore.append(stream, 0, [fact(1)]);
    expect(await numbersIn(eventStore, stream)).toEqual([0, 1]);
  });

  it('reads on where it was when the leader is killed in the middle', async () => {
    const eventStore = open();
    const stream = `long-${randomUUID()}`;
    const numbers = Array.from({ length: 2_000 }, (_, n) => n);
    await eventStore.append(stream, 'no_stream', numbers.map(fact));
    const seen: number[] = [];
    let killing: Promise<unknown> | undefined;
    for await (const event of eventStore.readStream(stream, { limit: 1_900 })) {
      seen.push(numberOf(event));
      killing ??= cluster.killLeader();
      if (seen.length === 1) await sleep(100);
    }
    await killing;
    expect(seen).toEqual(numbers.slice(0, 1_900));
  });

  it('waits for an election with what is asked meanwhile, and says that there is none when none comes', async () => {
    const eventStore = open();
    const stream = `leaderless-${randomUUID()}`;
    await eventStore.append(stream, 'no_stream', [fact(0)]);
    await cluster.loseLeader();
    const waiting = Promise.all([eventStore.append(stream, 0, [fact(1)]), eventStore.ping()]);
    await sleep(700);
    await cluster.replaceLeader();
    await waiting;
    expect(await numbersIn(eventStore, stream)).toEqual([0, 1]);
    await cluster.loseLeader();
    const impatient = createEventStore({ url: cluster.url, logger, appendTimeoutMs: 100 });
    opened.push(impatient);
    await expect(impatient.append(stream, 1, [fact(2)])).rejects.toMatchObject({
      name: 'EventStoreUnavailable',
      cause: { message: 'no node of the event store says that it leads' },
    });
    await expect(impatient.ping()).rejects.toBeInstanceOf(EventStoreUnavailable);
  });
});
