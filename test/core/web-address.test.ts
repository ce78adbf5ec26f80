import { describe, expect, it } from 'vitest';
import { holdsWebAddress, withoutWebAddresses } from '../../src/core/web-address.js';

describe('an address of the web', () => {
  it.each([
    'http://evil.example/x',
    'HTTPS://EVIL.EXAMPLE',
    'Win a prize at www.evil.test',
    'evil.com',
    'Visit evil.com.',
    'Visit Evil.Com, now',
    'evil.com.tr',
    'shop-evil.de',
    'bit.ly/3abc',
    't.co/x',
    'evil．com',
    'evil。com',
    'someone@evil.com',
    'müller.shop',
    'ftp://files',
    'evil.io?x=1',
  ])('is seen in %j', (text) => expect(holdsWebAddress(text)).toBe(true));

  it.each([
    'Shenzhen Textile Co.,Ltd.',
    'Shenzhen Textile CO.LTD',
    'Ege Tekstil San.ve Tic.Ltd.Şti.',
    'Ege İplik San. ve Tic. A.Ş.',
    'Confezioni Rossi S.p.A.',
    'Rossi S.r.l. Unipersonale',
    'Kowalski Sp.z o.o.',
    'Cia.de Malhas do Norte',
    'Ind. e Com. de Fios, Lda.',
    'A.P.C.',
    'Dr.Martens',
    'Tee No.7 v2.0',
    'Nordfaden GmbH & Co. KG',
    'H&M / COS',
    'Jean 13.5oz 60/40',
    'Pvt.Ltd.',
    'St.Patrick tee',
    '東洋紡株式会社',
    'Comfort.Common tee',
    'T-shirt "e.g."',
  ])('is not seen in %j', (text) => expect(holdsWebAddress(text)).toBe(false));

  it('is taken out of a text word by word', () => {
    expect(withoutWebAddresses('Win at https://evil.com/x now, or evil.com')).toBe('Win at … now, or …');
    expect(withoutWebAddresses('Nordfaden GmbH')).toBe('Nordfaden GmbH');
  });

  it('is looked for in time that grows with the text, whatever the text', () => {
    for (const piece of ['a', 'a.', '.', 'www', ':/', 'a.co', 'abcd.d', '-', '。', '\u{1D552}.']) {
      const text = piece.repeat(Math.ceil(100_000 / piece.length));
      const began = performance.now();
      holdsWebAddress(text);
      expect(performance.now() - began, piece).toBeLessThan(1_000);
    }
  });
});
