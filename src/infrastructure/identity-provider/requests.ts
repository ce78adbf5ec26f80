import type { z } from 'zod';
import { Refusal } from '../../core/errors.js';

/** What a provider sends in answer to one call is never longer. */
const MAX_BYTES = 1024 * 1024;

/** Why the provider cannot be used now; the reason is for the log. */
export class ProviderUnavailable extends Refusal {
  readonly reason: string;

  constructor(reason: string) {
    super(
      'idp_unavailable',
      'The identity provider does not answer as it should; sign in with your password or later.',
    );
    this.reason = reason;
  }
}

interface ProviderAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** One call to the provider: JSON in answer, no redirect followed, nothing unbounded. */
export async function callProvider(
  url: string,
  { signal, ...init }: { readonly signal: AbortSignal } & Pick<RequestInit, 'method' | 'headers' | 'body'>,
): Promise<ProviderAnswer> {
  try {
    const response = await fetch(url, { ...init, signal, redirect: 'error' });
    return { status: response.status, body: JSON.parse(await boundedText(response)) as unknown };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
    throw new ProviderUnavailable(error instanceof Error ? `${error.message}${cause}` : 'no answer');
  }
}

/** The body of a 200 in the shape that the protocol demands. */
export function expectBody<Schema extends z.ZodType>(
  schema: Schema,
  { status, body }: ProviderAnswer,
  what: string,
): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (status !== 200 || !parsed.success) throw new ProviderUnavailable(`${what}: status ${status}, or not of its form`);
  return parsed.data;
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
