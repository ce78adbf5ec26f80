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

/** The same rules for commands that belong into one append: each is decided on what those before it lead to. */
export const inOneAppend = <State, Command, E extends DomainEvent>({
  initialState,
  decide,
  evolve,
}: Decider<State, Command, E>): Decider<State, readonly Command[], E> => ({
  initialState,
  evolve,
  decide: (commands, state) => {
    const events: E[] = [];
    for (const command of commands) events.push(...decide(command, fold({ initialState: state, evolve }, events)));
    return events;
  },
});

/** The state after `events`. */
export function fold<State, E extends DomainEvent>(
  decider: Pick<Decider<State, never, E>, 'initialState' | 'evolve'>,
  events: Iterable<E>,
): State {
  let state = decider.initialState;
  for (const event of events) state = decider.evolve(state, event);
  return state;
}
