import type { CommandContext } from '../../core/context.js';
import type { CertificateData } from '../../core/production-data.js';
import { execute, load } from '../../infrastructure/command-handler.js';
import type { EventStore } from '../../infrastructure/event-store/port.js';
import { certificatesIn, factoryDecider } from './decider.js';
import { factoryStream, type FactoryCertificate } from './events.js';

interface FactoryDependencies {
  readonly eventStore: EventStore;
}

/** Takes down what a factory said of its certificates; said again, nothing changes. */
export async function stateCertificates(
  { eventStore }: FactoryDependencies,
  context: CommandContext,
  statement: {
    readonly factoryId: string;
    readonly certificates: readonly CertificateData[];
    /** In milliseconds. */
    readonly statedAt: number;
  },
): Promise<void> {
  await execute(eventStore, context, {
    stream: factoryStream(statement.factoryId),
    decider: factoryDecider,
    command: { type: 'StateCertificates', ...statement },
  });
}

export async function removeCertificate(
  { eventStore }: FactoryDependencies,
  context: CommandContext,
  { factoryId, certificateId }: { readonly factoryId: string; readonly certificateId: string },
): Promise<void> {
  await execute(eventStore, context, {
    stream: factoryStream(factoryId),
    decider: factoryDecider,
    command: { type: 'RemoveCertificate', factoryId, certificateId, removedAt: context.now },
  });
}

export async function certificatesOf(
  { eventStore }: FactoryDependencies,
  factoryId: string,
): Promise<readonly FactoryCertificate[]> {
  const { state } = await load(eventStore, factoryDecider, factoryStream(factoryId));
  return certificatesIn(state);
}
