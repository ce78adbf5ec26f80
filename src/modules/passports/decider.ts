import { assertNever } from '../../core/assert-never.js';
import type { Decider } from '../../core/decider.js';
import { notFound } from '../../core/errors.js';
import { appended } from '../../core/growing.js';
import { contentHash } from './content-hash.js';
import type { PassportContent, PassportEvent, PassportIdentity, PassportVersion } from './events.js';

export type PassportCommand =
  | {
      readonly type: 'PublishPassport';
      readonly identity: PassportIdentity;
      readonly content: PassportContent;
      readonly publishedAt: number;
    }
  | {
      readonly type: 'RepublishPassport';
      readonly dppId: string;
      readonly organizationId: string;
      readonly content: PassportContent;
      readonly publishedAt: number;
    };

export type PassportState = { readonly status: 'none' } | PublishedPassport;

export interface PublishedPassport {
  readonly status: 'published';
  readonly identity: PassportIdentity;
  /** Oldest first; never empty. */
  readonly versions: readonly PassportVersion[];
}

export const passportDecider: Decider<PassportState, PassportCommand, PassportEvent> = {
  initialState: { status: 'none' },
  decide,
  evolve,
};

function decide(command: PassportCommand, state: PassportState): readonly PassportEvent[] {
  const { content, publishedAt } = command;
  switch (command.type) {
    case 'PublishPassport':
      if (state.status === 'published') return [];
      return [{ type: 'PassportPublished', data: { ...command.identity, ...versionOf(1, content, publishedAt) } }];
    case 'RepublishPassport': {
      // Announced on the product's stream and not out yet: its first version will show what is so then.
      if (state.status === 'none') return [];
      const passport = publishedPassport(state, command);
      const latest = latestVersion(passport);
      const next = versionOf(latest.version + 1, content, publishedAt);
      if (next.contentHash === latest.contentHash) return [];
      const { dppId, organizationId } = command;
      return [{ type: 'PassportRepublished', data: { dppId, organizationId, ...next } }];
    }
    default:
      return assertNever(command);
  }
}

function evolve(state: PassportState, event: PassportEvent): PassportState {
  switch (event.type) {
    case 'PassportPublished': {
      const { version, content, contentHash, publishedAt, ...identity } = event.data;
      return { status: 'published', identity, versions: [{ version, content, contentHash, publishedAt }] };
    }
    case 'PassportRepublished': {
      if (state.status === 'none') return state;
      const { version, content, contentHash, publishedAt } = event.data;
      return { ...state, versions: appended(state.versions, { version, content, contentHash, publishedAt }) };
    }
    default:
      return state;
  }
}

const versionOf = (version: number, content: PassportContent, publishedAt: number): PassportVersion => ({
  version,
  content,
  contentHash: contentHash(content),
  publishedAt,
});

/** The passport, if it is there for this organization; another organization's is not. */
export function publishedPassport(
  state: PassportState,
  { dppId, organizationId }: { readonly dppId: string; readonly organizationId: string },
): PublishedPassport {
  if (state.status === 'none' || state.identity.organizationId !== organizationId) throw notFound('passport', dppId);
  return state;
}

export function latestVersion({ versions, identity }: PublishedPassport): PassportVersion {
  const latest = versions.at(-1);
  if (latest === undefined) throw new Error(`passport ${identity.dppId} has no version`);
  return latest;
}
