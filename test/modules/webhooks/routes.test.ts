import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type Brand, type TestService } from '../../support/service.js';
import { withService } from '../../support/shared-service.js';

let service: TestService;
let brand: Brand;
withService.beforeAll(async ({ service: shared }) => {
  service = shared;
  brand = await service.asBrand();
});

const WEBHOOKS = '/brand/webhooks';
const URL_A = 'https://hooks.example/passports';
const problem = ({ status, json }: Awaited<ReturnType<Brand['call']>>) => [status, (json as { code: string }).code];

const create = (payload: object, as = brand, headers: Record<string, string> = {}) =>
  as.call({ method: 'POST', url: WEBHOOKS, payload, headers });
const register = async (as = brand, events: readonly string[] = ['dpp.published']) => {
  const { status, json, body } = await create({ url: URL_A, events }, as);
  expect(status, body).toBe(201);
  return json as { id: string; secret: string };
};
const read = (id: string, as = brand) => as.call({ url: `${WEBHOOKS}/${id}` });
const patch = (id: string, payload: object, as = brand) =>
  as.call({ method: 'PATCH', url: `${WEBHOOKS}/${id}`, payload });
const remove = (id: string, as = brand) => as.call({ method: 'DELETE', url: `${WEBHOOKS}/${id}` });
const post = (url: string, as = brand, headers: Record<string, string> = {}) =>
  as.call({ method: 'POST', url, headers });
const list = async (as = brand) => (await as.call({ url: WEBHOOKS })).json as { data: object[]; nextCursor?: string };
const setPlan = ({ organizationId }: Brand, plan: 'free' | 'pro') =>
  service.call({
    method: 'PUT',
    url: `/admin/organizations/${organizationId}/plan`,
    headers: { authorization: `Bearer ${service.config.ADMIN_TOKEN}` },
    payload: { plan },
  });
const eventsOf = async (stream: string): Promise<string[]> => {
  const types: string[] = [];
  for await (const event of service.eventStore.readStream(stream)) types.push(event.type);
  return types;
};

describe('POST /brand/webhooks', () => {
  test('answers the webhook with its secret; nothing answers the secret again', async () => {
    const own = await service.asBrand();
    const { status, json } = await create(
      { url: URL_A, events: ['dpp.published', 'batch.created', 'dpp.published'] },
      own,
    );
    expect(status).toBe(201);
    const { secret, ...rest } = json as { secret: string; id: string };
    expect(rest).toEqual({
      id: expect.stringMatching(/^whk_/) as string,
      url: URL_A,
      events: ['dpp.published', 'batch.created'],
      active: true,
      pausedBy: null,
      createdAt: expect.any(Number) as number,
    });
    expect(secret).toMatch(/^whsec_/);
    expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
    expect((await read(rest.id, own)).json).toEqual(rest);
    expect(await list(own)).toEqual({ data: [rest] });
    expect((await patch(rest.id, { active: true }, own)).json).toEqual(rest);
  });

  test('keeps the secret out of the log of events', async () => {
    const { id, secret } = await register();
    await post(`${WEBHOOKS}/${id}/rotate-secret`);
    const stored = [];
    for await (const event of service.eventStore.readStream(`webhook-${id}`)) stored.push(event);
    expect(stored).toHaveLength(2);
    expect(
      JSON.stringify(stored, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)),
    ).not.toContain(secret.slice(6, 40));
  });

  test('sent again under its key answers the same webhook and the same secret', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const first = await create({ url: URL_A, events: ['dpp.published'] }, brand, key);
    const again = await create({ url: URL_A, events: ['dpp.published'] }, brand, key);
    expect(again.json).toEqual(first.json);
    expect(again.headers['idempotent-replayed']).toBe('true');
    const other = await create({ url: URL_A, events: ['batch.created'] }, brand, key);
    expect(problem(other)).toEqual([422, 'idempotency_key_reused']);
  });

  test('sent again after a process that died before it could answer makes no second one and finds the secret', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const first = await create({ url: URL_A, events: ['dpp.published'] }, brand, key);
    const forgotten = await service.database.query(
      'update service.idempotency_keys set status = null, response = null where key = $1',
      [key['idempotency-key']],
    );
    expect(forgotten.rowCount).toBe(1);
    const again = await create({ url: URL_A, events: ['dpp.published'] }, brand, key);
    expect(again.json).toEqual(first.json);
  });

  test.each([
    ['no event', { url: URL_A, events: [] }, 'events'],
    ['no list of events', { url: URL_A }, 'events'],
    ['an unknown event', { url: URL_A, events: ['dpp.published', 'dpp.burned'] }, 'events.1'],
    ['the test event', { url: URL_A, events: ['webhook.test'] }, 'events.0'],
    ['an event that is no text', { url: URL_A, events: [7] }, 'events.0'],
    ['a list without an end', { url: URL_A, events: Array.from({ length: 101 }, () => 'dpp.published') }, 'events'],
    ['no url', { events: ['dpp.published'] }, 'url'],
    ['a url of 10 kB', { url: `https://hooks.example/${'a'.repeat(10_240)}`, events: ['dpp.published'] }, 'url'],
    ['a url that is none', { url: 'hooks.example', events: ['dpp.published'] }, 'url'],
    ['a file', { url: 'file:///etc/passwd', events: ['dpp.published'] }, 'url'],
    ['a port beyond all ports', { url: 'https://hooks.example:65536/', events: ['dpp.published'] }, 'url'],
    ['a NUL', { url: 'https://hooks.example/\0', events: ['dpp.published'] }, 'url'],
    ['two lines', { url: 'https://hooks.example/\r\nX-Evil: 1', events: ['dpp.published'] }, 'url'],
  ])('refuses %s, naming the field', async (_what, payload, path) => {
    const answer = await create(payload);
    expect(problem(answer), answer.body).toEqual([422, 'invalid_input']);
    expect((answer.json as { errors: { path: string }[] }).errors.map((error) => error.path)).toContain(path);
  });

  test.each([
    'http://hooks.example/',
    'https://user:password@hooks.example/',
    'https://user@hooks.example/',
    'https://hooks.example:80/',
    'https://hooks.example:22/',
    'https://hooks.example:0/',
    'https://127.0.0.1/',
    'https://127.0.0.1:8443/',
    'https://127.1/',
    'https://0.0.0.0/',
    'https://10.1.2.3/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://224.0.0.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://%31%32%37.0.0.1/',
    'https://１２７.0.0.1/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
    'https://[ff02::1]/',
    'https://[2002:7f00:1::]/',
  ])('refuses to send to %s', async (url) => {
    const answer = await create({ url, events: ['dpp.published'] });
    expect(problem(answer)).toEqual([422, 'address_refused']);
    expect((answer.json as { errors: object[] }).errors).toMatchObject([{ path: 'url' }]);
    const { id } = fixture;
    expect(problem(await patch(id, { url })), 'in a change').toEqual([422, 'address_refused']);
  });

  let fixture: { id: string };
  beforeAll(async () => {
    fixture = await register();
  });

  test.each(['https://hooks.example:8443/a?b=c#d', 'https://93.184.215.14/', 'https://[2606:2800:220:1::1]:1024/'])(
    'takes %s',
    async (url) => {
      const { status, json } = await patch(fixture.id, { url });
      expect([status, (json as { url: string }).url]).toEqual([200, url]);
    },
  );

  test('takes twenty of an organization, also when thirty come at once; a deletion frees a place', async () => {
    const own = await service.asBrand();
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => create({ url: URL_A, events: ['dpp.published'] }, own)),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(20);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(problem(answer)).toEqual([409, 'webhook_limit']);
    }
    expect((await list(own)).data).toHaveLength(20);
    await remove((made[0]?.json as { id: string }).id, own);
    const two = await Promise.all([1, 2].map(() => create({ url: URL_A, events: ['dpp.published'] }, own)));
    expect(two.map(({ status }) => status).sort()).toEqual([201, 409]);
    await register(brand);
  });

  test('gives back the places of webhooks that never came to be, but not at once', async () => {
    const own = await service.asBrand();
    for (let made = 0; made < 19; made++) await register(own);
    await service.database.query(
      `insert into service.webhooks (id, organization_id, created_at) values ($1, $2, now())`,
      [`whk_${randomUUID()}`, own.organizationId],
    );
    expect(problem(await create({ url: URL_A, events: ['dpp.published'] }, own))).toEqual([409, 'webhook_limit']);
    await service.database.query(
      `update service.webhooks set created_at = now() - interval '1 minute' where organization_id = $1`,
      [own.organizationId],
    );
    await register(own);
    expect((await list(own)).data).toHaveLength(20);
  });
});

describe('on a development service', () => {
  let local: TestService;
  let developer: Brand;
  beforeAll(async () => {
    local = await startService({ environment: { ALLOW_LOCAL_WEBHOOKS: 'true' } });
    developer = await local.asBrand();
  });
  afterAll(() => local.close());

  test('http and the own machine are taken on any port, other private addresses are not', async () => {
    for (const url of [
      'http://127.0.0.1:9/a',
      'http://localhost:80/',
      'https://[::1]/',
      'http://hooks.example:8080/',
    ]) {
      expect((await create({ url, events: ['dpp.published'] }, developer)).status, url).toBe(201);
    }
    for (const url of [
      'http://10.0.0.1/',
      'http://169.254.169.254/',
      'http://[::ffff:127.0.0.1]/',
      'http://0.0.0.0/',
    ]) {
      expect(problem(await create({ url, events: ['dpp.published'] }, developer)), url).toEqual([
        422,
        'address_refused',
      ]);
    }
  });
});

describe('PATCH /brand/webhooks/:id', () => {
  test('changes what is sent and leaves the rest', async () => {
    const { id } = await register();
    const { status, json } = await patch(id, { events: ['batch.created', 'batch.created'], active: false });
    expect(status).toBe(200);
    expect(json).toMatchObject({ url: URL_A, events: ['batch.created'], active: false, pausedBy: null });
    expect((await list()).data).toContainEqual(json);
    expect((await patch(id, { active: true })).json).toMatchObject({ events: ['batch.created'], active: true });
    expect(await eventsOf(`webhook-${id}`)).toEqual(['WebhookCreated', 'WebhookChanged', 'WebhookChanged']);
    await patch(id, {});
    expect(await eventsOf(`webhook-${id}`)).toHaveLength(3);
  });

  test.each([[{ active: 'no' }], [{ events: [] }], [{ events: null }], [{ url: null }], [{ url: '' }]])(
    'refuses %j',
    async (payload) => {
      const { id } = await register();
      expect(problem(await patch(id, payload))).toEqual([422, 'invalid_input']);
      await remove(id);
    },
  );
});

describe('POST /brand/webhooks/:id/rotate-secret', () => {
  test('answers a new secret, under its key the same one', async () => {
    const { id, secret } = await register();
    const key = { 'idempotency-key': randomUUID() };
    const rotated = await post(`${WEBHOOKS}/${id}/rotate-secret`, brand, key);
    expect(rotated.status).toBe(200);
    const { secret: next, ...rest } = rotated.json as { secret: string; id: string };
    expect(next).toMatch(/^whsec_/);
    expect(next).not.toBe(secret);
    expect((await read(id)).json).toEqual(rest);
    expect((await post(`${WEBHOOKS}/${id}/rotate-secret`, brand, key)).json).toEqual(rotated.json);
    await service.database.query('update service.idempotency_keys set status = null, response = null where key = $1', [
      key['idempotency-key'],
    ]);
    expect((await post(`${WEBHOOKS}/${id}/rotate-secret`, brand, key)).json).toEqual(rotated.json);
    expect(await eventsOf(`webhook-${id}`)).toEqual(['WebhookCreated', 'WebhookSecretRotated']);
  });
});

describe('DELETE /brand/webhooks/:id', () => {
  test('deletes it with its secret; again is no error', async () => {
    const { id } = await register();
    expect(await remove(id)).toMatchObject({ status: 200, json: { ok: true } });
    expect(await remove(id)).toMatchObject({ status: 200, json: { ok: true } });
    expect(problem(await read(id))).toEqual([404, 'not_found']);
    expect(problem(await patch(id, { active: true }))).toEqual([404, 'not_found']);
    expect(problem(await post(`${WEBHOOKS}/${id}/test`))).toEqual([404, 'not_found']);
    expect(problem(await brand.call({ url: `${WEBHOOKS}/${id}/deliveries` }))).toEqual([404, 'not_found']);
    const { rows } = await service.database.query('select 1 from service.webhook_secrets where webhook_id = $1', [id]);
    expect(rows).toEqual([]);
  });
});

describe('on the free plan', () => {
  test('creating is refused; so is changing, while reading and deleting work', async () => {
    const own = await service.asBrand();
    const { id } = await register(own);
    const { deliveryId } = (await post(`${WEBHOOKS}/${id}/test`, own)).json as { deliveryId: string };
    await setPlan(own, 'free');

    const refused = [
      await create({ url: URL_A, events: ['dpp.published'] }, own),
      await patch(id, { active: true }, own),
      await post(`${WEBHOOKS}/${id}/rotate-secret`, own),
      await post(`${WEBHOOKS}/${id}/test`, own),
      await own.call({ method: 'POST', url: `${WEBHOOKS}/${id}/replay`, payload: { from: 0, to: 1 } }),
      await post(`/brand/deliveries/${deliveryId}/redeliver`, own),
    ];
    for (const answer of refused) expect(problem(answer)).toEqual([403, 'plan_required']);

    expect((await read(id, own)).json).toMatchObject({ active: true, pausedBy: 'plan' });
    expect((await list(own)).data).toMatchObject([{ id, active: true, pausedBy: 'plan' }]);
    expect((await own.call({ url: `/brand/deliveries/${deliveryId}` })).status).toBe(200);
    expect((await own.call({ url: `${WEBHOOKS}/${id}/deliveries` })).status).toBe(200);

    await setPlan(own, 'pro');
    expect((await read(id, own)).json).toMatchObject({ active: true, pausedBy: null });
    await setPlan(own, 'free');
    expect((await remove(id, own)).status).toBe(200);
    expect(await list(own)).toEqual({ data: [] });
  });
});

test('lists go page by page, newest first', async () => {
  const own = await service.asBrand();
  const ids: string[] = [];
  for (let made = 0; made < 5; made++) ids.unshift((await register(own)).id);
  const seen: string[] = [];
  let cursor = '';
  do {
    const { json } = await own.call({ url: `${WEBHOOKS}?limit=2${cursor}` });
    const page = json as { data: { id: string }[]; nextCursor?: string };
    seen.push(...page.data.map(({ id }) => id));
    cursor = page.nextCursor === undefined ? '' : `&cursor=${page.nextCursor}`;
  } while (cursor !== '');
  expect(seen).toEqual(ids);
  expect(problem(await own.call({ url: `${WEBHOOKS}?cursor=x` }))).toEqual([422, 'invalid_input']);
});
