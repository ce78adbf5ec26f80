import { randomUUID } from 'node:crypto';
import { commandContext, type CommandContext } from '../../../src/core/context.js';
import type { DomainEvent, Recorded } from '../../../src/core/events.js';
import { execute } from '../../../src/infrastructure/command-handler.js';
import type { EventStore } from '../../../src/infrastructure/event-store/port.js';

export const contextOf = (organizationId: string, now = Date.now(), seed: string = randomUUID()): CommandContext =>
  commandContext({ organizationId, actor: { type: 'system', id: null }, correlationId: 'test', now, seed });

/** Appends events that other modules would have decided, and answers them as the log has them. */
export async function record(
  eventStore: EventStore,
  organizationId: string,
  stream: string,
  events: readonly DomainEvent[],
  now = Date.now(),
): Promise<Recorded[]> {
  const { revision } = await execute(eventStore, contextOf(organizationId, now), {
    stream,
    decider: {
      initialState: null,
      evolve: () => null,
      decide: (command: readonly DomainEvent[]) => command,
    },
    command: events,
  });
  const recorded: Recorded[] = [];
  for await (const event of eventStore.readStream(stream, { fromRevision: revision + 1 - events.length })) {
    recorded.push(event);
  }
  return recorded;
}
