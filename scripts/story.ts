import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Resvg } from '@resvg/resvg-js';
import jsqr from 'jsqr';
import { startStoryReceiver, type StoryReceiver } from './story-receiver.js';

/** Where a running service is reached: the members of `.data/dev.json` that the story needs. */
export interface RunningService {
  readonly baseUrl: string;
  readonly mailUrl: string;
  readonly adminToken: string;
}

/** What the story leaves behind, for whoever told it to look at. */
export interface StoryEnd {
  readonly organizationId: string;
  readonly token: string;
  readonly productId: string;
  readonly batchId: string;
  readonly dppId: string;
  readonly qrUrl: string;
  readonly climateChangePerUnit: number;
}

interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly links: readonly string[];
}

/** The mails follow the call: how long the story is ready to wait for one. */
const MAIL_WAIT_MS = 20_000;

/** Every event that a webhook can be told of; the story makes each of them happen. */
const EVENTS = ['batch.created', 'request.sent', 'batch.submitted', 'certificate.expiring', 'dpp.published'] as const;

const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/**
 * The passport story over HTTP, as a brand, a factory, its spinner, a consumer and a receiver of webhooks live it: from sign-up
 * to a scanned code. Throws at the first step that is not as the interface says; `say` hears each step that is.
 */
export async function tellStory(service: RunningService, say: (step: string) => void): Promise<StoryEnd> {
  const receiver = await startStoryReceiver();
  try {
    return await tell(service, receiver, say);
  } finally {
    await receiver.close();
  }
}

async function tell(service: RunningService, receiver: StoryReceiver, say: (step: string) => void): Promise<StoryEnd> {
  const tag = randomUUID().slice(0, 8);
  const addresses = {
    brand: `mara.${tag}@brand.example`,
    factory: `orders.${tag}@atelier-do-norte.example`,
    spinner: `office.${tag}@ege-iplik.example`,
  };

  const session = await post('/auth/signup', {
    email: addresses.brand,
    password: 'a long passphrase',
    displayName: 'Mara',
  });
  const organization = await post('/organizations', { name: `Nordlicht ${tag}` }, { token: session.token });
  await call('PUT', `/admin/organizations/${organization.id}/plan`, {
    token: service.adminToken,
    body: { plan: 'pro' },
  });
  const brand = { token: session.token as string, organizationId: organization.id as string };
  say(`Mara signs up and founds "${organization.name}" (plan pro).`);

  const webhook = await post('/brand/webhooks', { url: receiver.url, events: EVENTS }, brand);
  receiver.trust(webhook.secret);
  say('She registers a webhook for all five events; its secret is shown this once.');

  const factory = await post(
    '/brand/suppliers/invite',
    { factoryName: 'Atelier do Norte', contactEmail: addresses.factory, country: 'PT', tier: 1, notes: 'Welcome!' },
    brand,
  );
  const spinner = await post(
    '/brand/suppliers/invite',
    { factoryName: 'Ege Iplik', contactEmail: addresses.spinner, country: 'TR', tier: 2, notes: null },
    brand,
  );
  await mailTo(addresses.factory, (mail) => mail.links.some((link) => link.includes('/join/')));
  say('She invites a factory in Portugal and its spinner in Turkey; both have the invitation in their inbox.');

  const product = await post(
    '/brand/products',
    {
      name: 'Harbour T-shirt',
      sku: `HT-${tag}`,
      gtin: '4006381333931',
      subcategory: 'tshirts',
      weightKg: 0.18,
      careInstructions: 'Wash at 30 °C, inside out. Line dry.',
      expectedLifespan: '5 years',
      recyclable: true,
      materials: [
        { materialType: 'cotton_organic', percentage: 95, originCountry: 'TR', supplierIds: [spinner.id] },
        { materialType: 'elastane', percentage: 5, originCountry: 'CN' },
      ],
    },
    { ...brand, idempotencyKey: `story-${tag}-product` },
  );
  const again = await post(
    '/brand/products',
    { name: 'Harbour T-shirt' },
    { ...brand, idempotencyKey: `story-${tag}-product`, expect: 422 },
  );
  assert.equal(again.code, 'idempotency_key_reused');
  const catalogue = await get('/brand/products', brand);
  assert.deepEqual(
    catalogue.data.map((item: { id: string }) => item.id),
    [product.id],
  );
  assert.equal(catalogue.data[0].materialCount, 2);
  say('The T-shirt is in the catalogue, and the list shows it at once.');

  const batch = await post(
    '/brand/batches',
    { productId: product.id, factoryId: factory.id, poReference: `PO-${tag}`, quantity: 500, unit: 'piece' },
    brand,
  );
  assert.equal(batch.state, 'draft');
  const early = await post(`/brand/batches/${batch.id}/publish`, undefined, { ...brand, expect: 409 });
  assert.match(early.detail, /draft/);
  say('A batch of 500 is ordered; publishing it now is refused, and the answer says why.');

  await post(
    `/brand/batches/${batch.id}/send-request`,
    { notes: 'Please measure the dye house.' },
    { ...brand, expect: 200 },
  );
  const [factoryToken, spinnerToken] = await Promise.all([
    requestToken(addresses.factory),
    requestToken(addresses.spinner),
  ]);
  say('The request goes out: one mail to the factory, one to the spinner named by the cotton.');

  const page = await fetch(`${service.baseUrl}/f/${factoryToken}`, { headers: { accept: 'text/html' } });
  assert.equal(page.status, 200);
  assert.match(await page.text(), /makingElectricityKwh/);
  const production = {
    countries: { spinning: 'TR', fabric: 'PT', dyeing: 'PT', making: 'PT' },
    fabricProcess: 'knitting_circular',
    yarnNm: 40,
    cuttingLossPct: 14,
    makingElectricityKwh: 175,
    dyeing: { electricityKwhPerKg: 1.1, heatMjPerKg: 28, fuel: 'natural_gas' },
    certificates: [
      {
        type: 'GOTS',
        number: `GOTS-${tag}`,
        issuer: 'Control Union',
        validFrom: inDays(-345),
        // Within the 30 days of which a brand is told.
        validUntil: inDays(20),
      },
    ],
  };
  await call('PUT', `/factory/requests/${factoryToken}/draft`, { body: { cuttingLossPct: 14 } });
  const wrong = await post(
    `/factory/requests/${factoryToken}/submit`,
    { ...production, cuttingLossPct: 140 },
    { expect: 422 },
  );
  assert.equal(wrong.errors[0].path, 'cuttingLossPct');
  await post(`/factory/requests/${factoryToken}/submit`, production, { expect: 200 });
  await post(`/factory/requests/${spinnerToken}/submit`, { countries: { spinning: 'TR' } }, { expect: 200 });
  const submitted = await get(`/brand/batches/${batch.id}`, brand);
  assert.equal(submitted.state, 'submitted');
  assert.equal(typeof submitted.pefcr.climate_change_per_unit, 'number');
  say(
    `The factory fills in its form; 140 % loss is refused at its field. Score: ${submitted.pefcr.climate_change_per_unit} kg CO2e.`,
  );

  await post(
    `/brand/batches/${batch.id}/request-changes`,
    { notes: 'Is the cutting loss really 14 %?' },
    { ...brand, expect: 200 },
  );
  await mailTo(addresses.factory, (mail) => mail.text.includes('really 14 %'));
  const reopened = await get(`/factory/requests/${factoryToken}`, {});
  assert.equal(reopened.feedback, 'Is the cutting loss really 14 %?');
  await post(`/factory/requests/${factoryToken}/submit`, { ...production, cuttingLossPct: 12 }, { expect: 200 });
  say('Mara asks for one change; the same link works again, and the factory corrects the loss to 12 %.');

  const published = await post(`/brand/batches/${batch.id}/publish`, undefined, { ...brand, expect: 200 });
  const repeated = await post(`/brand/batches/${batch.id}/publish`, undefined, { ...brand, expect: 200 });
  assert.deepEqual(repeated, published);
  const finished = await get(`/brand/batches/${batch.id}`, brand);
  // Worked example A of the method: organic T-shirt, spun in Turkey, made in Portugal.
  assert.equal(finished.pefcr.climate_change_per_unit, 3.395);
  assert.equal(finished.dpp.qrUrl, published.qrUrl);
  const passports = await get('/brand/dpps', brand);
  assert.equal(passports.data[0].co2PerUnit, 3.395);
  say('She publishes, twice by mistake: it is one passport, 3.395 kg CO2e a shirt.');

  const consumer = await fetch(published.qrUrl, { headers: { accept: 'text/html', 'accept-language': 'de' } });
  const shown = await consumer.text();
  assert.equal(consumer.status, 200);
  assert.match(shown, /Harbour T-shirt/);
  const facts = await (await fetch(published.qrUrl, { headers: { accept: 'application/ld+json' } })).json();
  assert.ok(facts);
  say(`A consumer opens the page on a phone, in German (${Math.round(Buffer.byteLength(shown) / 1024)} kB).`);

  const svg = await fetch(`${service.baseUrl}/brand/qr/${published.dppId}`, { headers: headersOf(brand) });
  assert.match(svg.headers.get('content-type') ?? '', /^image\/svg\+xml/);
  const image = new Resvg(await svg.text(), { fitTo: { mode: 'width', value: 400 } }).render();
  assert.equal(jsqr.default(new Uint8ClampedArray(image.pixels), image.width, image.height)?.data, published.qrUrl);
  say('The QR code, rendered and read back, is exactly the address of the page.');

  // Two factories were asked, and one of them corrected what it had submitted.
  const counts: Readonly<Record<(typeof EVENTS)[number], number>> = {
    'batch.created': 1,
    'request.sent': 2,
    'batch.submitted': 2,
    'certificate.expiring': 1,
    'dpp.published': 1,
  };
  const heard = await receiver.hears(counts);
  const told = (event: (typeof EVENTS)[number]) => heard.filter((delivery) => delivery.event === event);
  for (const event of EVENTS) assert.equal(told(event).length, counts[event], event);
  assert.equal(told('dpp.published')[0]?.data['qrUrl'], published.qrUrl);
  assert.deepEqual(
    told('certificate.expiring').map(({ data }) => data['number']),
    [`GOTS-${tag}`],
  );
  const supplier = await get(`/brand/suppliers/${factory.id}`, brand);
  assert.equal(supplier.certificates[0].id, told('certificate.expiring')[0]?.data['certificateId']);
  say(
    `The webhook has heard all five events in ${heard.length} deliveries, each with a signature that fits its bytes.`,
  );

  return {
    organizationId: brand.organizationId,
    token: brand.token,
    productId: product.id,
    batchId: batch.id,
    dppId: published.dppId,
    qrUrl: published.qrUrl,
    climateChangePerUnit: finished.pefcr.climate_change_per_unit,
  };

  async function requestToken(address: string): Promise<string> {
    const mail = await mailTo(address, ({ links }) => links.some((link) => link.includes('/f/')));
    const link = mail.links.find((candidate) => candidate.includes('/f/'));
    assert.ok(link);
    return new URL(link).pathname.slice('/f/'.length);
  }

  async function mailTo(address: string, wanted: (mail: Mail) => boolean): Promise<Mail> {
    const deadline = Date.now() + MAIL_WAIT_MS;
    for (;;) {
      const answer = await fetch(`${service.mailUrl}/messages`);
      const { data } = toList<Mail>(await answer.json());
      const found = data.find((mail) => mail.to.includes(address) && wanted(mail));
      if (found !== undefined) return found;
      assert.ok(Date.now() < deadline, `no such mail to ${address} within ${MAIL_WAIT_MS / 1000} s`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  // The interface's answers are checked by the assertions, so they are taken as they come.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  type Answer = any;
  interface Call {
    token?: string;
    organizationId?: string;
    idempotencyKey?: string;
    expect?: number;
    body?: unknown;
  }

  function headersOf({ token, organizationId, idempotencyKey, body }: Call): Record<string, string> {
    return {
      accept: 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(organizationId === undefined ? {} : { 'x-organization-id': organizationId }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
  }

  async function call(method: string, path: string, how: Call): Promise<Answer> {
    const answer = await fetch(new URL(path, service.baseUrl), {
      method,
      headers: headersOf(how),
      ...(how.body === undefined ? {} : { body: JSON.stringify(how.body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const body: Answer = await answer.json();
    assert.equal(answer.status, how.expect ?? 200, `${method} ${path}: ${JSON.stringify(body)}`);
    return body;
  }

  function post(path: string, body: unknown, how: Call = {}): Promise<Answer> {
    return call('POST', path, { expect: 201, ...how, body });
  }

  function get(path: string, how: Call): Promise<Answer> {
    return call('GET', path, how);
  }
}

const toList = <T>(answer: unknown): { data: readonly T[] } =>
  Array.isArray(answer) ? { data: answer as T[] } : (answer as { data: readonly T[] });
