import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.js';
import {
  address,
  batch,
  eventually,
  messagesTo,
  product,
  startServiceWithWorker,
  type ServiceWithWorker,
} from '../support/brand-story.js';
import type { Brand } from '../support/service.js';

let service: ServiceWithWorker;
let brand: Brand;
let browser: Browser;
let page: Page;
let origin: string;

const PASSWORD = 'a long enough password';
const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n');

beforeAll(async () => {
  service = await startServiceWithWorker();
  brand = await service.asBrand({ name: 'Nordfaden' });
  origin = await service.app.listen({ host: '127.0.0.1', port: 0 });
  browser = await launchBrowser();
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, javaScriptEnabled: false });
  page = await context.newPage();
}, 120_000);
afterAll(async () => {
  await browser.close();
  await service.close();
});

const button = (name: string | RegExp) => page.getByRole('button', { name });
const body = async () => (await page.locator('main').textContent()) ?? '';

it('takes a factory from its invitation to its second submission, on a phone, by the pages alone', async () => {
  const email = address('mill');
  const payload = { factoryName: 'Mill', contactEmail: email, country: 'PT', tier: 1 };
  const { json: supplier } = await brand.call({ method: 'POST', url: '/brand/suppliers/invite', payload });
  const [mail] = await eventually(
    () => messagesTo(email),
    (mails) => mails.length > 0,
  );
  const joining = new URL(mail?.links.find((link) => link.includes('/join/')) ?? '');

  await page.goto(origin + joining.pathname);
  await page.getByLabel('Your name').fill('Rui Silva');
  await page.getByLabel('Password').fill(PASSWORD);
  await button(/account|join/i)
    .first()
    .click();
  await page.goto(`${origin}/supplier`);
  expect(page.url()).toContain('/sign-in');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await button('Sign in').click();
  expect(new URL(page.url()).pathname).toBe('/supplier');
  expect(await body()).toContain('Nordfaden');

  await page.getByRole('link', { name: 'Products and facilities' }).click();
  const facilities = page.locator('section[aria-labelledby=facilities]');
  await facilities.getByLabel('Name').fill('Hall 1');
  await facilities.getByLabel('Address').fill('Rua 1\n4000 Porto');
  await facilities.getByLabel('What is done there').fill('knitting\ndyeing, reactive');
  await facilities.getByRole('button', { name: 'Save' }).click();
  expect(await body()).toContain('Saved.');
  await facilities.getByRole('link', { name: 'Change Hall 1' }).click();
  expect(await facilities.getByLabel('Address').inputValue()).toBe('Rua 1\n4000 Porto');
  await facilities.getByLabel('Name').fill('');
  await facilities.getByRole('button', { name: 'Save' }).click();
  expect(await facilities.getByRole('alert').textContent()).toContain('Not saved yet');
  await facilities.getByLabel('Name').fill('Hall 2');
  await facilities.getByRole('button', { name: 'Save' }).click();
  expect(await body()).toContain('Saved.');
  const products = page.locator('section[aria-labelledby=products]');
  await products.getByLabel('Name').fill('Jersey');
  await products.getByLabel('Material 1 – Material').selectOption('cotton_organic');
  await products.getByLabel('Material 1 – Share in %').fill('60');
  await products.getByRole('button', { name: 'Save' }).click();
  expect(await page.getByRole('alert').textContent()).toContain('add up to 100');
  expect(await products.getByLabel('Name').inputValue()).toBe('Jersey');
  await products.getByLabel('Material 1 – Share in %').fill('100');
  await products.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'Your factory' }).click();

  await page.getByRole('link', { name: 'Certificates' }).click();
  await page.getByLabel('Standard').fill('GOTS');
  await page.getByLabel('Number').fill('CU 1');
  await page.getByLabel('Valid until').fill('2031-05-31');
  const html = { name: 'scan.pdf', mimeType: 'application/pdf', buffer: Buffer.from('<script>alert(1)</script>') };
  await page.getByLabel('Copy of the certificate').setInputFiles(html);
  await button('Save').click();
  expect(await page.getByRole('alert').textContent()).toContain('not a PDF');
  await page.getByLabel('Copy of the certificate').setInputFiles({ ...html, buffer: PDF });
  await button('Save').click();
  expect(await body()).toContain('valid until 31 May 2031');
  const [copy] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: /Open the copy/ }).click(),
  ]);
  expect(copy.suggestedFilename()).toMatch(/^certificate-.*\.pdf$/);
  expect((await brand.call({ url: `/brand/suppliers/${supplier.id}` })).json).toMatchObject({
    state: 'confirmed',
    facilities: [{ name: 'Hall 2', address: 'Rua 1\n4000 Porto', activities: ['knitting', 'dyeing, reactive'] }],
    products: [{ name: 'Jersey', productType: 'other' }],
    certificates: [{ type: 'GOTS', number: 'CU 1', validUntil: '2031-05-31' }],
  });

  const batchId = await batch(brand, await product(brand), { id: supplier.id as string, email });
  const ask = (call: string, notes: string) =>
    brand.call({ method: 'POST', url: `/brand/batches/${batchId}/${call}`, payload: { notes } });
  expect((await ask('send-request', 'Please')).status).toBe(200);
  await page.goto(`${origin}/supplier`);
  await page.getByRole('link', { name: /Organic tee/ }).click();
  expect(await page.getByLabel('Number').first().inputValue()).toBe('CU 1');
  await page.getByLabel('Yarn count').fill('40');
  await page.getByLabel('Material', { exact: true }).selectOption('cotton_organic');
  await page.getByLabel('Company', { exact: true }).fill('Spinners');
  await page.getByLabel('Email of a contact there').fill(email);
  await button('Name this supplier').click();
  expect(await page.getByRole('alert').textContent()).toContain('not yours and not the brand’s');
  await page.getByLabel('Email of a contact there').fill(address('spinners'));
  await button('Name this supplier').click();
  expect(await page.getByRole('status').textContent()).toContain('The supplier has been named');
  expect(await page.getByLabel('Yarn count').inputValue()).toBe('40');
  expect((await brand.call({ url: '/brand/proposals' })).json.data).toMatchObject([{ name: 'Spinners' }]);
  await button('Save draft').click();
  expect(await page.getByLabel('Yarn count').inputValue()).toBe('40');
  await button(/Submit|Send/).click();
  expect((await brand.call({ url: `/brand/batches/${batchId}` })).json.state).toBe('submitted');
  expect((await ask('request-changes', 'Check the yarn')).status).toBe(200);
  await page.goto(`${origin}/supplier`);
  expect(await body()).toContain('changes asked for');
  await page.getByRole('link', { name: /Organic tee/ }).click();
  expect(await body()).toContain('Check the yarn');
  await page.getByLabel('Yarn count').fill('42');
  await button(/Submit|Send/).click();
  const { json } = await brand.call({ url: `/brand/batches/${batchId}` });
  expect([json.state, json.dataJson.yarnNm]).toEqual(['submitted', 42]);

  await page.goto(`${origin}/supplier?lang=de`);
  await button('Nicht mehr mit Nordfaden arbeiten').click();
  expect(await body()).toContain('abgelehnt');
  expect((await brand.call({ url: `/brand/suppliers/${supplier.id}` })).json.state).toBe('declined');
  await button('Abmelden').click();
  await page.goto(`${origin}/supplier/catalogue`);
  expect(page.url()).toContain('/sign-in');
});
