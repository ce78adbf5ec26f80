import { randomBytes } from 'node:crypto';
import { buildApp } from '../src/app.js';
import type { DeclaredRoute } from '../src/http/route-rules.js';
import { readConfig } from '../src/infrastructure/config.js';
import { createEventStore } from '../src/infrastructure/event-store/eventstoredb.js';
import { createLogger } from '../src/infrastructure/logger.js';
import { connectDatabase } from '../src/infrastructure/postgres/database.js';
import { createPrivateTexts } from '../src/infrastructure/private-texts/private-texts.js';
import { withPrivateTexts } from '../src/infrastructure/event-store/private-event-store.js';
import { connectWorkflows } from '../src/infrastructure/temporal/gateway.js';
import { temporalPlace } from '../src/infrastructure/temporal/place.js';

export interface Declared {
  readonly routes: readonly DeclaredRoute[];
  /** The description of the interface, as `/openapi.json` answers it. */
  readonly description: object;
}

/** What the API says of itself: of an app that is built and never called, so none of its clients connects. */
export async function declared(): Promise<Declared> {
  const key = () => randomBytes(32).toString('base64url');
  const config = readConfig({
    BASE_URL: 'https://passports.example',
    DATABASE_URL: 'postgres://localhost:1/none',
    EVENTSTORE_URL: 'esdb://localhost:1?tls=false',
    ADMIN_TOKEN: key(),
    TOKEN_SIGNING_KEY: key(),
    LINK_KEY: key(),
    ENCRYPTION_KEY: key(),
    TEMPORAL_PAYLOAD_KEY: key(),
  });
  const logger = createLogger('docs', 'silent');
  const database = connectDatabase({ url: config.DATABASE_URL, size: 1, logger, name: 'docs' });
  const eventStore = withPrivateTexts(
    createEventStore({ url: config.EVENTSTORE_URL, logger }),
    {},
    createPrivateTexts({ database, encryptionKey: config.ENCRYPTION_KEY }),
  );
  const workflows = connectWorkflows({ place: await temporalPlace(config, { logId: 'none' }), logger });
  const projected = { waitFor: async () => false, close: async () => undefined };
  const app = await buildApp({ config, logger, database, eventStore, workflows, projected, clock: Date.now });
  await app.ready();
  const said = { routes: app.declaredRoutes(), description: app.swagger() };
  await app.close();
  await Promise.all([workflows.close(), eventStore.close(), database.end()]);
  return said;
}
