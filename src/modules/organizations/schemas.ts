import { z } from 'zod';
import { id, mailedName, timestamp } from '../../http/schemas.js';
import { plan, role } from '../../http/vocabulary.js';

export const organizationParams = z.object({ id: id('org') });

export const createBody = z
  .object({ name: mailedName() })
  .meta({ id: 'CreateOrganization', examples: [{ name: 'Nordfaden' }] });

export const planBody = z.object({ plan }).meta({ id: 'ChangePlan', examples: [{ plan: 'pro' }] });

export const organization = z
  .object({ id: z.string(), name: z.string(), plan, createdAt: timestamp })
  .meta({ id: 'Organization', description: 'A brand' });

/** With the caller's place in it. */
export const ownOrganization = organization
  .extend({ role })
  .meta({ id: 'OwnOrganization', description: "A brand, and the caller's place in it" });

export const organizationListItem = z
  .object({ id: z.string(), name: z.string(), plan, role })
  .meta({ id: 'OrganizationListItem', description: "One of the caller's brands" });
