import { setImmediate as nextTurn } from 'node:timers/promises';

const TURN_MS = 20;

/** Keeps long work from holding up everybody else: ask after each step, and let the others go first when the turn is over. */
export interface Turns {
  isOver(): boolean;
  giveWay(): Promise<void>;
}

export function createTurns(): Turns {
  let since = performance.now();
  return {
    isOver: () => performance.now() - since > TURN_MS,
    async giveWay() {
      await nextTurn();
      since = performance.now();
    },
  };
}
