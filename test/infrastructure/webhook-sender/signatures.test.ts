import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { signatureHeaders } from '../../../src/infrastructure/webhook-sender/signatures.js';

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
const [OLD, NEW] = [secretOf(1), secretOf(2)];
const SIGNED = { deliveryId: 'dlv_7', event: 'dpp.published', body: '{"name":"Bücher ☂"}', at: 1_795_000_000_999 };

/** By other code than ours. */
const openssl = (input: string, key: Buffer, ...format: string[]): Buffer =>
  execFileSync('openssl', ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${key.toString('hex')}`, ...format], {
    input,
  });
const digest = (secret: string): string =>
  openssl(SIGNED.body, Buffer.from(secret, 'utf8'), '-hex').toString().trim().split(' ').at(-1) ?? '';
const standard = (secret: string): string => {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${openssl(`dlv_7.1795000000.${SIGNED.body}`, key, '-binary').toString('base64')}`;
};

it('signs the bytes with the whole secret, and id, time and bytes with what it encodes', () => {
  expect(signatureHeaders({ secret: OLD, next: null }, SIGNED)).toEqual({
    'X-Service-Signature': digest(OLD),
    'X-Service-Event': 'dpp.published',
    'X-Service-Delivery': 'dlv_7',
    'webhook-id': 'dlv_7',
    'webhook-timestamp': '1795000000',
    'webhook-signature': standard(OLD),
  });
});

it('signs with both secrets for a day after a rotation; the old one keeps its place', () => {
  expect(signatureHeaders({ secret: OLD, next: NEW }, SIGNED)).toMatchObject({
    'X-Service-Signature': digest(OLD),
    'X-Service-Signature-Next': digest(NEW),
    'webhook-signature': `${standard(OLD)} ${standard(NEW)}`,
  });
});

it('signs with every secret of several rotations, the oldest and the newest in the two headers', () => {
  const between = [secretOf(3), secretOf(4)];
  expect(signatureHeaders({ secret: OLD, next: NEW, between }, SIGNED)).toMatchObject({
    'X-Service-Signature': digest(OLD),
    'X-Service-Signature-Next': digest(NEW),
    'webhook-signature': [OLD, ...between, NEW].map(standard).join(' '),
  });
});

it('signs another attempt with the same digest and another time', () => {
  const [first, second] = [SIGNED, { ...SIGNED, at: SIGNED.at + 60_000 }].map((signed) =>
    signatureHeaders({ secret: OLD, next: null }, signed),
  );
  expect(second?.['X-Service-Signature']).toBe(first?.['X-Service-Signature']);
  expect(second?.['webhook-timestamp']).toBe('1795000060');
  expect(second?.['webhook-signature']).not.toBe(first?.['webhook-signature']);
});
