import { describe, expect, test } from 'vitest';
import type { TestService } from '../../support/service.js';
import { withService } from '../../support/shared-service.js';

let service: TestService;
withService.beforeAll(async ({ service: shared }) => {
  service = shared;
});

describe('an organization', () => {
  test('is made on the free plan, its maker is the owner, and the next list shows it', async () => {
    const ana = await service.signUp();
    const headers = { authorization: `Bearer ${ana.token}` };
    const made = await service.call({
      method: 'POST',
      url: '/organizations',
      headers,
      payload: { name: ' Nordfaden ' },
    });
    expect(made.status).toBe(201);
    expect(made.json).toEqual({
      id: expect.stringMatching(/^org_/) as string,
      name: 'Nordfaden',
      plan: 'free',
      role: 'owner',
      createdAt: expect.any(Number) as number,
    });
    expect(made.headers['x-read-lag']).toBeUndefined();
    const list = await service.call({ url: '/organizations', headers });
    expect(list.json).toEqual({ data: [{ id: made.json.id, name: 'Nordfaden', plan: 'free', role: 'owner' }] });
    expect((await service.call({ url: `/organizations/${made.json.id}`, headers })).json).toEqual(made.json);
  });

  test('of others is not found in a path', async () => {
    const [mine, other] = [await service.asBrand(), await service.asBrand()];
    for (const id of [other.organizationId, 'org_none', '%00', '..']) {
      const { status } = await mine.call({ url: `/organizations/${id}` });
      expect(status, id).toBe(404);
    }
  });

  test('needs a name', async () => {
    const ana = await service.signUp();
    const headers = { authorization: `Bearer ${ana.token}` };
    for (const payload of [{}, { name: '' }, { name: '  ' }, { name: 'x'.repeat(201) }, { name: 'a\nb' }]) {
      const { status, json } = await service.call({ method: 'POST', url: '/organizations', headers, payload });
      expect([status, json.errors[0].path]).toEqual([422, 'name']);
    }
  });
});

describe('the plan', () => {
  const setPlan = (id: string, plan: unknown) =>
    service.call({
      method: 'PUT',
      url: `/admin/organizations/${id}/plan`,
      headers: { authorization: `Bearer ${service.config.ADMIN_TOKEN}` },
      payload: { plan },
    });

  test("is the operator's to change, there and back", async () => {
    const brand = await service.asBrand({ plan: 'free' });
    for (const plan of ['pro', 'pro', 'free']) {
      const { status, json } = await setPlan(brand.organizationId, plan);
      expect([status, json.plan, json.id]).toEqual([200, plan, brand.organizationId]);
      expect((await brand.call({ url: `/organizations/${brand.organizationId}` })).json.plan).toBe(plan);
      expect((await brand.call({ url: '/organizations' })).json.data[0].plan).toBe(plan);
    }
    const types: string[] = [];
    for await (const event of service.eventStore.readStream(`organization-${brand.organizationId}`))
      types.push(event.type);
    expect(types).toEqual(['OrganizationCreated', 'OrganizationPlanChanged', 'OrganizationPlanChanged']);
  });

  test('of an organization that does not exist is 404, another plan is 422', async () => {
    expect((await setPlan('org_none', 'pro')).status).toBe(404);
    expect((await setPlan('org_none', 'gold')).json.errors[0].path).toBe('plan');
  });
});
