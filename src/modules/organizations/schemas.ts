import { z } from 'zod';
import { id, name, timestamp } from '../../http/schemas.js';

const plan = z.enum(['free', 'pro']);
const role = z.enum(['owner', 'editor', 'auditor']);

export const organizationParams = z.object({ id: id('org') });

export const createBody = z.object({ name: name() });

export const planBody = z.object({ plan });

export const organization = z
  .object({ id: z.string(), name: z.string(), plan, createdAt: timestamp })
  .meta({ id: 'Organization' });

/** With the caller's place in it. */
export const ownOrganization = organization.extend({ role }).meta({ id: 'OwnOrganization' });

export const organizationListItem = z
  .object({ id: z.string(), name: z.string(), plan, role })
  .meta({ id: 'OrganizationListItem' });
