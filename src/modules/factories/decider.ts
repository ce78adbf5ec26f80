import { assertNever } from '../../core/assert-never.js';
import type { Decider } from '../../core/decider.js';
import { notFound } from '../../core/errors.js';
import type { CertificateData } from '../../core/production-data.js';
import { certificateIdOf, type FactoryCertificate, type FactoryEvent } from './events.js';

export type FactoryCommand =
  /** What the factory named at `statedAt`; certificates that it did not name stay. */
  | {
      readonly type: 'StateCertificates';
      readonly factoryId: string;
      readonly certificates: readonly CertificateData[];
      readonly statedAt: number;
    }
  | {
      readonly type: 'RemoveCertificate';
      readonly factoryId: string;
      readonly certificateId: string;
      readonly removedAt: number;
    };

export interface FactoryState {
  /** By id. A removed one stays, so that something said before its removal does not bring it back. */
  readonly certificates: ReadonlyMap<string, FactoryCertificate & { readonly isRemoved: boolean }>;
}

export const factoryDecider: Decider<FactoryState, FactoryCommand, FactoryEvent> = {
  initialState: { certificates: new Map() },
  decide,
  evolve,
};

function decide(command: FactoryCommand, state: FactoryState): readonly FactoryEvent[] {
  switch (command.type) {
    case 'StateCertificates': {
      const events: FactoryEvent[] = [];
      let now = state;
      // One by one: a certificate named twice is the one that was named last.
      for (const stated of command.certificates) {
        const event = stateCertificate(command, stated, now);
        if (event === null) continue;
        events.push(event);
        now = evolve(now, event);
      }
      return events;
    }
    case 'RemoveCertificate': {
      const { factoryId, certificateId, removedAt } = command;
      const known = state.certificates.get(certificateId);
      if (known === undefined) throw notFound('certificate', certificateId);
      return known.isRemoved ? [] : [{ type: 'CertificateRemoved', data: { factoryId, certificateId, removedAt } }];
    }
    default:
      return assertNever(command);
  }
}

function stateCertificate(
  { factoryId, statedAt }: Extract<FactoryCommand, { type: 'StateCertificates' }>,
  stated: CertificateData,
  { certificates }: FactoryState,
): FactoryEvent | null {
  const certificateId = certificateIdOf(factoryId, stated);
  const { type, number, issuer, validFrom, validUntil } = stated;
  const certificate = { certificateId, factoryId, type, number, issuer, validFrom, validUntil, statedAt };
  const known = certificates.get(certificateId);
  if (known === undefined) return { type: 'CertificateRecorded', data: certificate };
  if (statedAt < known.statedAt) return null;
  if (known.isRemoved) return { type: 'CertificateRecorded', data: certificate };
  const changed: FactoryCertificate = {
    ...certificate,
    // The spelling stays as it was first; what is left out this time is still so.
    type: known.type,
    number: known.number,
    issuer: issuer ?? known.issuer,
    validFrom: validFrom ?? known.validFrom,
    validUntil: validUntil ?? known.validUntil,
  };
  const isRepeat = (['issuer', 'validFrom', 'validUntil'] as const).every((field) => changed[field] === known[field]);
  return isRepeat ? null : { type: 'CertificateChanged', data: changed };
}

function evolve({ certificates }: FactoryState, event: FactoryEvent): FactoryState {
  switch (event.type) {
    case 'CertificateRecorded':
    case 'CertificateChanged':
      return {
        certificates: new Map(certificates).set(event.data.certificateId, { ...event.data, isRemoved: false }),
      };
    case 'CertificateRemoved': {
      const { certificateId, removedAt } = event.data;
      const known = certificates.get(certificateId);
      if (known === undefined) return { certificates };
      const removed = { ...known, statedAt: removedAt, isRemoved: true };
      return { certificates: new Map(certificates).set(certificateId, removed) };
    }
    default:
      return { certificates };
  }
}

/** The factory's certificates, in the order in which it first named them. */
export const certificatesIn = (state: FactoryState): readonly FactoryCertificate[] =>
  [...state.certificates.values()]
    .filter(({ isRemoved }) => !isRemoved)
    .map(({ isRemoved: _, ...certificate }) => certificate);
