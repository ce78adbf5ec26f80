import type { DomainEvent } from './events.js';

/**
 * The rules of one stream. `decide` is pure: time, ids and outside facts arrive in the command. It answers the events
 * that the command leads to, `[]` when everything is so already, and throws a `Refusal` when a rule forbids it.
 */
export interface Decider<State, Command, E extends DomainEvent> {
  readonly initialState: State;
  readonly decide: (command: Command, state: State) => readonly E[];
  /** Event types that it does not know leave the state as it is. */
  readonly evolve: (state: State, event: E) => State;
}

/** The state after `events`. */
export function fold<State, E extends DomainEvent>(
  decider: Pick<Decider<State, never, E>, 'initialState' | 'evolve'>,
  events: Iterable<E>,
): State {
  let state = decider.initialState;
  for (const event of events) state = decider.evolve(state, event);
  return state;
}
