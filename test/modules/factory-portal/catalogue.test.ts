import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountLinkToken } from '../../../src/infrastructure/links.js';
import { startService, type Brand, type Call, type SignedUp, type TestService } from '../../support/service.js';

let service: TestService;
let north: Brand;
let south: Brand;
let factory: Factory;
/** The records that both brands have of the factory. */
let records: { readonly north: string; readonly south: string };

type Factory = SignedUp & { readonly call: (options: Call) => ReturnType<TestService['call']> };

const withToken = (account: SignedUp): Factory => ({
  ...account,
  call: (options) =>
    service.call({ ...options, headers: { authorization: `Bearer ${account.token}`, ...options.headers } }),
});

/** An account that has proven its address. */
async function signUpProven(email?: string): Promise<Factory> {
  const account = await service.signUp(email);
  await service.database.query('update service.accounts set email_proven_at = now() where id = $1', [account.userId]);
  return withToken(account);
}

async function invite(brand: Brand, contactEmail: string, notes: string): Promise<string> {
  const payload = { factoryName: `Mill of ${notes}`, contactEmail, country: 'PT', tier: 1, notes };
  const { status, json, body } = await brand.call({ method: 'POST', url: '/brand/suppliers/invite', payload });
  expect(status, body).toBe(201);
  return (json as { id: string }).id;
}

beforeAll(async () => {
  service = await startService();
  [north, south] = [await service.asBrand({ name: 'Nordfaden' }), await service.asBrand({ name: 'Suedfaden' })];
  factory = await signUpProven();
  records = {
    north: await invite(north, factory.email, 'north-note'),
    south: await invite(south, factory.email, 'south-note'),
  };
  for (const record of Object.values(records)) {
    await factory.call({ method: 'POST', url: `/supplier/brands/${record}/accept` });
  }
});
afterAll(() => service.close());

const KINDS = [
  {
    path: '/supplier/products',
    member: 'products',
    create: {
      ...{ name: 'Jersey 180', productType: 'fabric' },
      materials: [
        { materialType: 'cotton_organic', percentage: 95, originCountry: 'tr' },
        { materialType: 'elastane', percentage: 5 },
      ],
    },
    made: {
      ...{ name: 'Jersey 180', productType: 'fabric' },
      materials: [
        { materialType: 'cotton_organic', percentage: 95, originCountry: 'TR' },
        { materialType: 'elastane', percentage: 5, originCountry: null },
      ],
    },
    change: { name: 'Jersey 200' },
    bad: [
      [{ name: ' ' }, 'name'],
      [{ name: 'x', productType: 'car' }, 'productType'],
      [{ name: 'x', materials: [{ materialType: 'cotton_organic', percentage: 50 }] }, 'materials'],
      [{ name: 'x', materials: [{ materialType: 'unobtainium', percentage: 100 }] }, 'materials.0.materialType'],
      [{ name: 7 }, 'name'],
      [{ name: 'x'.repeat(201) }, 'name'],
      [{ name: 'a\0b' }, 'name'],
    ],
  },
  {
    path: '/supplier/facilities',
    member: 'facilities',
    create: {
      ...{ name: 'Spinning hall', address: 'Rua 1\n4000 Porto', country: 'pt' },
      activities: ['spinning, open end', 'carding'],
    },
    made: {
      ...{ name: 'Spinning hall', address: 'Rua 1\n4000 Porto', country: 'PT' },
      activities: ['spinning, open end', 'carding'],
    },
    change: { address: null, activities: ['spinning', 'dyeing'] },
    bad: [
      [{}, 'name'],
      [{ name: 'x', country: 'Portugal' }, 'country'],
      [{ name: 'x', activities: 'spinning' }, 'activities'],
      [{ name: 'x', activities: [' '] }, 'activities.0'],
      [{ name: 'x', address: 'x'.repeat(1_001) }, 'address'],
    ],
  },
  {
    path: '/supplier/certificates',
    member: 'certificates',
    create: {
      type: 'GOTS',
      number: 'CU 1',
      issuer: 'Control Union',
      validFrom: '2026-01-01',
      validUntil: '2027-12-31',
    },
    made: {
      ...{ type: 'GOTS', number: 'CU 1', issuer: 'Control Union', validFrom: '2026-01-01', validUntil: '2027-12-31' },
      fileUrl: null,
    },
    change: { validUntil: '2028-12-31', issuer: null },
    bad: [
      [{ type: 'GOTS' }, 'number'],
      [{ type: 'GOTS', number: '1', validUntil: '2026-02-30' }, 'validUntil'],
      [{ type: 'GOTS', number: '1', validFrom: '2026-02-02', validUntil: '2026-02-01' }, 'validUntil'],
      [{ type: 'a\nb', number: '1' }, 'type'],
    ],
  },
  {
    path: '/supplier/sub-suppliers',
    member: 'subSuppliers',
    create: { name: 'Yarn house', country: 'TR', tier: 3, contactEmail: ' Yarn@House.example ' },
    made: { name: 'Yarn house', country: 'TR', tier: 3, contactEmail: 'yarn@house.example' },
    change: { tier: 4, contactEmail: null },
    bad: [
      [{ name: 'x', tier: 10 }, 'tier'],
      [{ name: 'x', tier: 1.5 }, 'tier'],
      [{ name: 'x', contactEmail: 'nobody' }, 'contactEmail'],
    ],
  },
] as const;

const detail = async (brand: Brand, id: string) => (await brand.call({ url: `/brand/suppliers/${id}` })).json;

describe.each(KINDS)('$path', ({ path, member, create, made, change, bad }) => {
  test('adds, changes, lists and removes, and both brands see it', async () => {
    const before = (await factory.call({ url: path })).json.data.length as number;
    const added = await factory.call({ method: 'POST', url: path, payload: create });
    expect(added.status, added.body).toBe(201);
    const id = added.json.id as string;
    expect(added.json).toEqual({ id, ...made });
    expect((await factory.call({ url: path })).json.data[0]).toEqual(added.json);
    for (const [brand, record] of [
      [north, records.north],
      [south, records.south],
    ] as const) {
      expect((await detail(brand, record))[member][0]).toEqual(added.json);
    }

    const changed = await factory.call({ method: 'PATCH', url: `${path}/${id}`, payload: change });
    expect([changed.status, changed.json]).toEqual([200, { id, ...made, ...change }]);
    // Nothing named, nothing changed.
    expect((await factory.call({ method: 'PATCH', url: `${path}/${id}`, payload: {} })).json).toEqual(changed.json);
    expect((await detail(south, records.south))[member][0]).toEqual(changed.json);

    for (const _ of [1, 2]) {
      const removed = await factory.call({ method: 'DELETE', url: `${path}/${id}` });
      expect([removed.status, removed.json]).toEqual([200, { ok: true }]);
    }
    expect((await factory.call({ url: path })).json.data).toHaveLength(before);
    const gone = await factory.call({ method: 'PATCH', url: `${path}/${id}`, payload: change });
    expect([gone.status, gone.json.code]).toEqual([404, 'not_found']);
  });

  test('refuses bad input, naming the field, and changes nothing', async () => {
    const before = (await factory.call({ url: path })).json as object;
    for (const [payload, field] of bad) {
      const { status, json } = await factory.call({ method: 'POST', url: path, payload });
      expect([status, json.code], JSON.stringify(payload).slice(0, 100)).toEqual([422, 'invalid_input']);
      expect(json.errors.map((error: { path: string }) => error.path)).toContain(field);
    }
    expect((await factory.call({ url: path })).json).toEqual(before);
  });

  test('needs a token, and knows no entry of another factory', async () => {
    const added = await factory.call({ method: 'POST', url: path, payload: create });
    const id = added.json.id as string;
    const stranger = await signUpProven();
    expect((await stranger.call({ url: path })).json).toEqual({ data: [] });
    for (const call of [
      { method: 'PATCH', url: `${path}/${id}`, payload: change },
      { method: 'DELETE', url: `${path}/${id}` },
    ] as const) {
      const { status, json } = await stranger.call(call);
      expect([status, json.code]).toEqual([404, 'not_found']);
    }
    expect((await service.call({ url: path })).status).toBe(401);
    expect((await factory.call({ url: path })).json.data[0]).toEqual(added.json);
  });

  test('makes one entry of a call that is sent again under its key', async () => {
    const call = { method: 'POST', url: path, headers: { 'idempotency-key': path }, payload: create } as const;
    const other = await signUpProven();
    const [first, second] = [await other.call(call), await other.call(call)];
    expect(second.json).toEqual(first.json);
    expect((await other.call({ url: path })).json.data).toHaveLength(1);
  });

  test('is kept apart while the address is not proven', async () => {
    const email = `early-${member.toLowerCase()}@mills.example`;
    const early = withToken(await service.signUp(email));
    const record = await invite(north, email, 'early');
    const added = await early.call({ method: 'POST', url: path, payload: create });
    expect(added.status, added.body).toBe(201);
    expect((await early.call({ url: path })).json.data).toEqual([added.json]);
    expect((await detail(north, record))[member]).toEqual([]);
    expect((await early.call({ url: '/supplier/brands' })).json).toEqual({ data: [] });
  });
});

describe('a list', () => {
  test('comes in pages, newest first, also when an entry goes away in between', async () => {
    const other = await signUpProven();
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      const { json } = await other.call({ method: 'POST', url: '/supplier/products', payload: { name } });
      ids.unshift(json.id as string);
    }
    const idsOf = (json: { data: { id: string }[] }) => json.data.map(({ id }) => id);
    const first = (await other.call({ url: '/supplier/products?limit=2' })).json;
    expect(idsOf(first)).toEqual(ids.slice(0, 2));
    await other.call({ method: 'DELETE', url: `/supplier/products/${ids[1]}` });
    const second = (await other.call({ url: `/supplier/products?limit=2&cursor=${first.nextCursor}` })).json;
    expect(idsOf(second)).toEqual(ids.slice(2, 4));
    const last = (await other.call({ url: `/supplier/products?limit=2&cursor=${second.nextCursor}` })).json;
    expect(last).toEqual({ data: [expect.objectContaining({ id: ids[4] })] });
    expect((await other.call({ url: '/supplier/products?cursor=x' })).status).toBe(422);
  });
});

describe('certificates', () => {
  test('named again are the same ones; renamed, they keep their id and free the name', async () => {
    const other = await signUpProven();
    const post = (payload: object) => other.call({ method: 'POST', url: '/supplier/certificates', payload });
    const first = await post({ type: 'OEKO-TEX', number: 'A 1' });
    const again = await post({ type: 'oeko-tex', number: ' a  1', validUntil: '2027-01-01' });
    expect([again.status, again.json.id, again.json.validUntil]).toEqual([200, first.json.id, '2027-01-01']);
    const url = `/supplier/certificates/${first.json.id}`;
    expect((await other.call({ method: 'PATCH', url, payload: { number: 'B 2' } })).json.number).toBe('B 2');
    const second = await post({ type: 'OEKO-TEX', number: 'A 1' });
    expect(second.status).toBe(201);
    expect(second.json.id).not.toBe(first.json.id);
    const clash = await other.call({ method: 'PATCH', url, payload: { number: 'a 1' } });
    expect([clash.status, clash.json.code]).toEqual([409, 'certificate_exists']);
  });
});

test('what was kept before the proof is the factory’s once the link of the sign-up is clicked', async () => {
  const email = 'proving@mills.example';
  const early = withToken(await service.signUp(email));
  const record = await invite(north, email, 'proving');
  for (const { path, create } of KINDS) await early.call({ method: 'POST', url: path, payload: create });
  // Two links are good at once.
  await service.call({ method: 'POST', url: '/auth/verification', payload: { email } });
  const { rows } = await service.database.query<{ id: string }>(
    "select id from service.account_links where account_id = $1 and kind = 'verification'",
    [early.userId],
  );
  const [first, second] = rows.map(({ id }) => accountLinkToken(service.config.LINK_KEY, id));
  const click = (token = '') =>
    service.call({
      ...{ method: 'POST', url: '/verify', payload: `token=${token}` },
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    });
  expect((await click(first)).status).toBe(200);
  await early.call({ method: 'POST', url: `/supplier/brands/${record}/accept` });
  const shown = await detail(north, record);
  for (const { path, member, made } of KINDS) {
    expect(shown[member], path).toEqual([expect.objectContaining(made)]);
    expect((await early.call({ url: path })).json.data).toEqual(shown[member]);
  }
  expect((await early.call({ url: '/supplier/brands' })).json.data).toHaveLength(1);

  // What the factory does to it then stays so.
  for (const { path, member, change } of KINDS) {
    const url = `${path}/${shown[member][0].id}`;
    const isRemoved = member === 'facilities' || member === 'certificates';
    await early.call(isRemoved ? { method: 'DELETE', url } : { method: 'PATCH', url, payload: change });
  }
  const after = await detail(north, record);
  expect([after.products[0].name, after.facilities, after.certificates]).toEqual(['Jersey 200', [], []]);
  expect((await click(second)).status).toBe(200);
  expect(await detail(north, record)).toEqual(after);
});

describe('on its page', () => {
  const OWN = { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin', accept: 'text/html' };

  /** What a browser sends for the page's form. */
  const send = async (who: SignedUp, path: string, fields: Record<string, string | Buffer>, headers = {}) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) {
      form.append(name, typeof value === 'string' ? value : new File([new Uint8Array(value)], 'scan.pdf'));
    }
    const request = new Request('http://localhost', { method: 'POST', body: form });
    return service.call({
      ...{ method: 'POST', url: path, payload: Buffer.from(await request.arrayBuffer()) },
      headers: {
        'content-type': request.headers.get('content-type') ?? '',
        cookie: `session=${who.token}`,
        ...OWN,
        ...headers,
      },
    });
  };
  const see = async (who: SignedUp, url: string) =>
    (await service.call({ url, headers: { ...OWN, cookie: `session=${who.token}` } })).body;

  const PAGE = '/supplier/catalogue';
  const EDITS = [
    {
      ...{ kind: 'products', page: PAGE, path: '/supplier/products', create: KINDS[0].create },
      form: {
        'products.name': 'Jersey 220',
        'products.productType': 'yarn',
        'products.materials.0.materialType': 'wool',
        'products.materials.0.percentage': '100',
      },
      after: {
        ...{ name: 'Jersey 220', productType: 'yarn' },
        materials: [{ materialType: 'wool', percentage: 100, originCountry: null }],
      },
      bad: { 'products.materials.3.percentage': '12,5' },
    },
    {
      ...{ kind: 'facilities', page: PAGE, path: '/supplier/facilities', create: KINDS[1].create },
      form: {
        ...{ 'facilities.name': 'Hall 2', 'facilities.country': '' },
        'facilities.activities': 'dyeing, reactive\n\n finishing',
      },
      after: { name: 'Hall 2', address: null, country: null, activities: ['dyeing, reactive', 'finishing'] },
      bad: { 'facilities.name': '', 'facilities.address': 'Rua 2' },
    },
    {
      ...{ kind: 'subSuppliers', page: PAGE, path: '/supplier/sub-suppliers', create: KINDS[3].create },
      form: { 'subSuppliers.name': 'Yarn mill', 'subSuppliers.tier': '4', 'subSuppliers.contactEmail': '' },
      after: { name: 'Yarn mill', country: null, tier: 4, contactEmail: null },
      bad: { 'subSuppliers.tier': '12', 'subSuppliers.contactEmail': 'nobody' },
    },
    {
      ...{
        kind: 'certificates',
        page: `${PAGE}/certificates`,
        path: '/supplier/certificates',
        create: KINDS[2].create,
      },
      form: { 'certificates.type': 'GRS', 'certificates.number': 'CU 9', 'certificates.validUntil': '2030-01-31' },
      after: { type: 'GRS', number: 'CU 9', issuer: null, validFrom: null, validUntil: '2030-01-31', fileUrl: null },
      bad: { 'certificates.validFrom': '2031-01-01' },
    },
  ] as const;

  test.each(EDITS)('an entry of the kind $kind is changed in its place', async (edit) => {
    const { kind, page, path, form, after } = edit;
    const other = await signUpProven();
    const { json: made } = await other.call({ method: 'POST', url: path, payload: edit.create });
    const id = made.id as string;
    const shown = await see(other, `${page}?lang=en&edit=${id}`);
    expect(shown).toContain(`<input type="hidden" name="id" value="${id}"/>`);
    for (const value of Object.values(made as Record<string, unknown>)) {
      if (typeof value === 'string') expect(shown).toContain(value.split('\n')[0]);
    }
    if (kind === 'facilities') expect(shown).toContain('>spinning, open end\ncarding</textarea>');
    expect((await other.call({ url: path })).json.data).toEqual([made]);

    const fields: Record<string, string> = { kind, id, ...form };
    const refused = await send(other, `${page}?lang=en`, { ...fields, ...edit.bad });
    expect(refused.status).toBe(422);
    for (const value of Object.values({ ...form, ...edit.bad })) {
      if (value !== '') expect(refused.body).toMatch(new RegExp(`"${value}"|>${value}<`));
    }
    expect(refused.body).toContain('aria-invalid="true"');
    expect(refused.body).toContain(`<input type="hidden" name="id" value="${id}"/>`);

    const foreign = await send(other, page, fields, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' });
    expect(foreign.status).toBe(403);
    expect((await send(await signUpProven(), page, fields)).status).toBe(404);
    expect((await other.call({ url: path })).json.data).toEqual([made]);

    const saved = await send(other, `${page}?lang=de`, fields);
    expect([saved.status, saved.headers.location]).toEqual([303, `${page}?lang=de&done=saved#content`]);
    expect((await other.call({ url: path })).json.data).toEqual([{ id, ...after }]);
    // An entry that is not there shows the page as it is.
    expect(await see(other, `${page}?edit=${id}x`)).not.toContain(`<input type="hidden" name="id" value="${id}x"/>`);
  });

  test('a certificate that would be another one, or comes with too large a copy, keeps what was typed', async () => {
    const other = await signUpProven();
    const page = `${PAGE}/certificates`;
    for (const number of ['1', '2']) {
      await other.call({ method: 'POST', url: '/supplier/certificates', payload: { type: 'GOTS', number } });
    }
    const { json } = await other.call({ url: '/supplier/certificates' });
    const fields = { kind: 'certificates', id: json.data[0].id as string, 'certificates.type': 'GOTS' };
    const taken = await send(other, `${page}?lang=en`, { ...fields, 'certificates.number': '1' });
    expect([taken.status, taken.body.includes('another certificate with this standard and number')]).toEqual([
      422,
      true,
    ]);
    const large = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(10 * 1024 * 1024)]);
    const typed = { ...fields, 'certificates.number': '3', 'certificates.file': large, action: 'save' };
    const refused = await send(other, `${page}?lang=en`, typed);
    expect([refused.status, refused.body.includes('value="3"'), refused.body.includes('at most 10 MB')]).toEqual([
      ...[422, true, true],
    ]);
    expect((await other.call({ url: '/supplier/certificates' })).json).toEqual(json);
  });

  test('a product of many materials shows them all, and stays as it is when its form is sent back', async () => {
    const other = await signUpProven();
    const types = ['cotton', 'linen', 'hemp', 'wool', 'silk', 'viscose', 'modal', 'lyocell', 'polyester', 'elastane'];
    const materials = types.map((materialType) => ({ materialType, percentage: 10, originCountry: 'PT' }));
    const payload = { name: 'Mixed', productType: 'fabric', materials };
    const { json } = await other.call({ method: 'POST', url: '/supplier/products', payload });
    const shown = await see(other, `${PAGE}?edit=${json.id}`);
    const form = shown.slice(shown.indexOf('id="form-products"'));
    const fields = Object.fromEntries(
      [...form.matchAll(/name="(products\.[^"]+)"(?:[^>]* value="([^"]*)")?/g)].map(([, name = '', value]) => {
        const selected = new RegExp(`name="${name}"[\\s\\S]*?</select>`).exec(form)?.[0] ?? '';
        return [name, value ?? /value="([^"]*)" selected/.exec(selected)?.[1] ?? ''];
      }),
    );
    expect(fields).toMatchObject({ 'products.materials.9.materialType': 'elastane' });
    expect(fields).toHaveProperty(['products.materials.10.materialType'], '');
    expect((await send(other, PAGE, { kind: 'products', id: json.id as string, ...fields })).status).toBe(303);
    expect((await other.call({ url: '/supplier/products' })).json.data).toEqual([json]);
  });
});

describe('one factory and two brands', () => {
  test('each brand has its own record of it, and the counts in its list are those of the detail', async () => {
    const payload = { name: 'Counted' };
    await factory.call({ method: 'POST', url: '/supplier/products', payload });
    for (const [brand, id] of [
      [north, records.north],
      [south, records.south],
    ] as const) {
      const full = await detail(brand, id);
      const { json } = await brand.call({ url: '/brand/suppliers' });
      const item = json.data.find((one: { id: string }) => one.id === id);
      expect(item).toMatchObject({
        productCount: full.products.length,
        certificateCount: full.certificates.length,
        batchCount: full.batches.length,
      });
      expect(item.productCount).toBeGreaterThan(0);
    }
    expect((await south.call({ url: `/brand/suppliers/${records.north}` })).status).toBe(404);
    expect(JSON.stringify(await detail(north, records.north))).not.toContain('south');
    expect(JSON.stringify(await detail(south, records.south))).not.toContain('north');
  });

  test('the factory sees both and may decline one, which sees nothing of it from then on', async () => {
    const { json } = await factory.call({ url: '/supplier/brands' });
    expect(json.data).toEqual([
      expect.objectContaining({
        supplierId: records.south,
        brand: { name: 'Suedfaden' },
        state: 'confirmed',
        sharing: 'granted',
      }),
      expect.objectContaining({ supplierId: records.north, brand: { name: 'Nordfaden' }, notes: 'north-note' }),
    ]);
    const stranger = await signUpProven();
    const url = `/supplier/brands/${records.south}/decline`;
    expect((await stranger.call({ method: 'POST', url })).status).toBe(404);
    for (const _ of [1, 2]) {
      const declined = await factory.call({ method: 'POST', url });
      expect([declined.status, declined.json.state]).toEqual([200, 'declined']);
    }
    expect(await detail(south, records.south)).toMatchObject({
      ...{ state: 'declined', sharing: 'declined', products: [], facilities: [], certificates: [], subSuppliers: [] },
    });
    const item = (await south.call({ url: '/brand/suppliers' })).json.data[0];
    expect(item).toMatchObject({ productCount: 0, certificateCount: 0 });
    expect((await detail(north, records.north)).products.length).toBeGreaterThan(0);
  });
});

test('no event holds the address of a facility or of a contact', async () => {
  const log: string[] = [];
  for await (const event of service.eventStore.readAll({ after: null })) log.push(JSON.stringify(event.data));
  const all = log.join('\n');
  expect(all).toContain('Spinning hall');
  for (const secret of ['Rua 1', 'yarn@house.example', factory.email]) expect(all).not.toContain(secret);
});
