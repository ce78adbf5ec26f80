import { parseEventStoreAddress } from '../../infrastructure/event-store/address.js';
import type { Demo } from '../demo-seed.js';
import type { Backing } from './parts.js';

/** Hides the password: the table may end up in a log. */
const withoutPassword = (address: string): string => {
  const url = new URL(address);
  if (url.password !== '') url.password = '***';
  return url.href;
};

/** What runs where, and how to sign in. */
export const describeRunning = (options: {
  readonly baseUrl: string;
  readonly consumerUrl: string;
  readonly dataDir: string;
  readonly seconds: number;
  readonly backing: Backing;
  readonly demo: Demo;
}): string => {
  const { baseUrl, consumerUrl, dataDir, seconds, backing, demo } = options;
  const { sources } = backing;
  const rows: readonly (readonly [string, string])[] = [
    ['API', baseUrl],
    ['API reference', `${baseUrl}/docs`],
    ['Passport pages', `${consumerUrl}/p/{gtin}/{serial}`],
    ['Mail inbox', backing.mailUrl ?? `none of ours (${backing.smtpUrl})`],
    ['Temporal', `${backing.temporalUiUrl ?? backing.temporalAddress}  (${sources.temporal})`],
    ['Event store', `${parseEventStoreAddress(backing.eventStoreUrl).shown}  (${sources.eventStore})`],
    ['Postgres', `${withoutPassword(backing.databaseUrl)}  (${sources.postgres})`],
    ['Sign in', `${demo.email}  password ${demo.password}`],
    ['Organization', `${demo.organizationId}  (plan pro)`],
    ['Data', dataDir],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`);
  return [
    '',
    `Ready in ${seconds.toFixed(1)} s. Ctrl-C stops everything; npm run demo tells the story.`,
    '',
    ...lines,
    '',
    '',
  ].join('\n');
};
