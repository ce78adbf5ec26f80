import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { rateLimited } from '../../core/errors.js';
import type { Database } from '../../infrastructure/postgres/database.js';
import { progressOf } from './progress.js';
import { progressOfRuns, type RunProgress } from './runs.js';

const LOOK_EVERY_MS = 500;
/** Proxies close what says nothing for longer. */
const SIGN_OF_LIFE_MS = 15_000;
/** A client that wants to know more after this calls again, as event streams do by themselves. */
const LONGEST_MS = 60 * 60 * 1000;
/** Streams that one caller, and one organization, may have open in a process, and all of them together. */
const MAX_OF_ONE = 20;
const MAX_OF_ALL = 1_000;
const RETRY_AFTER_S = 5;

/** Who looks on: an account or an API key, for an organization. */
interface Watcher {
  readonly actor: { readonly type: string; readonly id: string | null };
  readonly organizationId: string;
}

/**
 * The progress of imports as Server-Sent Events: one whenever it has moved, and `ended` as the last. However many look on, the
 * database is asked once in half a second.
 */
export function createProgressStreams(
  database: Database,
  closing: AbortSignal,
): (run: RunProgress, watcher: Watcher) => Readable {
  const open = countedPlaces();
  const watched = countedPlaces();
  let next: Promise<ReadonlyMap<string, RunProgress>> | undefined;
  /** The next look, which all who wait for it share. */
  const nextLook = () => (next ??= lookAfterWait());
  const lookAfterWait = async (): Promise<ReadonlyMap<string, RunProgress>> => {
    // A stop ends the wait early; the streams see it.
    await sleep(LOOK_EVERY_MS, undefined, { signal: closing }).catch(() => undefined);
    next = undefined;
    const runs = await progressOfRuns(database, watched.names());
    return new Map(runs.map((run) => [run.id, run]));
  };

  async function* events(begun: RunProgress): AsyncGenerator<string> {
    const until = Date.now() + LONGEST_MS;
    let run: RunProgress | undefined = begun;
    let told = '';
    let toldAt = 0;
    yield 'retry: 2000\n\n';
    while (run !== undefined && !closing.aborted && Date.now() < until) {
      const data = JSON.stringify(progressOf(run));
      const isOver = run.endedAt !== null;
      if (data !== told || isOver) {
        yield `event: ${isOver ? 'ended' : 'progress'}\nid: ${run.done}\ndata: ${data}\n\n`;
        [told, toldAt] = [data, Date.now()];
      } else if (Date.now() - toldAt > SIGN_OF_LIFE_MS) {
        yield ': still running\n\n';
        toldAt = Date.now();
      }
      if (isOver) return;
      run = (await nextLook()).get(begun.id);
    }
  }

  return (run, { actor, organizationId }) => {
    const places = [`${actor.type} ${actor.id}`, `organization ${organizationId}`];
    if (places.some((place) => open.of(place) >= MAX_OF_ONE) || watched.total() >= MAX_OF_ALL) {
      const detail = `At most ${MAX_OF_ONE} streams of progress are open at once; close one, or read the import itself.`;
      throw rateLimited(detail, RETRY_AFTER_S);
    }
    for (const place of places) open.take(place);
    watched.take(run.id);
    // Of the stream and not in the generator, which may never have begun when its reader goes.
    return Readable.from(events(run)).once('close', () => {
      for (const place of places) open.give(place);
      watched.give(run.id);
    });
  };
}

/** How often each name is taken. */
function countedPlaces() {
  const taken = new Map<string, number>();
  let total = 0;
  const change = (name: string, by: number): void => {
    const now = (taken.get(name) ?? 0) + by;
    total += by;
    if (now === 0) taken.delete(name);
    else taken.set(name, now);
  };
  return {
    of: (name: string): number => taken.get(name) ?? 0,
    take: (name: string): void => change(name, 1),
    give: (name: string): void => change(name, -1),
    names: (): readonly string[] => [...taken.keys()],
    total: (): number => total,
  };
}
