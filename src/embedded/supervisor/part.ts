import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { messageOf } from '../start-error.js';
import { hasFallenSilent } from './health.js';

/** Something that runs in a process of its own: a server or one of the programs. */
export interface Part {
  readonly name: string;
  /** Resolves when it is ready to be used; gives up, and leaves nothing running, when the signal says so. */
  readonly start: (signal: AbortSignal) => Promise<RunningPart>;
}

export interface RunningPart {
  /** Resolves when the process has ended, whoever ended it. */
  readonly ended: Promise<unknown>;
  readonly stop: (graceMs: number) => Promise<void>;
  /** Asks whether it is well: resolves when it answers. */
  readonly answers: () => Promise<unknown>;
  /** Ends it at once, whatever it is doing. */
  readonly kill: () => void;
}

export interface KeptPart {
  readonly name: string;
  /** Resolves when it has started for the first time; rejects when it cannot. */
  readonly ready: Promise<void>;
  /** Ends it for good, also while it starts. */
  readonly stop: (graceMs: number) => Promise<void>;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
/** After so long a life the next death is a new story. */
const STEADY_MS = 30_000;

const LATE_GRACE_MS = 1_000;

const HEALTH_TICK_MS = 1_000;
const SILENT_TICKS = 10;

/** Starts a part and starts it again, with growing pauses, whenever it ends by itself or answers no health call for 10 s. */
export const keepRunning = (part: Part, logger: Logger): KeptPart => {
  const { name } = part;
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: RunningPart | undefined;
  let pauseMs = FIRST_PAUSE_MS;

  const restart = async (): Promise<RunningPart | undefined> => {
    while (!signal.aborted) {
      logger.warn({ part: name, pauseMs }, `${name} ended, starting it again`);
      // Holds the process: when all of its children end at once, nothing else does.
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return undefined;
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      try {
        const started = await part.start(signal);
        logger.info({ part: name }, `${name} runs again`);
        return started;
      } catch (error) {
        logger.error({ part: name, error: messageOf(error) }, `${name} did not start`);
      }
    }
    return undefined;
  };

  const endOf = async ({ ended, answers, kill }: RunningPart): Promise<void> => {
    const over = new AbortController();
    const watching = hasFallenSilent({
      answers,
      tickMs: HEALTH_TICK_MS,
      ticks: SILENT_TICKS,
      signal: AbortSignal.any([signal, over.signal]),
    }).then((isSilent) => {
      if (!isSilent) return;
      logger.error({ part: name }, `${name} has answered no health call for ${SILENT_TICKS} s, killing it`);
      kill();
    });
    await ended;
    over.abort();
    await watching;
  };

  const watch = async (): Promise<void> => {
    while (running !== undefined) {
      const startedAt = Date.now();
      await endOf(running);
      running = undefined;
      if (Date.now() - startedAt > STEADY_MS) pauseMs = FIRST_PAUSE_MS;
      running = await restart();
      // It came up while it was asked to stop: nobody else knows of it.
      if (signal.aborted) await running?.stop(LATE_GRACE_MS);
    }
  };

  const starting = part.start(signal).then((started) => {
    running = started;
  });
  const watching = starting.then(watch, () => undefined);

  return {
    name,
    ready: starting,
    stop: async (graceMs) => {
      stopping.abort();
      // A start in progress sees the signal; one that was quicker than that is ended like any other.
      await Promise.race([starting.catch(() => undefined), watching]);
      await running?.stop(graceMs);
      await watching;
    },
  };
};
