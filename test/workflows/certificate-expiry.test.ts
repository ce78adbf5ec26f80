import { randomUUID } from 'node:crypto';
import { Client } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime, type Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { commandContext } from '../../src/core/context.js';
import { ensureTimeSkippingServer } from '../../src/embedded/temporal/tools.js';
import { createMailer, type Mailer } from '../../src/infrastructure/mailer.js';
import { certificateIdOf } from '../../src/modules/factory-portal/events.js';
import { removeCertificate, stateCertificates } from '../../src/modules/factory-portal/handlers.js';
import { supplierStream, type SupplierEvent } from '../../src/modules/suppliers/events.js';
import { certificateExpiryId } from '../../workflows/certificate-expiry/contract.js';
import { createReactions } from '../../workflows/reactions.js';
import { runReactor } from '../../workflows/reactor.js';
import { createWorker } from '../../workflows/worker.js';
import { address, eventually, workflowBundle } from '../support/brand-story.js';
import { recordHistory } from '../support/histories.js';
import { dataConverter } from '../support/payloads.js';
import { startService, type Brand, type SignedUp, type TestService } from '../support/service.js';

// Real parts, but for the clock: the time-skipping server lets years pass in a moment.
const DAY_MS = 86_400_000;
let environment: TestWorkflowEnvironment;
let service: TestService;
let worker: Worker;
let mailer: Mailer;
let brand: Brand;
let running: Promise<unknown>;
const stopping = new AbortController();

beforeAll(async () => {
  const logger = pino({ level: 'silent' });
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const { path } = await ensureTimeSkippingServer({ toolsDir: inject('toolsDir'), logger });
  environment = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path } },
    client: { dataConverter },
  });
  service = await startService({ environment: { TEMPORAL_ADDRESS: environment.address } });
  const { config, database, eventStore } = service;
  mailer = createMailer({ url: config.SMTP_URL, from: config.MAIL_FROM, database, logger });
  worker = await createWorker({
    connection: environment.nativeConnection,
    namespace: 'default',
    dataConverter,
    queueOf: service.temporal.queueOf,
    bundlePath: await workflowBundle(),
    deps: {
      ...{ eventStore, database, mailer, clock: Date.now },
      ...{ linkKey: config.LINK_KEY, baseUrl: config.BASE_URL, consumerUrl: config.CONSUMER_URL },
    },
  });
  const workflows = new Client({
    connection: environment.nativeConnection,
    dataConverter,
  }).workflow;
  running = Promise.all([
    worker.run(),
    runReactor({
      reactions: createReactions({ eventStore, database, clock: Date.now }),
      ...{ eventStore, workflows, database, logger, signal: stopping.signal },
      queueOf: service.temporal.queueOf,
    }),
  ]);
  brand = await service.asBrand();
}, 120_000);

afterAll(async () => {
  stopping.abort();
  worker.shutdown();
  await running;
  mailer.close();
  await service.close();
  await environment.teardown();
});

/** The UTC day so many days from the server's today. */
const inDays = async (days: number): Promise<string> =>
  new Date((await environment.currentTimeMs()) + days * DAY_MS).toISOString().slice(0, 10);

interface Invited {
  readonly supplierId: string;
  readonly factoryId: string;
}

interface Linked extends Invited {
  readonly mill: SignedUp;
}

/** The brand has invited the factory, and the factory shares what it keeps with the brand. */
async function link(by: Brand, mill?: SignedUp): Promise<Linked> {
  const owner = mill ?? (await service.signUpProven(address('mill')));
  const invited = await inviteTo(by, owner.email);
  await answer(owner, invited, 'accept');
  return { ...invited, mill: owner };
}

async function inviteTo(by: Brand, email: string): Promise<Invited> {
  const payload = { factoryName: 'Mill', contactEmail: email, country: 'PT', tier: 1 };
  const { json } = await by.call({ method: 'POST', url: '/brand/suppliers/invite', payload });
  const { rows } = await service.database.query<{ id: string }>(
    'select id from service.factories where contact_email = $1',
    [email],
  );
  return { supplierId: (json as { id: string }).id, factoryId: rows[0]?.id ?? '' };
}

/** What the factory says to the brand that has invited it. */
async function answer(mill: SignedUp, { supplierId }: Invited, action: 'accept' | 'decline'): Promise<void> {
  const url = `/supplier/brands/${supplierId}/${action}`;
  const headers = { authorization: `Bearer ${mill.token}` };
  const { status, json, body } = await service.call({ method: 'POST', url, headers });
  expect([status, json.sharing], body).toEqual([200, action === 'accept' ? 'granted' : 'declined']);
}

const systemContext = () =>
  commandContext({
    organizationId: null,
    actor: { type: 'system', id: null },
    correlationId: 'test',
    now: Date.now(),
  });

/** The factory states one certificate; answers its id. */
async function state(factoryId: string, validUntil: string | null, number: string = randomUUID()): Promise<string> {
  const certificate = { type: 'GOTS', number, issuer: null, validFrom: null, validUntil };
  const statement = { factoryId, certificates: [certificate], statedAt: Date.now() };
  await stateCertificates(service, systemContext(), statement);
  return certificateIdOf(factoryId, certificate);
}

async function notices({ supplierId }: Invited): Promise<{ certificateId: string; validUntil: string }[]> {
  const told: { certificateId: string; validUntil: string }[] = [];
  for await (const recorded of service.eventStore.readStream(supplierStream(supplierId))) {
    const event = recorded as unknown as SupplierEvent;
    if (event.type === 'CertificateExpiryNoticed') {
      expect(recorded.metadata.organizationId).toBe(event.data.organizationId);
      told.push({ certificateId: event.data.certificateId, validUntil: event.data.validUntil });
    }
  }
  return told;
}

const handle = (certificateId: string) => environment.client.workflow.getHandle(certificateExpiryId(certificateId));

/** Lets time pass until nothing is left to wait for. */
async function untilItsEnd(certificateId: string): Promise<void> {
  await started(certificateId);
  await handle(certificateId).result();
}

const started = (certificateId: string) =>
  eventually(
    () =>
      handle(certificateId)
        .describe()
        .then(
          () => true,
          () => false,
        ),
    (isThere) => isThere,
  );

/** Until the workflow has looked at the certificate `times` times. */
const looked = async (certificateId: string, times = 1) => {
  await started(certificateId);
  return eventually(
    async () => {
      const { events } = await handle(certificateId).fetchHistory();
      return (events ?? []).filter(({ activityTaskCompletedEventAttributes: done }) => done != null).length;
    },
    (count) => count >= times,
  );
};

it('tells of a certificate that ends in 31 days one day later, and once', async () => {
  const supplier = await link(brand);
  const validUntil = await inDays(31);
  const certificateId = await state(supplier.factoryId, validUntil);
  await looked(certificateId);
  expect(await notices(supplier)).toEqual([]);
  await environment.sleep('1 day');
  await eventually(
    () => notices(supplier),
    (told) => told.length === 1,
  );
  await untilItsEnd(certificateId);
  expect(await notices(supplier)).toEqual([{ certificateId, validUntil }]);
  await recordHistory('certificate-expiry-later', handle(certificateId));
});

it.each([
  ['in 30 days', 30],
  ['in 29 days', 29],
  ['today', 0],
])('tells at once of one that ends %s', async (_when, days) => {
  const supplier = await link(brand);
  const validUntil = await inDays(days);
  const certificateId = await state(supplier.factoryId, validUntil);
  expect(
    await eventually(
      () => notices(supplier),
      (told) => told.length > 0,
    ),
  ).toEqual([{ certificateId, validUntil }]);
});

it('never tells of one that has expired, or has no end', async () => {
  const supplier = await link(brand);
  for (const certificateId of [
    await state(supplier.factoryId, await inDays(-1)),
    await state(supplier.factoryId, null),
  ]) {
    await untilItsEnd(certificateId);
  }
  expect(await notices(supplier)).toEqual([]);
});

it('counts the last date only, of a certificate that was changed twice', async () => {
  const supplier = await link(brand);
  const number = randomUUID();
  const [first, second, last] = [await inDays(40), await inDays(100), await inDays(60)];
  const certificateId = await state(supplier.factoryId, first, number);
  await looked(certificateId, 1);
  await state(supplier.factoryId, second, number);
  await looked(certificateId, 2);
  await state(supplier.factoryId, last, number);
  await looked(certificateId, 3);
  await environment.sleep('20 days');
  expect(await notices(supplier)).toEqual([]);
  await untilItsEnd(certificateId);
  expect(await notices(supplier)).toEqual([{ certificateId, validUntil: last }]);
  await recordHistory('certificate-expiry-changed', handle(certificateId));
});

it('tells again when a certificate that it told of is prolonged and comes to its end once more', async () => {
  const supplier = await link(brand);
  const number = randomUUID();
  const [first, second] = [await inDays(10), await inDays(400)];
  const certificateId = await state(supplier.factoryId, first, number);
  await looked(certificateId);
  await state(supplier.factoryId, second, number);
  await looked(certificateId, 2);
  await untilItsEnd(certificateId);
  expect((await notices(supplier)).map(({ validUntil }) => validUntil)).toEqual([first, second]);
});

it('never tells of a deleted one, and of one that is named again after that as of a new one', async () => {
  const supplier = await link(brand);
  const { factoryId } = supplier;
  const number = randomUUID();
  const certificateId = await state(factoryId, await inDays(40), number);
  await looked(certificateId);
  await removeCertificate(service, systemContext(), { factoryId, certificateId });
  await untilItsEnd(certificateId);
  await environment.sleep('60 days');
  expect(await notices(supplier)).toEqual([]);
  await recordHistory('certificate-expiry-deleted', handle(certificateId));

  const validUntil = await inDays(5);
  await state(factoryId, validUntil, number);
  expect(
    await eventually(
      () => notices(supplier),
      (told) => told.length > 0,
    ),
  ).toEqual([{ certificateId, validUntil }]);
});

it('tells every organization that works with the factory once, and one that is linked in the last days then', async () => {
  const [other, refused, late] = [await service.asBrand(), await service.asBrand(), await service.asBrand()];
  const first = await link(brand);
  const second = await link(other, first.mill);
  const declined = await link(refused, first.mill);
  await answer(declined.mill, declined, 'decline');
  const elsewhere = await link(other);

  const validUntil = await inDays(20);
  const certificateId = await state(first.factoryId, validUntil);
  const notice = { certificateId, validUntil };
  for (const supplier of [first, second]) {
    expect(
      await eventually(
        () => notices(supplier),
        (told) => told.length > 0,
      ),
    ).toEqual([notice]);
  }
  await environment.sleep('3 days');
  const linkedLate = await link(late, first.mill);
  expect(
    await eventually(
      () => notices(linkedLate),
      (told) => told.length > 0,
    ),
  ).toEqual([notice]);

  await untilItsEnd(certificateId);
  for (const supplier of [first, second, linkedLate]) expect(await notices(supplier)).toEqual([notice]);
  for (const supplier of [declined, elsewhere]) expect(await notices(supplier)).toEqual([]);
});

it('tells nobody who has merely typed the address, with an account behind it or none, until the factory accepts', async () => {
  const linked = await link(brand);
  const typist = await service.asBrand();
  const validUntil = await inDays(25);
  const ofKnown = { certificateId: await state(linked.factoryId, validUntil), validUntil };
  const known = await inviteTo(typist, linked.mill.email);
  const email = address('typed');
  const unknown = await inviteTo(typist, email);
  const ofUnknown = { certificateId: await state(unknown.factoryId, validUntil), validUntil };
  for (const { certificateId } of [ofKnown, ofUnknown]) await looked(certificateId);
  await environment.sleep('2 days');
  // The account that is made later says nothing to the brand either.
  const mill = await service.signUpProven(email);
  await environment.sleep('2 days');
  expect(await notices(linked)).toEqual([ofKnown]);
  for (const typed of [known, unknown]) expect(await notices(typed)).toEqual([]);

  await answer(linked.mill, known, 'accept');
  await answer(mill, unknown, 'accept');
  for (const [typed, notice] of [
    [known, ofKnown],
    [unknown, ofUnknown],
  ] as const) {
    expect(
      await eventually(
        () => notices(typed),
        (told) => told.length > 0,
      ),
    ).toEqual([notice]);
    await untilItsEnd(notice.certificateId);
    expect(await notices(typed)).toEqual([notice]);
  }
  expect(await notices(linked)).toEqual([ofKnown]);
});

it('waits ten years', async () => {
  const supplier = await link(brand);
  const validUntil = await inDays(3_653);
  const certificateId = await state(supplier.factoryId, validUntil);
  await looked(certificateId);
  await environment.sleep('3600 days');
  expect(await notices(supplier)).toEqual([]);
  await untilItsEnd(certificateId);
  expect(await notices(supplier)).toEqual([{ certificateId, validUntil }]);
});
