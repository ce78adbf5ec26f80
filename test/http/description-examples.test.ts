import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { requestMailsTo, tokenIn } from '../support/brand-story.js';
import { exampleOf, readDescription, type Description, type Operation } from '../support/description.js';
import { mailedToken, startPost } from '../support/mailbox.js';
import { multipart } from '../support/real-calls.js';
import type { Answer, Call, TestService } from '../support/service.js';
import { withWorker } from '../support/shared-service.js';

/*
 * The story of the interface, told with the examples of its own description: each is sent as it stands, but for the ids and
 * tokens, which are those of the records that the examples before it have made.
 */

const EXAMPLE_UUID = '019abf5e-8c3a-7d41-9b52-3f6a0c1d2e4f';
const BRAND = 'ana@nordfaden.example';
const FACTORY = 'norte@factories.example';

/** Needs an identity provider, which has tests of its own. */
const TOLD_ELSEWHERE = ['signInByIdp'];

let service: TestService;
let post: ReturnType<typeof startPost>;
let description: Description;
const ids: Record<string, string> = {};
const tokens = { session: '', factory: '', link: '' };
const sent = new Set<string>();

withWorker.beforeAll(async ({ service: shared }) => {
  service = shared;
  post = startPost(service);
  description = readDescription((await service.call({ url: '/openapi.json' })).json as object);
});

afterAll(() => post.stop());

const operation = (id: string): Operation => {
  const found = description.operations.find(({ operationId }) => operationId === id);
  if (found === undefined) throw new Error(`there is no operation "${id}"`);
  return found;
};

/** With the ids of our own records where the example has its own. */
const ours = (text: string): string =>
  text
    .replaceAll(new RegExp(`([a-z]{3})_${EXAMPLE_UUID}`, 'g'), (whole, prefix: string) => ids[prefix] ?? whole)
    .replaceAll('Yk9uZ2VyIHRoYW4gYW55Ym9keSBndWVzc2Vz', tokens.link);

/** Sends the example of the operation; its records are known from then on. */
async function send(id: string, more: Partial<Call> = {}): Promise<Answer> {
  const { method, path, parameters, requestBody, security } = operation(id);
  const examples = new Map(
    parameters.filter(({ in: place }) => place === 'path').map(({ name, example }) => [name, example]),
  );
  const url = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => ours(String(examples.get(name))));
  const schema = requestBody?.content['application/json']?.schema;
  const example = schema === undefined ? undefined : exampleOf(description, schema);
  const needs = JSON.stringify(security);
  const answer = await service.call({
    method: method as NonNullable<Call['method']>,
    url,
    ...(example === undefined ? {} : { payload: JSON.parse(ours(JSON.stringify(example))) as object }),
    ...more,
    headers: {
      accept: 'application/json',
      ...(needs.includes('session') ? { authorization: `Bearer ${tokens.session}` } : {}),
      ...(needs.includes('operator') ? { authorization: `Bearer ${service.config.ADMIN_TOKEN}` } : {}),
      ...(needs.includes('organization') ? { 'x-organization-id': ids['org'] } : {}),
      ...more.headers,
    },
  });
  expect(answer.status, `${id}: ${answer.body}`).toBeLessThan(300);
  sent.add(id);
  const made = (answer.json as { id?: string; dppId?: string; importId?: string } | undefined) ?? {};
  for (const one of [made.id, made.dppId, made.importId]) if (one !== undefined) ids[one.slice(0, 3)] = one;
  return answer;
}

test('every example of the description is taken by a running service', { timeout: 240_000 }, async () => {
  tokens.session = ((await send('signUp')).json as { token: string }).token;
  await service.database.query('update service.accounts set email_proven_at = now() where email = $1', [BRAND]);
  await send('signIn');
  for (const id of ['askForMagicLink', 'askForPasswordReset', 'askForVerification', 'listSessions']) await send(id);
  await send('createOrganization');
  for (const id of ['changePlan', 'getOrganization', 'listOrganizations', 'createApiKey', 'listApiKeys'])
    await send(id);
  const member = await send('addMember');
  ids['usr'] = (member.json as { id: string }).id;
  for (const id of ['changeMemberRole', 'listMembers', 'exportAccount']) await send(id);

  for (const id of ['createProduct', 'updateProduct', 'getProduct', 'listProducts']) await send(id);
  for (const id of ['inviteSupplier', 'getSupplier', 'listSuppliers']) await send(id);
  for (const id of ['createWebhook', 'updateWebhook', 'getWebhook', 'listWebhooks', 'replayDeliveries']) await send(id);
  for (const id of ['validateRows', 'commitRows']) await send(id);
  const file = await send('uploadFile', multipart({ file: 'Bezeichnung,Farbe\r\nHemd,rot' }, 'a.csv'));
  const { fileType } = file.json as { fileType: string };
  await service.call({
    ...{ method: 'PUT', url: `/brand/bulk/mappings/${fileType}`, payload: exampleBody('saveMapping') },
    headers: { authorization: `Bearer ${tokens.session}`, 'x-organization-id': ids['org'] ?? '' },
  });
  for (const id of ['saveMapping', 'getMapping', 'getFile', 'validateFile', 'commitFile', 'getImport', 'listImports']) {
    await send(id);
  }

  for (const id of ['createBatch', 'getBatch', 'listBatches', 'sendBatchRequest']) await send(id);
  tokens.link = tokenIn((await requestMailsTo(FACTORY))[0]);
  for (const id of ['getFactoryRequest', 'saveFactoryRequestDraft', 'proposeSupplierByLink']) await send(id);
  await send('listProposals');
  for (const id of ['submitFactoryRequest', 'requestBatchChanges', 'submitFactoryRequest', 'publishBatch'])
    await send(id);
  for (const id of ['getQrCode', 'listPassports', 'listPassportsOfProduct', 'publishProduct']) await send(id);
  // Another one, for the factory to answer by its account.
  for (const id of ['createBatch', 'sendBatchRequest']) await send(id);

  const brandToken = tokens.session;
  const factory = await service.signUpProven(FACTORY);
  tokens.session = factory.token;
  for (const kind of ['CatalogueProduct', 'Facility', 'Certificate', 'SubSupplier']) {
    await send(`create${kind}`);
    await send(`update${kind}`);
  }
  for (const id of ['listBrands', 'acceptBrand', 'listSupplierRequests']) await send(id);
  const { json } = await service.call({
    url: '/supplier/requests',
    headers: { authorization: `Bearer ${factory.token}` },
  });
  const requests = (json as { data: { id: string; state: string }[] }).data;
  ids['req'] = requests.find(({ state }) => state !== 'submitted')?.id ?? '';
  for (const id of ['getSupplierRequest', 'saveSupplierRequestDraft', 'proposeSupplier', 'submitSupplierRequest']) {
    await send(id);
  }
  await send('declineBrand');

  tokens.session = brandToken;
  await send('changePassword');
  tokens.link = await mailedToken(BRAND, '/magic-link');
  await send('signInByLink');
  // The new password has ended the first link.
  await send('askForPasswordReset');
  tokens.link = await mailedToken(BRAND, '/reset-password', 2);
  await send('resetPassword');
  const { password } = exampleBody('eraseAccount') as { password: string };
  const leaving = { email: `leaving-${randomUUID()}@nordfaden.example`, password, displayName: 'Leaving' };
  const signedUp = await service.call({ method: 'POST', url: '/auth/signup', payload: leaving });
  tokens.session = (signedUp.json as { token: string }).token;
  await send('eraseAccount');
  const bodied = description.operations
    .filter(({ requestBody }) => requestBody?.content['application/json'] !== undefined)
    .map(({ operationId = '' }) => operationId);
  const told = [...sent, ...TOLD_ELSEWHERE];
  expect(bodied.filter((id) => !told.includes(id))).toEqual([]);
});

const exampleBody = (id: string): object => {
  const schema = operation(id).requestBody?.content['application/json']?.schema;
  return (schema === undefined ? {} : exampleOf(description, schema)) as object;
};
