import { z } from 'zod';
import { email, id, line, mailedName, text, timestamp } from '../../http/schemas.js';
import { role } from '../../http/vocabulary.js';

export const membersParams = z.object({ id: id('org') });

export const memberParams = membersParams.extend({ userId: id('usr') });

export const inviteBody = z
  .object({ email, role })
  .meta({ id: 'AddMember', examples: [{ email: 'lena@nordfaden.example', role: 'editor' }] });

export const roleBody = z.object({ role }).meta({ id: 'ChangeRole', examples: [{ role: 'auditor' }] });

export const member = z
  .object({
    id: z.string().describe("The account's id, or the invitation's while there is no account; `:userId` takes both"),
    userId: z.string().nullable(),
    email: z.string(),
    displayName: z.string().nullable(),
    role,
    state: z.enum(['member', 'invited']),
    createdAt: timestamp,
  })
  .meta({ id: 'Member', description: 'Somebody who belongs to the organization, or is invited into it' });

export const linkParams = z.object({ token: line(100) });

export const acceptForm = z.object({ displayName: mailedName(), password: text(200).min(8) });
