import { randomBytes } from 'node:crypto';
import type { EventLog, EventStore } from '../../src/infrastructure/event-store/port.js';
import type { Queryable } from '../../src/infrastructure/postgres/database.js';
import { withPrivateTexts } from '../../src/infrastructure/event-store/private-event-store.js';
import { createPrivateTexts, type PrivateTexts } from '../../src/infrastructure/private-texts/private-texts.js';
import { PRIVATE_FIELDS } from '../../src/private-fields.js';

/** Under keys in this database, wrapped by a key of this very moment. */
export const textsIn = (database: Queryable): PrivateTexts =>
  createPrivateTexts({ database, encryptionKey: randomBytes(32) });

/** The log as the programs open it. */
export const withTexts = (log: EventLog, database: Queryable): EventStore =>
  withPrivateTexts(log, PRIVATE_FIELDS, textsIn(database));
