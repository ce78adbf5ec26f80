import type { DomainEvent } from './events.js';
import { stepOf, type OwnCollections } from './growing.js';

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
    let now = state;
    for (const command of commands) {
      const led = decide(command, now);
      for (const event of led) now = evolve(now, event);
      events.push(...led);
    }
    return events;
  },
});

export interface Fold<State, E extends DomainEvent> {
  take(event: E): void;
  /** When the last event is taken: while events are still to come it is not to be looked at. */
  state(): State;
}

/** A fold of events that come one by one, in time that grows with their number. */
export function startFold<State, E extends DomainEvent>({
  initialState,
  evolve,
}: Pick<Decider<State, never, E>, 'initialState' | 'evolve'>): Fold<State, E> {
  const own: OwnCollections = new WeakSet();
  let state = initialState;
  return {
    take(event) {
      state = stepOf(own, () => evolve(state, event));
    },
    state: () => state,
  };
}

/** The state after `events`. */
export function fold<State, E extends DomainEvent>(
  decider: Pick<Decider<State, never, E>, 'initialState' | 'evolve'>,
  events: Iterable<E>,
): State {
  const folding = startFold(decider);
  for (const event of events) folding.take(event);
  return folding.state();
}
