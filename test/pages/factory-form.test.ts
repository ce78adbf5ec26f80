import { describe, expect, it } from 'vitest';
import { formError } from '../../src/modules/factory-portal/form-error.js';
import { productionDataBody } from '../../src/modules/factory-portal/request-schemas.js';
import { DYEING_FUELS, FABRIC_PROCESSES } from '../../src/pages/factory-form/production-data.js';
import {
  FORM_LOCALES,
  negotiateFormLocale,
  parseFactoryForm,
  renderFactoryForm,
  renderFactoryLinkGone,
} from '../../src/pages/index.js';
import { decimalSeparator, formatsOf } from '../../src/pages/locale.js';
import { materialName } from '../../src/pages/names/materials.js';
import { FACTORY_FORM_TEXTS } from '../../src/pages/texts/index.js';
import { COUNTRY_CODES } from '../../src/reference-data/countries.js';
import { MATERIALS } from '../../src/reference-data/materials.js';
import { FACTOR_TABLES } from '../../src/reference-data/factor-tables.js';
import { MARKUP, sampleForm } from './support/samples.js';
import { textOf } from './support/texts.js';

const FIELDS = [
  'productWeightKg',
  'quantityProduced',
  'productionDate',
  'facilityId',
  'countries.spinning',
  'countries.fabric',
  'countries.dyeing',
  'countries.making',
  'fabricProcess',
  'yarnNm',
  'cuttingLossPct',
  'makingElectricityKwh',
  'dyeing.electricityKwhPerKg',
  'dyeing.heatMjPerKg',
  'dyeing.fuel',
  'airSharePct',
  'notes',
  'certificates.0.type',
  'certificates.0.number',
  'certificates.0.issuer',
  'certificates.0.validFrom',
  'certificates.0.validUntil',
  'certificates.2.type',
];

describe('what a browser sends', () => {
  it('becomes production data at the JSON paths, numbers as numbers, blanks absent', () => {
    expect(
      parseFactoryForm({
        productWeightKg: ' 0,18 ',
        quantityProduced: '1 250',
        yarnNm: '',
        'countries.making': 'PT',
        'dyeing.heatMjPerKg': '28.5',
        'dyeing.fuel': 'natural_gas',
        notes: 'one\r\ntwo ',
        'certificates.0.type': '',
        'certificates.1.type': 'GOTS',
        'certificates.1.validUntil': '2027-01-31',
        action: 'submit',
        __proto__: 'x',
        'countries.__proto__': 'x',
      }),
    ).toEqual({
      productWeightKg: 0.18,
      quantityProduced: 1250,
      countries: { making: 'PT' },
      dyeing: { heatMjPerKg: 28.5, fuel: 'natural_gas' },
      notes: 'one\ntwo',
      certificates: [{ type: 'GOTS', validUntil: '2027-01-31' }],
    });
  });

  for (const [typed, parsed] of [
    ['12', 12],
    ['12.5', 12.5],
    ['12,5', 12.5],
    ['0,180', 0.18],
    ['1.250,5', 1250.5],
    ['1,250.5', 1250.5],
    ["1'250", 1250],
    ['1 250 000', 1250000],
    ['-3', -3],
    ['.5', 0.5],
    ['1,250', '1,250'],
    ['1.250', 1.25],
    ['1,250,000', 1250000],
    ['１２．５', 12.5],
    ['12 kg', '12 kg'],
    ['1e3', '1e3'],
    ['about 5', 'about 5'],
    ['1.2.3', '1.2.3'],
  ] as const) {
    it(`reads "${typed}" as ${JSON.stringify(parsed)}`, () => {
      expect(parseFactoryForm({ productWeightKg: typed })).toEqual({ productWeightKg: parsed });
    });
  }

  for (const [typed, parsed] of [
    ['1.250', '1.250'],
    ['0.180', 0.18],
    ['12.5', 12.5],
    ['1.250.000', 1_250_000],
    ['1.250,5', 1250.5],
    ['1,250', '1,250'],
    ['12,5', 12.5],
    ['１２，５', 12.5],
  ] as const) {
    it(`reads "${typed}" as ${JSON.stringify(parsed)} where decimals follow a comma`, () => {
      expect(parseFactoryForm({ productWeightKg: typed }, ',')).toEqual({ productWeightKg: parsed });
    });
  }

  it('is empty for an empty form', () => expect(parseFactoryForm({ action: 'draft' })).toEqual({}));
});

describe('the factory form', () => {
  for (const locale of FORM_LOCALES) {
    it(`asks for every field of the production data in ${locale}`, () => {
      const html = renderFactoryForm(sampleForm(), locale);
      expect(html).toContain(`<html lang="${locale === 'zh' ? 'zh-Hans' : locale}">`);
      expect(html).toContain(`action="/f/3q2-7wAAdGhpcyBpcyBhIHRva2VuIG9mIDMyIGJ5dGVz?lang=${locale}"`);
      for (const other of FORM_LOCALES) expect(html).toContain(`?lang=${other}"`);
      for (const field of FIELDS) expect(html).toContain(`name="${field}"`);
      expect(html).toContain('name="action" value="draft"');
      expect(html).toContain('name="action" value="submit"');
    });
  }

  it('names every material, country, process and fuel in every language', () => {
    for (const locale of FORM_LOCALES) {
      const { country } = formatsOf(locale);
      expect(
        MATERIALS.filter(({ id }) => id.includes('_') && materialName(id, locale) === id.replaceAll('_', ' ')),
      ).toEqual([]);
      expect(COUNTRY_CODES.filter((code) => country(code) === code)).toEqual([]);
      if (locale === 'en') continue;
      const differing = MATERIALS.filter(({ id }) => materialName(id, locale) !== materialName(id, 'en'));
      expect(differing.length, locale).toBeGreaterThan(MATERIALS.length * 0.7);
    }
    const inTurkish = renderFactoryForm(sampleForm(), 'tr');
    expect(inTurkish).toMatch(/<option value="DE">Almanya/);
    expect(textOf(inTurkish)).toContain('%95 Organik pamuk');
    expect(renderFactoryForm(sampleForm(), 'zh')).toMatch(/<option value="TR">土耳其/);
    expect(renderFactoryForm(sampleForm(), 'pt')).toMatch(/<option value="VN">Vietname/);
  });

  it('is offered in the language of the browser, and stays in the one that was chosen', () => {
    expect(negotiateFormLocale({ acceptLanguage: 'tr-TR,tr;q=0.9,en;q=0.8' })).toBe('tr');
    expect(negotiateFormLocale({ acceptLanguage: 'zh-CN,zh;q=0.9' })).toBe('zh');
    expect(negotiateFormLocale({ acceptLanguage: 'ja, pt-BR;q=0.5' })).toBe('pt');
    expect(negotiateFormLocale({ lang: 'zh-Hans', acceptLanguage: 'de' })).toBe('zh');
    expect(negotiateFormLocale({ lang: 'xx', acceptLanguage: 'fi' })).toBe('en');
  });

  it('says in every language what each field is refused for', () => {
    const typed = parseFactoryForm({
      productWeightKg: '0',
      quantityProduced: '1.5',
      productionDate: '31.1.',
      yarnNm: '501',
      cuttingLossPct: '100',
      makingElectricityKwh: 'about 200',
      'dyeing.heatMjPerKg': '-1',
      'dyeing.fuel': 'peat',
      fabricProcess: 'magic',
      'countries.making': 'XX',
      'certificates.0.type': 'GOTS',
      'certificates.0.issuer': 'x'.repeat(201),
      'certificates.0.validUntil': 'soon',
      notes: 'a\0b',
    });
    const issues = [productionDataBody.safeParse(typed), productionDataBody.safeParse({ notes: 'x' })].flatMap(
      ({ error }) => error?.issues ?? [],
    );
    const errors = issues.map(formError);
    expect(errors.map(({ path }) => path).sort()).toEqual(
      [
        ...['', 'certificates.0.issuer', 'certificates.0.number', 'certificates.0.validUntil', 'countries.making'],
        ...['cuttingLossPct', 'dyeing.fuel', 'dyeing.heatMjPerKg', 'fabricProcess', 'makingElectricityKwh', 'notes'],
        ...['productWeightKg', 'productionDate', 'quantityProduced', 'yarnNm'],
      ].sort(),
    );
    for (const locale of FORM_LOCALES) {
      const text = textOf(renderFactoryForm(sampleForm({ typed, errors }), locale));
      const { refusals, notANumber } = FACTORY_FORM_TEXTS[locale];
      for (const said of [
        ...[refusals.nothing, refusals.required, refusals.wholeNumber, refusals.day, refusals.choice],
        ...[refusals.characters, refusals.tooLong({ limit: '200' }), notANumber],
        ...[
          refusals.above({ limit: 0 }),
          refusals.atLeast({ limit: 0 }),
          refusals.atMost({ limit: 500 }),
          refusals.below({ limit: 100 }),
        ],
      ]) {
        expect(text, locale).toContain(said);
      }
      for (const { message } of errors) expect(text, locale).not.toContain(message);
    }
  });

  it('shows numbers as the reader writes them, and reads them back as the same numbers', () => {
    for (const yarnNm of [40, 0.18, 40.125, 1250.5, 1_234_567, 0.0000001, 999.999]) {
      for (const locale of FORM_LOCALES) {
        const html = renderFactoryForm(sampleForm({}, { draft: { yarnNm } }), locale);
        const shown = /name="yarnNm"[^>]* value="([^"]*)"/.exec(html)?.[1] ?? '';
        expect(parseFactoryForm({ yarnNm: shown }, decimalSeparator(locale)), `${locale}: ${shown}`).toEqual({
          yarnNm,
        });
        if (yarnNm === 0.18) expect(shown).toBe(locale === 'en' || locale === 'zh' ? '0.18' : '0,18');
      }
    }
  });

  it('asks who makes a material, after the buttons, and shows what was named', () => {
    const proposals = (['proposed', 'accepted', 'declined'] as const).map((state) => ({
      ...{ id: `pro_${state}`, state, materialType: 'elastane', name: `Mill ${state}` },
      ...{ contactEmail: 'mill@b.example', country: 'TR' },
    }));
    for (const locale of FORM_LOCALES) {
      const html = renderFactoryForm(sampleForm({}, { proposals }), locale);
      for (const field of ['materialType', 'name', 'contactEmail', 'country']) {
        expect(html).toContain(`name="proposal.${field}"`);
      }
      // The Enter key presses the first button of the form.
      expect(html.indexOf('value="submit"')).toBeLessThan(html.indexOf('value="propose"'));
      expect(html).toContain('href="#sub-suppliers"');
      for (const { state } of proposals)
        expect(textOf(html)).toContain(FACTORY_FORM_TEXTS[locale].proposals.states[state]);
    }
    const over = renderFactoryForm(sampleForm({ editable: false, canPropose: false }, { proposals }), 'en');
    expect(textOf(over)).toContain('Mill accepted Elastane · Türkiye · mill@b.example');
    expect(over).not.toContain('name="proposal.');
    const full = renderFactoryForm(sampleForm({ canPropose: false }, { proposals }), 'en');
    expect(textOf(full)).toContain(FACTORY_FORM_TEXTS.en.proposals.full);
    expect(full).not.toContain('name="proposal.');
    const bare = renderFactoryForm(sampleForm({ canPropose: false }), 'en');
    expect(bare).not.toContain('sub-suppliers');
  });

  it('says in the reader’s language what is wrong with a supplier, and keeps it', () => {
    const typed = { yarnNm: 40, proposal: { name: 'Hilatura', contactEmail: 'nobody', materialType: 'elastane' } };
    const errors = [{ path: 'proposal.contactEmail', code: 'invalid', message: 'Invalid email' }];
    const html = renderFactoryForm(sampleForm({ typed, errors }), 'es');
    for (const kept of ['value="40"', 'value="Hilatura"', 'value="nobody"', 'value="elastane" selected']) {
      expect(html).toContain(kept);
    }
    expect(html).toContain('href="#field-proposal-contactEmail"');
    expect(textOf(html)).toContain(
      `Correo de un contacto allí: ${FACTORY_FORM_TEXTS.es.proposals.errors.contactEmail}`,
    );
    expect(html).not.toContain('Invalid email');
    expect(textOf(renderFactoryForm(sampleForm({ typed, notice: 'proposed' }), 'de'))).toContain(
      'Der Lieferant ist genannt',
    );
  });

  it('offers the processes and fuels that the score knows', () => {
    for (const process of FABRIC_PROCESSES) expect([...FACTOR_TABLES.processes.keys(), 'weaving']).toContain(process);
    for (const fuel of DYEING_FUELS)
      expect([...FACTOR_TABLES.heat.keys()].some((key) => key.startsWith(`${fuel}/`))).toBe(true);
  });

  it('asks for a facility only if the factory keeps any', () => {
    const bare = sampleForm({}, { known: { facilities: [], certificates: [] } });
    expect(renderFactoryForm(bare, 'en')).not.toContain('facilityId');
  });

  it('keeps what was typed and shows each error at its field and in the summary', () => {
    const typed = parseFactoryForm({
      productWeightKg: '0,18',
      cuttingLossPct: '120',
      makingElectricityKwh: 'about 200',
      'countries.making': 'PT',
      'certificates.1.type': 'GOTS',
      'certificates.1.validUntil': '31.01.2027',
      notes: 'first\nsecond',
    });
    const errors = [
      { path: 'cuttingLossPct', code: 'too_big', message: 'must be below 100' },
      { path: 'makingElectricityKwh', code: 'invalid_type', message: 'expected number, received string' },
      { path: 'certificates.0.validUntil', code: 'invalid', message: 'must be a day' },
    ];
    const html = renderFactoryForm(sampleForm({ typed, errors }), 'en');
    expect(html).toContain('value="0.18"');
    expect(html).toContain('value="120"');
    expect(html).toContain('value="about 200"');
    expect(html).toContain('value="31.01.2027"');
    expect(html).toMatch(/<option value="PT" selected/);
    expect(html).toContain('first\nsecond</textarea>');
    expect(html.match(/aria-invalid="true"/g)).toHaveLength(3);
    expect(html).toMatch(
      /name="cuttingLossPct" aria-describedby="field-cuttingLossPct-help field-cuttingLossPct-error"/,
    );
    expect(html).toContain('id="field-cuttingLossPct-error">must be below 100');
    expect(html).toContain('href="#field-certificates-0-validUntil"');
    expect(textOf(html)).toContain('3 fields need your attention');
    expect(textOf(html)).toContain('Write a number such as 1250 or 12.5');
    expect(textOf(html)).not.toContain('received string');
    expect(html).toContain('name="certificates.3.type"');
  });

  it('fills in the draft, else what was sent before, else the certificates that the factory keeps', () => {
    const known = {
      facilities: [],
      certificates: [{ type: 'OCS', number: '7', issuer: null, validFrom: null, validUntil: null }],
    };
    expect(renderFactoryForm(sampleForm({}, { known }), 'en')).toContain('value="OCS"');
    const sent = sampleForm(
      {},
      { known, state: 'changes_requested', feedback: 'Weigh it again', submitted: { yarnNm: 41 } },
    );
    expect(renderFactoryForm(sent, 'en')).toContain('value="41"');
    expect(textOf(renderFactoryForm(sent, 'en'))).toContain('Nordhaven asks for changes Weigh it again');
    const drafted = sampleForm({}, { known, submitted: { yarnNm: 41 }, draft: { yarnNm: 42 } });
    expect(renderFactoryForm(drafted, 'en')).toContain('value="42"');
  });

  it('keeps a choice that it does not know', () => {
    const html = renderFactoryForm(sampleForm({ typed: { dyeing: { fuel: 'peat' } } }), 'en');
    expect(html).toMatch(/<option value="peat" selected[^>]*>peat/);
  });

  it('thanks after the submission, and shows what was sent, to be read only', () => {
    const submitted = { yarnNm: 40, countries: { making: 'PT' }, fabricProcess: 'weaving', notes: 'x' };
    const html = renderFactoryForm(
      sampleForm({ editable: false, notice: 'submitted' }, { state: 'submitted', submitted }),
      'en',
    );
    expect(textOf(html)).toContain('Thank you');
    expect(textOf(html)).toContain('Yarn count (Nm) 40 Nm');
    expect(textOf(html)).toContain('Portugal');
    expect(html).not.toContain('<form');
  });

  it('lets a sub-supplier change its answer until the passport is published', () => {
    const html = renderFactoryForm(sampleForm({}, { tier: 2, state: 'submitted', submitted: { yarnNm: 40 } }), 'en');
    expect(html).toContain('<form');
    expect(textOf(html)).toContain('You can change your answer until the passport is published');
  });

  it('is read-only after publication, says when a draft was saved, and names dead links', () => {
    const batch = { poReference: 'PO', quantity: 1, unit: 'piece', state: 'published' } as const;
    const published = renderFactoryForm(sampleForm({ editable: false }, { batch, state: 'emailed' }), 'en');
    expect(textOf(published)).toContain('nothing was submitted with this link');
    expect(published).not.toContain('<form');
    expect(textOf(renderFactoryForm(sampleForm({ notice: 'draft_saved' }), 'en'))).toContain('Draft saved');
    expect(textOf(renderFactoryLinkGone('withdrawn', 'de'))).toContain('zurückgezogen');
    expect(textOf(renderFactoryLinkGone('declined', 'tr'))).toContain('yeniden davet etmesini isteyin');
    expect(textOf(renderFactoryLinkGone('unknown', 'es'))).toContain('no se conoce');
  });

  it('escapes markup in every text field', () => {
    const row = { type: MARKUP, number: MARKUP, issuer: MARKUP, validFrom: MARKUP, validUntil: MARKUP };
    const data = {
      productWeightKg: MARKUP,
      productionDate: MARKUP,
      facilityId: MARKUP,
      countries: { making: MARKUP },
      fabricProcess: MARKUP,
      dyeing: { fuel: MARKUP },
      notes: MARKUP,
      certificates: [row],
    };
    const request = {
      notes: MARKUP,
      feedback: MARKUP,
      factoryName: MARKUP,
      brand: { name: MARKUP },
      state: 'changes_requested' as const,
      product: {
        name: MARKUP,
        sku: MARKUP,
        materials: [{ materialType: MARKUP, percentage: 1, originCountry: MARKUP }],
      },
      batch: { poReference: MARKUP, quantity: 1, unit: MARKUP, state: 'sent' as const },
      known: { facilities: [{ id: MARKUP, name: MARKUP, country: MARKUP }], certificates: [] },
      submitted: data,
      proposals: [
        {
          ...{ id: 'pro_1', state: 'proposed' as const, materialType: MARKUP },
          ...{ name: MARKUP, contactEmail: MARKUP, country: MARKUP },
        },
      ],
    };
    const errors = [
      { path: MARKUP, code: 'x', message: MARKUP },
      { path: 'notes', code: 'x', message: MARKUP },
    ];
    for (const form of [{ typed: data, errors }, { editable: false }]) {
      const html = renderFactoryForm(sampleForm(form, request), 'en');
      expect(html).not.toMatch(/<img|<script/i);
      expect(html).toContain('&lt;img');
    }
  });
});
