import { expect, it } from 'vitest';
import { expiryOf } from '../../../src/modules/factory-portal/expiry.js';

const at = Date.parse;
const noon = at('2026-11-21T12:00:00Z');

it.each([
  ['in 31 days', '2026-12-22', { kind: 'later', noticeAt: at('2026-11-22T00:00:00Z') }],
  ['in 30 days', '2026-12-21', { kind: 'expiring', expiresAt: at('2026-12-22T00:00:00Z') }],
  ['in 29 days', '2026-12-20', { kind: 'expiring', expiresAt: at('2026-12-21T00:00:00Z') }],
  ['today', '2026-11-21', { kind: 'expiring', expiresAt: at('2026-11-22T00:00:00Z') }],
  ['yesterday', '2026-11-20', { kind: 'expired' }],
  ['in ten years', '2036-11-21', { kind: 'later', noticeAt: at('2036-10-22T00:00:00Z') }],
])('a certificate that ends %s', (_when, validUntil, expected) => {
  expect(expiryOf(validUntil, noon)).toEqual(expected);
});

it('is valid to the last moment of its last day, in UTC', () => {
  expect(expiryOf('2026-11-21', at('2026-11-21T23:59:59.999Z')).kind).toBe('expiring');
  expect(expiryOf('2026-11-21', at('2026-11-22T00:00:00Z')).kind).toBe('expired');
});
