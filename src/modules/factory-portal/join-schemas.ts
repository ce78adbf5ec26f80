import { z } from 'zod';
import { line, mailedName } from '../../http/schemas.js';

export const linkParams = z.object({ token: line(100) });

export const joinForm = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('join'),
    displayName: mailedName(),
    password: z.string().min(8).max(200),
  }),
  /** Of who has an account already: the address was linked at once. */
  z.object({ action: z.literal('accept') }),
  z.object({ action: z.literal('decline') }),
]);
