import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  decimalSeparator,
  FORM_LOCALES,
  negotiateFormLocale,
  parseFactoryForm,
  renderAccountPage,
  renderCataloguePage,
  renderConsumerNotFound,
  renderConsumerPage,
  renderErrorPage,
  renderFactoryForm,
  renderFactoryLinkGone,
  renderJoinPage,
  renderSupplierHome,
  renderTeamPage,
} from '../../src/pages/index.js';
import { launchBrowser } from '../support/browser.js';
import { FACTORY_FORM_TEXTS } from '../../src/pages/texts/index.js';
import { sampleForm, samplePassport } from './support/samples.js';
import { servePages, type PageServer } from './support/serve.js';

const passport = samplePassport();
const errors = [
  { path: 'cuttingLossPct', code: 'too_big', message: 'must be below 100' },
  { path: 'certificates.0.validUntil', code: 'invalid', message: 'must be a day' },
  { path: 'proposal.contactEmail', code: 'invalid', message: 'must be an address' },
];
const proposals = (['proposed', 'accepted', 'declined'] as const).map((state) => ({
  ...{ id: `pro_${state}`, state, materialType: 'cotton_organic', name: 'y'.repeat(200), country: 'TR' },
  contactEmail: state === 'declined' ? null : `${'x'.repeat(64)}@b.example`,
}));
const submitted = { yarnNm: 40, countries: { making: 'PT' }, certificates: [{ type: 'GOTS' }], notes: 'a\nb' };
const join = {
  brandName: 'Nordhaven',
  factoryName: 'Malhas',
  email: 'a@b.example',
  notes: 'Hello',
  action: '/join/x',
} as const;
const requests = [
  {
    brandName: 'Nordhaven',
    productName: 'Tee',
    poReference: 'PO',
    quantity: 5,
    unit: 'piece',
    state: 'emailed',
    href: '/f/x',
  },
] as const;

const PAGES: Readonly<Record<string, string>> = {
  '/passport': renderConsumerPage(passport, 'en'),
  '/older-german-and-preliminary': renderConsumerPage(
    { ...passport, version: passport.versions[0]!, preliminary: true, gtinGenerated: true },
    'de',
  ),
  '/long-and-bare': renderConsumerPage(
    samplePassport({
      productName: 'x'.repeat(200),
      brandName: 'y'.repeat(200),
      careInstructions: 'z'.repeat(5000),
      pefcr: null,
      materials: [],
      certificates: [],
    }),
    'fr',
  ),
  '/unknown-passport': renderConsumerNotFound({ what: 'version', path: '/p/1/2' }, 'it'),
  '/sign-in': renderAccountPage(
    {
      state: 'sign_in',
      next: '/supplier',
      email: 'a@b.example',
      refusal: 'bad_credentials',
      hasIdentityProvider: true,
    },
    'de',
  ),
  '/magic-link': renderAccountPage({ state: 'magic_link', token: 'x', email: 'a@b.example' }, 'fr'),
  '/reset-password': renderAccountPage(
    { state: 'password_reset', token: 'x', email: `${'x'.repeat(64)}@b.example`, isRefused: true },
    'es',
  ),
  '/form': renderFactoryForm(sampleForm(), 'en'),
  '/form-with-errors': renderFactoryForm(
    sampleForm(
      {
        typed: {
          ...{ cuttingLossPct: 120, certificates: [{ type: 'GOTS', validUntil: '31.1.' }] },
          proposal: { name: 'Hilatura', contactEmail: 'nobody' },
        },
        errors,
      },
      { state: 'changes_requested', feedback: 'Weigh it again.', proposals },
    ),
    'es',
  ),
  '/form-submitted': renderFactoryForm(
    sampleForm(
      { editable: false, canPropose: false, notice: 'submitted' },
      { state: 'submitted', submitted, proposals },
    ),
    'de',
  ),
  '/form-withdrawn': renderFactoryLinkGone('withdrawn', 'zh'),
  '/join': renderJoinPage(
    { ...join, state: 'open', typed: null, errors: [{ path: 'password', code: 'x', message: 'too short' }] },
    'en',
  ),
  '/joined': renderJoinPage({ ...join, state: 'joined', requests }, 'en'),
  '/linked': renderJoinPage({ ...join, state: 'linked', isShared: false, requests }, 'it'),
  '/declined': renderJoinPage({ ...join, state: 'declined' }, 'en'),
  '/join-team': renderTeamPage(
    {
      ...{ state: 'open', organizationName: 'Nordhaven', role: 'editor', email: 'a@b.example', hasAccount: false },
      ...{ action: '/join-team/x', typed: null, errors: [{ path: 'password', code: 'x', message: 'too short' }] },
    },
    'de',
  ),
  '/joined-team': renderTeamPage({ state: 'joined', organizationName: 'Nordhaven', email: 'a@b.example' }, 'fr'),
  '/supplier': renderSupplierHome(
    {
      ...{ email: `${'x'.repeat(64)}@b.example`, isProven: true, notice: null, formLocale: 'tr' },
      requests: (['emailed', 'changes_requested', 'submitted'] as const).map((state) => ({
        ...{ ...requests[0], id: `req_${state}`, state, isPublished: false },
      })),
      brands: [
        { supplierId: 'sup_1', brandName: 'Nordhaven', sharing: 'asked' },
        { supplierId: 'sup_2', brandName: 'y'.repeat(200), sharing: 'declined' },
      ],
    },
    'de',
  ),
  '/supplier-unproven': renderSupplierHome(
    { email: 'a@b.example', isProven: false, notice: null, formLocale: 'es', requests: [], brands: [] },
    'es',
  ),
  '/supplier/catalogue': renderCataloguePage(
    {
      ...{ path: '/supplier/catalogue', today: '2026-11-21', notice: null },
      sections: [
        {
          kind: 'products',
          entries: [
            {
              ...{ id: 'cpr_1', title: 'z'.repeat(200), details: [] },
              materials: [{ materialType: 'cotton_organic', percentage: 100, originCountry: 'TR' }],
            },
          ],
          editing: 'cpr_1',
          typed: { name: 'Jersey', 'materials.0.percentage': '40' },
          refused: ['materials', 'materials.0.materialType'],
        },
        {
          kind: 'facilities',
          entries: [{ id: 'fcl_1', title: 'Hall', details: ['Rua 1\nPorto', 'spinning'], country: 'PT' }],
          ...{ editing: null, typed: {}, refused: [] },
        },
        { kind: 'subSuppliers', entries: [], editing: null, typed: {}, refused: ['contactEmail'] },
      ],
    },
    'en',
  ),
  '/supplier/certificates': renderCataloguePage(
    {
      ...{ path: '/supplier/catalogue/certificates', today: '2026-11-21', notice: 'saved' },
      sections: [
        {
          kind: 'certificates',
          entries: [
            { id: 'cer_1', title: 'GOTS 1', details: ['CU'], validUntil: '2026-11-20', fileHref: '/supplier/x' },
            { id: 'cer_2', title: 'GOTS 2', details: [], validUntil: '2027-11-20', fileHref: null },
            { id: 'cer_3', title: 'GOTS 3', details: [], validUntil: null },
          ],
          ...{ editing: 'cer_1', typed: { type: 'GOTS', number: '1' }, refused: ['number', 'taken', 'file'] },
        },
      ],
    },
    'fr',
  ),
  '/error': renderErrorPage({ status: 503, requestId: 'req-7' }, 'en'),
};

const INTERACTIVE = 'a[href], button, input, select, textarea, summary';
/** What lies in a closed row is reached once the row is opened. */
const SHOWN = `:is(${INTERACTIVE}):not([type=hidden]):not(details:not([open]) > :not(summary) *)`;

const axe = async (page: Page): Promise<string[]> => {
  // The thousand country names of the form's lists would only take time, also where they are left out of the analysis.
  await page.evaluate(() => document.querySelectorAll('option:nth-child(n+3)').forEach((option) => option.remove()));
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    // Of the elements that pass nothing is written down.
    .options({ resultTypes: ['violations'] })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
};

/** Which interactive elements the Tab key reaches, in its order; each has to show that it is focused. */
const tabThrough = async (page: Page, count: number): Promise<number[]> => {
  const reached: number[] = [];
  // A date field takes several presses.
  for (let presses = 0; presses < count * 4 + 10 && reached.length < count; presses += 1) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate((selector) => {
      const focused = document.activeElement;
      if (focused === null || !focused.matches(selector)) return null;
      const isShown = getComputedStyle(focused).outlineStyle !== 'none';
      return { index: [...document.querySelectorAll(selector)].indexOf(focused), isShown };
    }, SHOWN);
    if (at === null || reached.at(-1) === at.index) continue;
    expect(at.isShown).toBe(true);
    reached.push(at.index);
  }
  return reached;
};

/** Everything that is pressed with a finger and is not a link inside a text. */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, input, select, textarea, summary, nav a, table a, li a')]
      .filter((element) => element.checkVisibility())
      .filter((element) => element.getBoundingClientRect().height < 43.9)
      .map((element) => element.outerHTML.slice(0, 120)),
  );

describe('the pages in a browser', () => {
  let browser: Browser;
  let server: PageServer;

  beforeAll(async () => {
    const forms = FORM_LOCALES.map((locale) => {
      const form = sampleForm({ action: `/form/${locale}` });
      return [`/form/${locale}`, renderFactoryForm(form, locale)] as const;
    });
    server = await servePages({ ...PAGES, ...Object.fromEntries(forms) }, (body, lang) => {
      const locale = negotiateFormLocale({ lang });
      const typed = parseFactoryForm(body, decimalSeparator(locale));
      return renderFactoryForm(sampleForm({ typed, errors, action: `/form/${locale}` }), locale);
    });
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  // The pages keep nothing in a browser: one tab shows them all, as a new one takes longer to begin than to show its page.
  const tabs = new Map<boolean, Promise<Page>>();
  const tabFor = (javaScriptEnabled: boolean): Promise<Page> => {
    const tab = tabs.get(javaScriptEnabled) ?? browser.newPage({ javaScriptEnabled });
    tabs.set(javaScriptEnabled, tab);
    return tab;
  };

  const open = async (
    path: string,
    options: { width?: number; colorScheme?: 'light' | 'dark'; javaScriptEnabled?: boolean } = {},
  ): Promise<{ page: Page; complaints: string[] }> => {
    const { width = 1280, colorScheme = 'light', javaScriptEnabled = true } = options;
    const page = await tabFor(javaScriptEnabled);
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ media: null, colorScheme });
    for (const event of ['console', 'pageerror', 'request'] as const) page.removeAllListeners(event);
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(`${server.origin}/`) && !url.startsWith('data:')) complaints.push(`asked for ${url}`);
    });
    await page.goto(server.origin + path);
    return { page, complaints };
  };

  for (const path of Object.keys(PAGES)) {
    it(`finds nothing against ${path} by axe, on a phone in light and on a desk in dark`, async () => {
      const { page } = await open(path, { width: 390, colorScheme: 'light' });
      expect(await axe(page)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await axe(page)).toEqual([]);
    });

    it(`shows ${path} styled under its Content-Security-Policy, whole at 400 % zoom, with targets of 44 px and everything in reach of the Tab key`, async () => {
      const { page, complaints } = await open(path);
      expect(await page.evaluate(() => getComputedStyle(document.querySelector('.stitch')!).height)).toBe('2px');
      expect(await page.locator('[style], script').count()).toBe(0);
      const expected = Array.from({ length: await page.locator(SHOWN).count() }, (_, index) => index);
      expect(await tabThrough(page, expected.length)).toEqual(expected);
      for (const width of [640, 390, 320]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(
          0,
        );
        expect(await smallTargets(page)).toEqual([]);
      }
      expect(complaints).toEqual([]);
    });
  }

  for (const locale of FORM_LOCALES) {
    it(`sends the form in ${locale} without JavaScript, stays in the language, and axe finds nothing`, async () => {
      const { page } = await open(`/form/${locale}`, { javaScriptEnabled: false, width: 390 });
      const { fields, saveDraft, errorsTitle } = FACTORY_FORM_TEXTS[locale];
      await page.getByLabel(fields.productWeightKg.label).fill('0,18');
      await page.getByLabel(fields.cuttingLossPct.label).fill('120');
      await page.getByRole('button', { name: saveDraft }).click();
      expect(await page.getByRole('alert').textContent()).toContain(errorsTitle({ count: errors.length }));
      expect(await page.getByLabel(fields.productWeightKg.label).inputValue()).toMatch(/^0[.,]18$/);
      expect(await page.locator('html').getAttribute('lang')).toBe(locale === 'zh' ? 'zh-Hans' : locale);
      const refused = await page.content();
      const live = await open(`/form/${locale}`, { width: 390 });
      await live.page.setContent(refused);
      expect(await axe(live.page)).toEqual([]);
      expect(await live.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
    });
  }

  it('sends the form without JavaScript and shows what was typed again, with each error at its field', async () => {
    const { page } = await open('/form', { javaScriptEnabled: false });
    await page.getByLabel('Weight of one finished piece').fill('0,18');
    await page.getByLabel('Cutting loss').fill('120');
    await page.getByLabel('Dyeing and finishing').selectOption({ label: 'Türkiye' });
    await page.getByLabel('Notes').fill('first\nsecond');
    await page.getByText('Certificate 2', { exact: true }).click();
    await page.getByLabel('Kind').nth(1).fill('GOTS');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByRole('alert').waitFor();
    expect(server.posted.at(-1)).toMatchObject({
      action: 'draft',
      productWeightKg: '0,18',
      'countries.dyeing': 'TR',
      'certificates.1.type': 'GOTS',
    });
    expect(await page.getByLabel('Weight of one finished piece').inputValue()).toBe('0.18');
    expect(await page.getByLabel('Dyeing and finishing').inputValue()).toBe('TR');
    expect(await page.getByLabel('Notes').inputValue()).toBe('first\nsecond');
    expect(await page.getByLabel('Kind').first().inputValue()).toBe('GOTS');
    const loss = page.getByLabel('Cutting loss');
    expect(await loss.getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('link', { name: /Cutting loss/ }).click();
    expect(await page.evaluate(() => location.hash)).toBe('#field-cuttingLossPct');
  });

  it('prints the passport in dark letters on white, whatever the screen shows', async () => {
    const { page } = await open('/passport', { colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const [ink, paper] = await page.evaluate(() => {
      const { color, backgroundColor } = getComputedStyle(document.body);
      return [color, backgroundColor];
    });
    expect([ink, paper]).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
    expect(await page.locator('nav').first().isVisible()).toBe(false);
  });
});
