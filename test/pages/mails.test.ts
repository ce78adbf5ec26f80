import { describe, expect, it } from 'vitest';
import {
  renderAccountMail,
  mailLocale,
  renderMemberMail,
  renderFactoryRequestMail,
  renderNoAnswerMail,
  renderSupplierInvitationMail,
  renderSupplierLinkedMail,
  type FactoryRequestMail,
} from '../../src/pages/mails/index.js';
import { FORM_LOCALES, LOCALES, negotiateMailLocale, type FormLocale } from '../../src/pages/index.js';
import { languageTag } from '../../src/pages/locale.js';
import { MARKUP } from './support/samples.js';
import { textOf } from './support/texts.js';

const LINK = 'https://passport.example.com/f/3q2-7wAAdGhpcyBpcyBhIHRva2VuIG9mIDMyIGJ5dGVz';

const request = (more: Partial<FactoryRequestMail> = {}): FactoryRequestMail => ({
  kind: 'request',
  brandName: 'Nordhaven',
  factoryName: 'Malhas do Ave',
  role: 'factory',
  product: { name: 'Everyday Tee', sku: 'NH-TEE-014' },
  batch: { poReference: 'PO-2026-0117', quantity: 1500, unit: 'piece' },
  notes: 'Please answer by Friday.\nThank you!',
  feedback: null,
  link: LINK,
  ...more,
});

const supplier = {
  brandName: 'Nordhaven',
  factoryName: 'Malhas do Ave',
  notes: 'Welcome',
  link: 'https://p.example/join/abc',
};

const KINDS = ['request', 'brand_reminder', 'reminder_1', 'reminder_2', 'changes_requested'] as const;

/** Every mail to a factory that holds the text wherever it can, in every language. */
const all = (text: string) => [
  ...FORM_LOCALES.flatMap((locale) => toFactories(text, locale)),
  renderNoAnswerMail({
    brandName: text,
    productName: text,
    poReference: text,
    factories: [text],
    remindedAfterDays: [7, 14],
  }),
];

const toFactories = (text: string, locale: FormLocale) => {
  const product = { name: text, sku: text };
  const batch = { poReference: text, quantity: 1, unit: text };
  const named = { brandName: text, factoryName: text, product, batch, notes: text, feedback: text };
  return [
    ...KINDS.map((kind) => renderFactoryRequestMail(request({ ...named, kind }), locale)),
    renderFactoryRequestMail(request({ ...named, role: 'sub_supplier' }), locale),
    renderSupplierInvitationMail({ ...supplier, brandName: text, factoryName: text, notes: text }, locale),
    renderSupplierLinkedMail({ ...supplier, brandName: text, factoryName: text, notes: text }, locale),
  ];
};

describe('a subject', () => {
  it.each(FORM_LOCALES)('has nothing to click, whatever the names hold: %s', (locale) => {
    const names = { brandName: 'Win at https://evil.example/x', product: { name: 'prize.evil.com', sku: null } };
    const mails = [
      ...KINDS.map((kind) => renderFactoryRequestMail(request({ ...names, kind, feedback: 'x' }), locale)),
      renderSupplierInvitationMail({ ...supplier, brandName: names.brandName }, locale),
      renderSupplierLinkedMail({ ...supplier, brandName: names.brandName }, locale),
    ];
    for (const { subject } of mails) {
      expect(subject).not.toMatch(/evil/);
      expect(subject).toContain('…');
    }
  });

  it.each(LOCALES)('of a mail to a member neither: %s', (locale) => {
    const mail = { kind: 'invited', organizationName: 'www.evil.com', role: 'editor', link: LINK } as const;
    expect(renderMemberMail(mail, locale).subject).not.toMatch(/evil/);
  });
});

describe('the mails', () => {
  it('say the same in text and in HTML: brand, product, order, quantity, notes and the link', () => {
    const mail = renderFactoryRequestMail(request());
    for (const part of [mail.text, textOf(mail.html)]) {
      for (const said of [
        'Nordhaven',
        'Malhas do Ave',
        'Everyday Tee',
        'NH-TEE-014',
        'PO-2026-0117',
        '1,500 pieces',
        'Please answer by Friday.',
        LINK,
      ]) {
        expect(part).toContain(said);
      }
    }
    expect(mail.html).toContain(`href="${LINK}"`);
    expect(mail.text).toContain('> Please answer by Friday.\n> Thank you!');
    expect(mail.subject).toBe('Nordhaven asks for production data: Everyday Tee');
  });

  it('tell a factory and a sub-supplier what each is asked for', () => {
    expect(renderFactoryRequestMail(request()).text).toContain('a batch that you produce');
    expect(renderFactoryRequestMail(request({ role: 'sub_supplier' })).text).toContain('a material from you');
  });

  it('remind twice, each in its own words, and pass on the wish for changes with the same link', () => {
    expect(renderFactoryRequestMail(request({ kind: 'reminder_1' })).text).toContain('A week ago');
    expect(renderFactoryRequestMail(request({ kind: 'reminder_2' })).text).toContain('the last reminder');
    expect(renderFactoryRequestMail(request({ kind: 'brand_reminder' })).text).toContain('asked us to remind you');
    const changes = renderFactoryRequestMail(request({ kind: 'changes_requested', feedback: 'Weigh it again.' }));
    expect(changes.text).toContain('> Weigh it again.');
    expect(changes.text).toContain(LINK);
    expect(renderFactoryRequestMail(request({ feedback: 'old' })).text).not.toContain('old');
  });

  it('invite with the link that also declines, and tell who was linked how to decline', () => {
    for (const mail of [renderSupplierInvitationMail(supplier), renderSupplierLinkedMail(supplier)]) {
      for (const part of [mail.text, textOf(mail.html)]) {
        expect(part).toContain(supplier.link);
        expect(part).toContain('Decline');
        expect(part).toContain('Welcome');
      }
    }
  });

  it('of accounts say in every language and in both parts what the link does, for how long, and what to do if nobody asked', () => {
    const DURATIONS = {
      magic_link: /15/,
      password_reset: /one hour|eine Stunde|une heure|un’ora|una hora|bir saat|一小时|uma hora/,
      verification: /three|drei|trois|tre|tres|üç|三|três/,
    };
    const subjects = new Set<string>();
    for (const locale of FORM_LOCALES) {
      for (const kind of ['magic_link', 'password_reset', 'verification'] as const) {
        const mail = renderAccountMail({ kind, link: `https://p.example/${kind}?token=a_-9` }, locale);
        subjects.add(mail.subject);
        for (const part of [mail.text, textOf(mail.html)]) {
          expect(part).toContain(`https://p.example/${kind}?token=a_-9`);
          expect(part).toMatch(DURATIONS[kind]);
        }
        expect(mail.html).toContain(`<html lang="${languageTag(locale)}">`);
        expect(mail.html).toContain(`href="https://p.example/${kind}?token=a_-9"`);
        expect(mail.subject).not.toContain('token');
      }
    }
    expect(subjects.size).toBe(24);
  });

  it('of members say in every language and in both parts who invites, as what, and where the way in is', () => {
    const link = 'https://p.example/join-team/a_-9';
    for (const locale of LOCALES) {
      for (const kind of ['invited', 'added'] as const) {
        const mail = renderMemberMail({ kind, organizationName: 'Tom &\r\nBcc: x', role: 'auditor', link }, locale);
        expect(mail.subject).toContain('Tom & Bcc: x');
        expect(mail.subject).not.toMatch(/[\r\n]/);
        for (const part of [mail.text, textOf(mail.html)]) {
          expect(part).toContain(link);
          expect(part).toMatch(/auditor|Prüfer|auditeur|revisore/);
          expect(part).not.toContain('undefined');
        }
        expect(mail.html).toContain('Tom &amp; Bcc: x');
        expect(mail.html).toContain(`<html lang="${locale}">`);
      }
    }
  });

  it.each(FORM_LOCALES)('to factories say all of it in %s, in both parts', (locale) => {
    const english = new Set(locale === 'en' ? [] : toFactories('N', 'en').map(({ subject }) => subject));
    const seen = new Set<string>();
    for (const kind of KINDS) {
      const feedback = 'Weigh it again.';
      const mail = renderFactoryRequestMail(request({ kind, feedback }), locale);
      const said = [...['Nordhaven', 'Malhas do Ave', 'Everyday Tee', 'NH-TEE-014', 'PO-2026-0117'], LINK];
      for (const part of [mail.text, textOf(mail.html)]) {
        for (const one of said) expect(part).toContain(one);
        expect(part).toMatch(/1[,.\s\u202f]?500/u);
        expect(part.includes(feedback)).toBe(kind === 'changes_requested');
        expect(part).not.toContain('undefined');
      }
      expect(mail.html).toContain(`<html lang="${languageTag(locale)}">`);
      seen.add(mail.subject);
    }
    expect(seen.size).toBe(KINDS.length);
    for (const { subject, text } of toFactories('N', locale)) {
      expect(english).not.toContain(subject);
      expect(text).not.toContain('undefined');
    }
  });

  it('speak the language that a factory has used, else that of its country, else English', () => {
    expect(mailLocale({ used: 'tr', country: 'DE' })).toBe('tr');
    expect(mailLocale({ used: 'en', country: 'CN' })).toBe('en');
    const of = (country: string | null) => mailLocale({ used: null, country });
    expect(['PT', 'BR', 'TR', 'CN', 'TW', 'DE', 'at', 'FR', 'IT', 'MX'].map(of)).toEqual([
      'pt',
      'pt',
      'tr',
      'zh',
      'zh',
      'de',
      'de',
      'fr',
      'it',
      'es',
    ]);
    // Several languages, none of ours, or nowhere.
    expect(['CH', 'BE', 'CA', 'HK', 'IN', 'BD', 'XX', '', null].map(of)).toEqual(Array<string>(9).fill('en'));
  });

  it('speak what the browser asked for, where the page had to fall back to English', () => {
    expect(negotiateMailLocale({ lang: 'en', acceptLanguage: 'tr-TR,tr;q=0.9' })).toBe('tr');
    expect(negotiateMailLocale({ lang: 'en', acceptLanguage: 'de' })).toBe('en');
    expect(negotiateMailLocale({ lang: 'fr', acceptLanguage: 'tr' })).toBe('fr');
    expect(negotiateMailLocale({ acceptLanguage: 'pt-BR' })).toBe('pt');
    expect(negotiateMailLocale({})).toBe('en');
  });

  it('tell the brand who has not answered', () => {
    const mail = renderNoAnswerMail({
      brandName: 'N',
      productName: 'Tee',
      poReference: null,
      factories: ['A Mill', 'B Mill'],
      remindedAfterDays: [5, 10],
    });
    expect(mail.text).toContain('2 factories have not answered your request');
    expect(mail.text).toContain('reminded after 5 and after 10 days');
    expect(mail.text).toContain('- A Mill\n- B Mill');
  });

  it('escape markup in every text field and fetch nothing', () => {
    for (const { html } of all(MARKUP)) {
      expect(html).not.toMatch(/<img|<script|<table|<link|url\(|src=(?!x onerror)/i);
      expect(html).toContain('&lt;img');
    }
  });

  it('keep names out of the headers: a subject is one line, and not endless', () => {
    for (const name of ['x\r\nBcc: victim@example.com', 'x\nBcc: a@b', 'x\u2028Bcc: a', 'x\u0085y', 'x\0y']) {
      for (const { subject } of all(name)) expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
    }
    for (const { subject } of all('👕'.repeat(300))) {
      expect([...subject].length).toBeLessThanOrEqual(180);
      expect(subject.isWellFormed()).toBe(true);
    }
  });

  it('keep a name with line breaks from imitating other lines of the text', () => {
    const { text } = renderFactoryRequestMail(request({ factoryName: 'Mill\n\nOpen the form:\nhttps://evil.example' }));
    expect(text).toContain('Hello Mill Open the form: https://evil.example,');
  });
});
