import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandContext } from '../../../src/core/context.js';
import type { ProductionData } from '../../../src/core/production-data.js';
import { execute } from '../../../src/infrastructure/command-handler.js';
import { carryOutProposal } from '../../../src/modules/proposals/acceptance.js';
import { proposalDecider } from '../../../src/modules/proposals/decider.js';
import { proposalStream, requestOfProposal } from '../../../src/modules/proposals/events.js';
import { recordIdOf } from '../../../src/modules/suppliers/handlers.js';
import { scoreBatch } from '../../../src/score/score-batch.js';
import {
  address,
  batch,
  EXAMPLE_A,
  eventually,
  invite,
  messagesTo,
  product,
  requestMailsTo,
  tokenIn,
  type Invited,
  type ServiceWithWorker,
} from '../../support/brand-story.js';
import type { Answer, Brand } from '../../support/service.js';
import { tracesOf } from '../../support/traces.js';
import { recordHistory } from '../../support/histories.js';

/** What a factory that has been asked can name; told by the file whose service it is. */
export function tellOfProposals(started: () => ServiceWithWorker): void {
  describe('suppliers that a factory names behind a material', () => {
    let service: ServiceWithWorker;
    let brand: Brand;
    let stranger: Brand;
    let temporal: Connection;

    beforeAll(async () => {
      service = started();
      temporal = await Connection.connect({ address: service.config.TEMPORAL_ADDRESS });
      [brand, stranger] = [await service.asBrand({ name: 'Nordfaden' }), await service.asBrand({ name: 'Fremdfaden' })];
    });

    afterAll(() => temporal.close());

    /** The workflow that does what an acceptance leads to, once more or for the first time. */
    const acceptanceOf = (proposalId: string) =>
      new Client({ ...service.temporal, connection: temporal }).workflow.getHandle(`proposal-acceptance/${proposalId}`);

    const acceptanceEnded = (proposalId: string) =>
      eventually(
        () =>
          acceptanceOf(proposalId)
            .describe()
            .then(
              ({ status }) => status.name as string,
              () => 'not there yet',
            ),
        (status) => status === 'COMPLETED',
      );

    interface Asked {
      readonly factory: Invited;
      readonly productId: string;
      readonly batchId: string;
      readonly token: string;
      readonly requestId: string;
    }

    /** A factory with its request, and the link to it. */
    async function asked(suppliers: readonly Invited[] = []): Promise<Asked> {
      const factory = await invite(brand, 'knitters');
      const productId = await product(brand, suppliers);
      const batchId = await batch(brand, productId, factory);
      const { json } = await send(batchId);
      const token = tokenIn((await requestMailsTo(factory.email))[0]);
      return { factory, productId, batchId, token, requestId: json.requests[0].id as string };
    }
    const send = (batchId: string) => act(`/brand/batches/${batchId}/send-request`);
    const act = (url: string, headers: Record<string, string> = {}) => brand.call({ method: 'POST', url, headers });
    const decide = (id: string, decision: 'accept' | 'decline', headers: Record<string, string> = {}) =>
      act(`/brand/proposals/${id}/${decision}`, headers);
    const read = async (batchId: string) => (await brand.call({ url: `/brand/batches/${batchId}` })).json;
    const list = async (query = '') =>
      (await brand.call({ url: `/brand/proposals${query}` })).json.data as Record<string, unknown>[];

    const SPINNER = { materialType: 'cotton_organic', name: 'Fiação do Sul', country: 'pt' };
    const propose = (token: string, payload: object, headers: Record<string, string> = {}) =>
      service.call({ method: 'POST', url: `/factory/requests/${token}/proposals`, payload, headers });
    async function proposed(token: string, contactEmail = address('spinners'), materialType = 'cotton_organic') {
      const { status, json, body } = await propose(token, { ...SPINNER, materialType, contactEmail });
      expect(status, body).toBe(201);
      return json as { id: string };
    }
    const submit = (token: string, payload: object) =>
      service.call({ method: 'POST', url: `/factory/requests/${token}/submit`, payload });
    const suppliersOf = async (productId: string) =>
      (await brand.call({ url: `/brand/products/${productId}` })).json.materials.map(
        ({ suppliers }: { suppliers: { id: string }[] }) => suppliers.map(({ id }) => id),
      ) as string[][];
    const codeOf = ({ status, json }: Answer) => [status, json.code];
    const typesIn = async (stream: string) => {
      const types: string[] = [];
      for await (const { type } of service.eventStore.readStream(stream)) types.push(type);
      return types;
    };

    test('are listed, accepted, invited, asked, answered, scored and kept apart from the factory', async () => {
      const { factory, productId, batchId, token, requestId } = await asked();
      const contactEmail = address('spinners');
      const made = await propose(token, { ...SPINNER, contactEmail: contactEmail.toUpperCase() });
      const item = {
        id: expect.stringMatching(/^pro_/) as string,
        ...{ ...SPINNER, country: 'PT', contactEmail, state: 'proposed' },
        createdAt: expect.any(Number) as number,
      };
      expect([made.status, made.json]).toEqual([201, item]);
      // Named again, under another name and under a key: the one that is there.
      for (const key of [{}, { 'idempotency-key': 'again' }, { 'idempotency-key': 'again' }]) {
        const again = await propose(token, { ...SPINNER, name: 'Other', contactEmail }, key);
        expect([again.status, again.json]).toEqual([200, made.json]);
      }
      expect((await service.call({ url: `/factory/requests/${token}` })).json.proposals).toEqual([made.json]);

      const [listed] = await list();
      expect(listed).toEqual({
        ...made.json,
        ...{ tier: 2, proposedBy: { supplierId: factory.id, factoryName: 'knitters' }, supplierId: null },
        ...{ requestId, batchId, productId, productName: 'Organic tee', decidedAt: null },
      });
      const url = `/brand/proposals/${made.json.id}`;
      for (const decision of ['accept', 'decline']) {
        const foreign = await stranger.call({ method: 'POST', url: `${url}/${decision}` });
        expect(codeOf(foreign)).toEqual([404, 'not_found']);
      }
      expect((await stranger.call({ url: '/brand/proposals' })).json).toEqual({ data: [] });

      const key = { 'idempotency-key': 'accept' };
      const accepted = await act(`${url}/accept`, key);
      const supplierId = accepted.json.supplierId as string;
      expect([accepted.status, accepted.json]).toEqual([
        200,
        { ...listed, state: 'accepted', supplierId, decidedAt: expect.any(Number) as number },
      ]);
      expect((await act(`${url}/accept`, key)).json).toEqual(accepted.json);
      expect(await list('?state=accepted')).toEqual([accepted.json]);
      expect(await list('?state=proposed')).toEqual([]);
      for (const decision of ['accept', 'decline'] as const) {
        const twice = await decide(made.json.id as string, decision);
        expect([...codeOf(twice), twice.json.state]).toEqual([409, 'proposal_decided', 'accepted']);
      }
      expect((await brand.call({ url: `/brand/suppliers/${supplierId}` })).json).toMatchObject({
        ...{ factoryName: SPINNER.name, tier: 2, country: 'PT', state: 'invited', contactEmail },
      });
      expect(await suppliersOf(productId)).toEqual([[supplierId], []]);
      const [mail] = await eventually(
        () => messagesTo(contactEmail),
        (mails) => mails.length > 0,
      );
      expect(mail?.links.some((link) => link.includes('/join/'))).toBe(true);
      // The call did it all; the workflow found nothing left to do.
      await acceptanceEnded(made.json.id as string);
      expect(await typesIn(`supplier-${supplierId}`)).toEqual(['SupplierInvited']);
      expect(await typesIn(`product-${productId}`)).toEqual(['ProductCreated', 'ProductUpdated']);

      const { json: sent } = await send(batchId);
      expect(sent.requests).toMatchObject([{ supplierId: factory.id }, { supplierId, tier: 2, contactEmail }]);
      const spinnerToken = tokenIn((await requestMailsTo(contactEmail))[0]);
      // The factory does not know where the yarn was spun; the spinner does.
      const { spinning: _spinning, ...countries } = EXAMPLE_A.countries;
      const own = { ...EXAMPLE_A, countries };
      const answer = { countries: { spinning: 'CN' } };
      expect((await submit(token, own)).status).toBe(200);
      const before = await read(batchId);
      expect((await submit(spinnerToken, answer)).status).toBe(200);
      const after = await read(batchId);
      expect(before.dataJson).toEqual({ ...own, subSuppliers: [] });
      expect(after.dataJson).toEqual({ ...own, subSuppliers: [{ supplierId, ...answer }] });
      const scored = (subSubmissions: { supplierId: string; data: typeof answer }[]) => {
        const {
          methodVersion: _version,
          factorSetHash: _hash,
          ...pefcr
        } = scoreBatch({
          ...{ categoryId: 'textile_apparel', subcategory: 'tshirts', weightKg: 0.18, weightEstimated: false },
          materials: [
            { materialType: 'cotton_organic', percentage: 95, originCountry: 'TR' },
            { materialType: 'elastane', percentage: 5, originCountry: 'CN' },
          ],
          ...{ quantity: 500, submitted: own as ProductionData, subSubmissions },
          submittedOn: new Date(after.requests[0].submittedAt as number).toISOString().slice(0, 10),
        });
        return pefcr;
      };
      expect(before.pefcr).toEqual(scored([]));
      expect(after.pefcr).toEqual(scored([{ supplierId, data: answer }]));
      expect(after.pefcr.climate_change_per_unit).not.toBe(before.pefcr.climate_change_per_unit);
      expect(after.pefcr.data_quality.flags).toContain('sub_supplier_data');
    });

    test('are refused with the field that is wrong, and nothing is kept of them', async () => {
      const { factory, token } = await asked();
      const contactEmail = address('refused');
      const before = await list();
      for (const [changes, path] of [
        [{ materialType: 'linen' }, 'materialType'],
        [{ materialType: 7 }, 'materialType'],
        [{ name: ' ' }, 'name'],
        [{ name: 'A\r\nBcc: b@example.com' }, 'name'],
        [{ name: 'x'.repeat(201) }, 'name'],
        [{ name: 'a\0b' }, 'name'],
        [{ contactEmail: 'nobody' }, 'contactEmail'],
        [{ contactEmail: `${'x'.repeat(250)}@example.com` }, 'contactEmail'],
        [{ contactEmail: factory.email.toUpperCase() }, 'contactEmail'],
        [{ contactEmail: brand.email }, 'contactEmail'],
        [{ country: 'XX' }, 'country'],
      ] as const) {
        const { status, json } = await propose(token, { ...SPINNER, contactEmail, ...changes });
        expect([status, json.code], JSON.stringify(changes)).toEqual([422, 'invalid_input']);
        expect(json.errors.map((error: { path: string }) => error.path)).toEqual([path]);
      }
      expect(codeOf(await propose(`${token}x`, { ...SPINNER, contactEmail }))).toEqual([404, 'not_found']);
      expect(await list()).toEqual(before);
      expect((await brand.call({ url: '/brand/proposals?state=lost' })).status).toBe(422);
    });

    test('are taken while the request can be answered, and not more than 20', async () => {
      const spinner = await invite(brand, 'spinners', 2);
      const { batchId, token } = await asked([spinner]);
      for (let count = 0; count < 20; count += 1) await proposed(token);
      const one = { ...SPINNER, contactEmail: address('more') };
      expect(codeOf(await propose(token, one))).toEqual([409, 'proposal_limit']);
      const kept = 'select 1 from service.factories where contact_email = $1';
      expect((await service.database.query(kept, [one.contactEmail])).rowCount).toBe(0);
      await submit(token, EXAMPLE_A);
      expect(codeOf(await propose(token, one))).toEqual([409, 'request_already_submitted']);
      const spinnerToken = tokenIn((await requestMailsTo(spinner.email))[0]);
      expect((await propose(spinnerToken, one)).status).toBe(201);
      expect((await list()).at(0)).toMatchObject({ tier: 3, proposedBy: { supplierId: spinner.id } });
      await act(`/brand/batches/${batchId}/publish`);
      expect(codeOf(await propose(spinnerToken, { ...one, name: 'Late' }))).toEqual([409, 'batch_published']);
      const ids = new Set<unknown>();
      let cursor: string | null = '';
      while (cursor !== null) {
        const { json } = await brand.call({ url: `/brand/proposals?limit=8${cursor && `&cursor=${cursor}`}` });
        for (const { id } of json.data as { id: string }[]) ids.add(id);
        cursor = (json.nextCursor as string | undefined) ?? null;
      }
      expect(ids).toEqual(new Set((await list()).map(({ id }) => id)));
    });

    test('are accepted or declined, never both, when both are asked at once', async () => {
      const { token, productId } = await asked();
      for (let round = 0; round < 3; round += 1) {
        const { id } = await proposed(token);
        const before = (await suppliersOf(productId))[0] ?? [];
        const answers = await Promise.all([decide(id, 'accept'), decide(id, 'decline'), decide(id, 'accept')]);
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
        const won = answers.find(({ status }) => status === 200)?.json as { state: string; supplierId: string | null };
        const taken = won.state === 'accepted' ? [won.supplierId] : [];
        expect((await suppliersOf(productId))[0]).toEqual([...before, ...taken]);
      }
    });

    test('are invited and named once, also when the call that accepted was killed after its decision', async () => {
      const { token, productId } = await asked();
      const contactEmail = address('killed');
      const { id: proposalId } = await proposed(token, contactEmail);
      const { organizationId } = brand;
      const { rows } = await service.database.query<{ id: string }>(
        'select id from service.factories where contact_email = $1',
        [contactEmail],
      );
      const context = () =>
        commandContext({
          ...{ organizationId, actor: { type: 'user', id: brand.userId }, correlationId: 'test', now: Date.now() },
        });
      const supplierId = await recordIdOf(service, context(), rows[0]?.id ?? '');
      const decision = { proposalId, organizationId, supplierId, callId: 'killed', decidedAt: Date.now() };
      await execute(service.eventStore, context(), {
        stream: proposalStream(requestOfProposal(proposalId) ?? ''),
        decider: proposalDecider,
        command: { type: 'AcceptProposal', decision },
      });
      await eventually(
        () => suppliersOf(productId),
        ([suppliers]) => suppliers?.includes(supplierId) === true,
      );
      await acceptanceEnded(proposalId);
      await recordHistory('proposal-acceptance', acceptanceOf(proposalId));
      await eventually(
        () => messagesTo(contactEmail),
        (mails) => mails.length > 0,
      );
      const deps = { ...service, linkKey: service.config.LINK_KEY, baseUrl: service.config.BASE_URL };
      await Promise.all([1, 2].map(() => carryOutProposal(deps, context(), { proposalId })));
      expect(await typesIn(`supplier-${supplierId}`)).toEqual(['SupplierInvited']);
      expect(await typesIn(`product-${productId}`)).toEqual(['ProductCreated', 'ProductUpdated']);
      expect(await messagesTo(contactEmail)).toHaveLength(1);
      // What the brand changes afterwards stays.
      const { json: product } = await brand.call({ url: `/brand/products/${productId}` });
      const materials = (product.materials as { materialType: string; percentage: number }[]).map(
        ({ materialType, percentage }) => ({ materialType, percentage, supplierIds: [] }),
      );
      const url = `/brand/products/${productId}`;
      expect((await brand.call({ method: 'PUT', url, payload: { materials } })).status).toBe(200);
      await carryOutProposal(deps, context(), { proposalId });
      expect((await suppliersOf(productId))[0]).toEqual([]);
    });

    test('that the brand knows are used as they are, and asked no more when they have declined', async () => {
      const { token, productId } = await asked();
      const known = await invite(brand, 'known', 4);
      const { id } = await proposed(token, known.email);
      expect((await decide(id, 'accept')).json).toMatchObject({ supplierId: known.id });
      expect((await brand.call({ url: `/brand/suppliers/${known.id}` })).json).toMatchObject({
        ...{ factoryName: 'known', tier: 4, state: 'invited' },
      });
      expect(await typesIn(`supplier-${known.id}`)).toEqual(['SupplierInvited']);
      const elsewhere = await proposed(token, known.email, 'elastane');
      const [invitation] = await eventually(
        () => messagesTo(known.email),
        (mails) => mails.length > 0,
      );
      const link = invitation?.links.find((one) => one.includes('/join/')) ?? '';
      await service.call({
        ...{ method: 'POST', url: new URL(link).pathname, payload: 'action=decline' },
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
      });
      expect(codeOf(await decide(elsewhere.id, 'accept'))).toEqual([409, 'supplier_declined']);
      expect(await suppliersOf(productId)).toEqual([[known.id], []]);
      expect((await decide(elsewhere.id, 'decline')).json).toMatchObject({ state: 'declined', supplierId: null });
    });

    test('cannot be accepted by whoever has the address, who would invite nobody but themselves', async () => {
      const { token } = await asked();
      const editor = await service.signUpProven(address('editor'));
      const { id } = await proposed(token, editor.email);
      const payload = { email: editor.email, role: 'editor' };
      await brand.call({ method: 'POST', url: `/organizations/${brand.organizationId}/members`, payload });
      const own = { authorization: `Bearer ${editor.token}` };
      const refused = await decide(id, 'accept', own);
      expect([...codeOf(refused), refused.json.errors[0].path]).toEqual([422, 'invalid_input', 'contactEmail']);
      // A colleague may: a brand can own a mill.
      expect((await decide(id, 'accept')).json).toMatchObject({ state: 'accepted', contactEmail: editor.email });
    });

    test('cannot be accepted once the material or the product is gone', async () => {
      const { token, productId } = await asked();
      const [first, second] = [await proposed(token), await proposed(token)];
      const url = `/brand/products/${productId}`;
      const materials = [{ materialType: 'linen', percentage: 100 }];
      await brand.call({ method: 'PUT', url, payload: { materials } });
      expect(codeOf(await decide(first.id, 'accept'))).toEqual([409, 'proposal_void']);
      expect(codeOf(await propose(token, { ...SPINNER, contactEmail: address('late') }))).toEqual([
        422,
        'invalid_input',
      ]);
      await brand.call({ method: 'DELETE', url });
      expect(codeOf(await decide(first.id, 'accept'))).toEqual([409, 'proposal_void']);
      expect((await decide(second.id, 'decline')).status).toBe(200);
      expect((await list()).find(({ id }) => id === first.id)).toMatchObject({ productName: 'Organic tee' });
      expect((await propose(token, { ...SPINNER, contactEmail: address('late') })).status).toBe(410);
      for (const id of ['pro_x', 'x', `${first.id}0`]) {
        expect(codeOf(await decide(id, 'accept'))).toEqual([404, 'not_found']);
      }
    });

    test('are in no event with their address, and erased with the person behind it', async () => {
      const { token } = await asked();
      const person = await service.signUpProven(address('person'));
      const { id } = await proposed(token, person.email);
      expect((await tracesOf(service, [person.email])).every((place) => place.startsWith('service.'))).toBe(true);
      const headers = { authorization: `Bearer ${person.token}` };
      const payload = { password: person.password };
      expect((await service.call({ method: 'DELETE', url: '/account', headers, payload })).status).toBe(200);
      expect(await tracesOf(service, [person.email])).toEqual([]);
      // A process goes on with a key for two seconds.
      await expect
        .poll(async () => (await list()).find((one) => one['id'] === id), { timeout: 5_000 })
        .toMatchObject({ contactEmail: null, name: '[erased]' });
      expect((await service.call({ url: `/factory/requests/${token}` })).json.proposals).toMatchObject([
        { contactEmail: null },
      ]);
      expect(codeOf(await decide(id, 'accept'))).toEqual([409, 'proposal_void']);
    });

    test('are named by the account of the factory too, and by nobody else’s', async () => {
      const { factory, requestId } = await asked();
      const payload = { ...SPINNER, contactEmail: address('by-account') };
      const as = ({ token }: { readonly token: string }) =>
        service.call({
          ...{ method: 'POST', url: `/supplier/requests/${requestId}/proposals`, payload },
          headers: { authorization: `Bearer ${token}` },
        });
      const unproven = await service.signUp(factory.email);
      for (const who of [unproven, await service.signUpProven(), brand]) {
        expect(codeOf(await as(who))).toEqual([404, 'not_found']);
      }
      await service.database.query('update service.accounts set email_proven_at = now() where id = $1', [
        unproven.userId,
      ]);
      expect((await as(unproven)).status).toBe(201);
      const shown = await service.call({
        url: `/supplier/requests/${requestId}`,
        headers: { authorization: `Bearer ${unproven.token}` },
      });
      expect(shown.json.proposals).toMatchObject([{ name: SPINNER.name, state: 'proposed' }]);
    });

    test('are named on the page too, which loses nothing that was typed', async () => {
      const { token, batchId } = await asked();
      const post = (fields: Record<string, string>) =>
        service.call({
          ...{ method: 'POST', url: `/f/${token}`, payload: new URLSearchParams(fields).toString() },
          headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
        });
      const contactEmail = address('on-page');
      const typed = { yarnNm: '40', 'proposal.materialType': 'cotton_organic', 'proposal.name': 'Fiação <b>Sul</b>' };
      const refused = await post({ ...typed, 'proposal.contactEmail': brand.email, action: 'propose' });
      expect(refused.status).toBe(422);
      for (const kept of ['value="40"', 'Fiação &lt;b>Sul', `value="${brand.email}"`, 'aria-invalid="true"']) {
        expect(refused.body).toContain(kept);
      }
      expect((await post({ yarnNm: '40', action: 'propose' })).status).toBe(422);
      const made = await post({ ...typed, 'proposal.contactEmail': contactEmail, action: 'propose' });
      expect(made.status).toBe(200);
      for (const shown of ['value="40"', contactEmail, 'The supplier has been named']) {
        expect(made.body).toContain(shown);
      }
      const drafted = await post({ ...typed, action: 'draft' });
      expect(drafted.body).toContain('Fiação &lt;b>Sul');
      // With the submission goes what stands in the fields of a supplier.
      const both = { ...typed, 'proposal.contactEmail': address('with-submission'), action: 'submit' };
      expect((await post({ ...both, 'proposal.name': '' })).status).toBe(422);
      expect((await read(batchId)).state).toBe('sent');
      expect((await post(both)).status).toBe(200);
      expect((await read(batchId)).dataJson).toEqual({ yarnNm: 40, subSuppliers: [] });
      expect((await list()).slice(0, 2)).toMatchObject([{ batchId }, { batchId, contactEmail }]);
      const over = await service.call({ url: `/f/${token}` });
      expect(over.body).toContain(contactEmail);
      expect(over.body).not.toContain('name="proposal.');
    });
  });
}
