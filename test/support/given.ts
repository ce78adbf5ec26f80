import { expect } from 'vitest';
import { fold, type Decider } from '../../src/core/decider.js';
import { Refusal, type RefusalCode } from '../../src/core/errors.js';
import type { DomainEvent } from '../../src/core/events.js';

/** `given(decider, events).when(command)` and then one of: these events, nothing, or a refusal. */
export const given = <State, Command, E extends DomainEvent>(
  decider: Decider<State, Command, E>,
  events: readonly E[],
) => ({
  when: (command: Command) => {
    const decide = () => decider.decide(command, fold(decider, events));
    return {
      then: (...expected: readonly E[]) => expect(decide()).toEqual(expected),
      thenNothing: () => expect(decide()).toEqual([]),
      thenRefuses: (code: RefusalCode, detail?: RegExp) => {
        try {
          decide();
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
          expect((error as Refusal).code).toBe(code);
          if (detail !== undefined) expect((error as Refusal).message).toMatch(detail);
          return error as Refusal;
        }
        throw new Error(`not refused; expected ${code}`);
      },
    };
  },
  state: () => fold(decider, events),
});
