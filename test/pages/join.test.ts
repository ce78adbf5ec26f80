import { describe, expect, it } from 'vitest';
import { LOCALES, renderErrorPage, renderJoinPage, renderTeamPage } from '../../src/pages/index.js';
import { JOIN_TEXTS } from '../../src/pages/texts/index.js';
import { MARKUP } from './support/samples.js';
import { textOf } from './support/texts.js';

const open = {
  state: 'open',
  brandName: 'Nordhaven',
  factoryName: 'Malhas do Ave',
  email: 'ana@malhas.example',
  notes: 'Welcome!',
  action: '/join/abc',
  typed: null,
  errors: [],
} as const;
const waiting = {
  brandName: 'Nordhaven',
  productName: 'Everyday Tee',
  poReference: 'PO-1',
  quantity: 500,
  unit: 'piece',
  state: 'emailed',
  href: '/f/abc',
} as const;

describe('the join page', () => {
  it('says who invites, asks for name and password, and offers to decline', () => {
    const html = renderJoinPage(open, 'en');
    expect(textOf(html)).toContain('Nordhaven invites you');
    expect(textOf(html)).toContain('Malhas do Ave');
    expect(html).toMatch(/name="displayName"/);
    expect(html).toMatch(/name="password"[^>]* type="password"/);
    expect(html).toMatch(/type="email"[^>]* readonly[^>]* value="ana@malhas\.example"/i);
    expect(html).toContain('name="action" value="decline"');
    expect(html).toContain('method="post" action="/join/abc?lang=en"');
  });

  it('keeps the name after an error, never the password, and marks the field', () => {
    const html = renderJoinPage(
      { ...open, typed: { displayName: 'Ana' }, errors: [{ path: 'password', code: 'x', message: 'is too short' }] },
      'en',
    );
    expect(html).toContain('value="Ana"');
    expect(html).toMatch(
      /name="password" aria-describedby="field-password-help field-password-error" aria-invalid="true"/,
    );
    expect(html).toContain('href="#field-password"');
  });

  it('says in the language of the page what is wrong', () => {
    const errors = ['displayName', 'password'].map((path) => ({ path, code: 'x', message: 'Too small' }));
    const team = { organizationName: 'N', role: 'editor', email: 'a@b.example', action: '/t', typed: null } as const;
    for (const locale of LOCALES) {
      for (const html of [
        renderJoinPage({ ...open, errors }, locale),
        renderTeamPage({ ...team, state: 'open', hasAccount: false, errors }, locale),
      ]) {
        expect(html).not.toContain('Too small');
        for (const said of Object.values(JOIN_TEXTS[locale].refused)) expect(textOf(html)).toContain(said);
      }
    }
  });

  it('shows the open requests with their links once the account is made', () => {
    const html = renderJoinPage({ ...open, state: 'joined', requests: [waiting] }, 'en');
    expect(html).toContain('href="/f/abc"');
    expect(textOf(html)).toContain('Everyday Tee – Nordhaven');
    expect(textOf(renderJoinPage({ ...open, state: 'joined', requests: [] }, 'en'))).toContain('Nothing waits for you');
  });

  it('lets a linked account decline, confirms a refusal, and names an unknown link', () => {
    expect(renderJoinPage({ ...open, state: 'linked', isShared: false, requests: [waiting] }, 'en')).toContain(
      'value="decline"',
    );
    const shared = renderJoinPage({ ...open, state: 'linked', isShared: true, requests: [waiting] }, 'en');
    expect(shared).not.toContain('<button');
    expect(textOf(shared)).toContain('sees what you keep');
    expect(textOf(renderJoinPage({ state: 'declined', brandName: 'N', factoryName: 'F' }, 'en'))).toContain(
      'You have declined',
    );
    expect(textOf(renderJoinPage({ state: 'invalid' }, 'de'))).toContain('nicht bekannt');
  });

  it('escapes markup in every text field', () => {
    const requests = [
      { ...waiting, brandName: MARKUP, productName: MARKUP, poReference: MARKUP, unit: MARKUP, href: MARKUP },
    ];
    const named = { brandName: MARKUP, factoryName: MARKUP, email: MARKUP, notes: MARKUP, action: MARKUP, requests };
    const errors = [
      { path: 'displayName', code: 'x', message: MARKUP },
      { path: MARKUP, code: 'x', message: MARKUP },
    ];
    for (const html of [
      renderJoinPage({ ...named, state: 'open', typed: { displayName: MARKUP }, errors }),
      renderJoinPage({ ...named, state: 'joined' }),
      renderJoinPage({ ...named, state: 'linked', isShared: true }),
      renderJoinPage({ ...named, state: 'declined' }),
      renderErrorPage({ status: 422, title: MARKUP, detail: MARKUP, requestId: MARKUP }, 'en'),
    ]) {
      expect(html).not.toMatch(/<img|<script/i);
      expect(html).toContain('&lt;img');
    }
  });
});

describe('the error page', () => {
  for (const [status, title] of [
    [404, 'nothing here'],
    [410, 'no longer good'],
    [429, 'Too many'],
    [422, 'did not work'],
    [503, 'try again'],
    [500, 'on our side'],
  ] as const) {
    it(`says in words what ${status} means, and the request's id`, () => {
      const text = textOf(renderErrorPage({ status, requestId: 'req-7' }, 'en'));
      expect(text).toContain(title);
      expect(text).toContain('req-7');
    });
  }
  it('says what it was told instead', () => {
    expect(
      textOf(renderErrorPage({ status: 409, title: 'Not now', detail: 'The batch is published.' }, 'en')),
    ).toContain('Not now The batch is published.');
  });
});
