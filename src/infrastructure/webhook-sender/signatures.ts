import { createHmac } from 'node:crypto';

/** For a day after a rotation there is more than one. */
export interface Secrets {
  readonly secret: string;
  /** The one that `secret` gives way to. */
  readonly next: string | null;
  /** Those between the two: they sign in `webhook-signature` alone. */
  readonly between?: readonly string[];
}

export interface Signed {
  readonly deliveryId: string;
  readonly event: string;
  /** Its UTF-8 bytes are what is sent and signed. */
  readonly body: string;
  /** When the attempt begins, in milliseconds. */
  readonly at: number;
}

/** The headers of one attempt: this service's three, and those of Standard Webhooks, which also cover id and time. */
export function signatureHeaders(secrets: Secrets, { deliveryId, event, body, at }: Signed): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  const keys = [secrets.secret, ...(secrets.between ?? []), ...(secrets.next === null ? [] : [secrets.next])];
  return {
    'X-Service-Signature': digestOfBody(secrets.secret, body),
    ...(secrets.next === null ? {} : { 'X-Service-Signature-Next': digestOfBody(secrets.next, body) }),
    'X-Service-Event': event,
    'X-Service-Delivery': deliveryId,
    'webhook-id': deliveryId,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map((key) => standardSignature(key, `${deliveryId}.${timestamp}.${body}`)).join(' '),
  };
}

/** Keyed with the bytes of the secret's whole text. */
const digestOfBody = (secret: string, body: string): string =>
  createHmac('sha256', Buffer.from(secret, 'utf8')).update(body, 'utf8').digest('hex');

/** Keyed with the bytes that the secret's text encodes. */
function standardSignature(secret: string, content: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(content, 'utf8').digest('base64')}`;
}
