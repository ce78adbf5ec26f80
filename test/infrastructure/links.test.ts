import { expect, test } from 'vitest';
import { factoryLinkToken, invitationToken, tokenHash } from '../../src/infrastructure/links.js';

const key = Buffer.alloc(32, 1);

test('a link is the same each time it is mailed, 32 bytes that cannot be told without the key', () => {
  const token = factoryLinkToken(key, 'req_1');
  expect(token).toBe(factoryLinkToken(key, 'req_1'));
  expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  const others = [
    factoryLinkToken(Buffer.alloc(32, 2), 'req_1'),
    factoryLinkToken(key, 'req_2'),
    invitationToken(key, 'sup_1'),
  ];
  expect(new Set([token, ...others]).size).toBe(4);
});

test('what is stored of a link does not open it', () => {
  const token = factoryLinkToken(key, 'req_1');
  expect(tokenHash(token)).toHaveLength(32);
  expect(tokenHash(tokenHash(token).toString('base64url'))).not.toEqual(tokenHash(token));
});
