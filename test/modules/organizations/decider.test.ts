import { describe, test } from 'vitest';
import { organizationDecider } from '../../../src/modules/organizations/decider.js';
import type { OrganizationEvent } from '../../../src/modules/organizations/events.js';
import { given } from '../../support/given.js';

const organizationId = 'org_1';
const created: OrganizationEvent = {
  type: 'OrganizationCreated',
  data: { organizationId, name: 'Nordfaden', ownerId: 'usr_1' },
};
const changedTo = (plan: 'free' | 'pro'): OrganizationEvent => ({
  type: 'OrganizationPlanChanged',
  data: { organizationId, plan },
});
const create = { type: 'CreateOrganization', organizationId, name: 'Nordfaden', ownerId: 'usr_1' } as const;
const change = (plan: 'free' | 'pro') => ({ type: 'ChangePlan', organizationId, plan }) as const;

describe('creating an organization', () => {
  test('makes the caller its owner', () => {
    given(organizationDecider, []).when(create).then(created);
  });
  test('does nothing when the same call comes again', () => {
    given(organizationDecider, [created]).when(create).thenNothing();
  });
  test("refuses the id of somebody else's", () => {
    given(organizationDecider, [created])
      .when({ ...create, ownerId: 'usr_2' })
      .thenRefuses('concurrent_change');
  });
});

describe('changing the plan', () => {
  test('moves from free to pro and back', () => {
    given(organizationDecider, [created]).when(change('pro')).then(changedTo('pro'));
    given(organizationDecider, [created, changedTo('pro')])
      .when(change('free'))
      .then(changedTo('free'));
  });
  test('does nothing when the plan is that already', () => {
    given(organizationDecider, [created]).when(change('free')).thenNothing();
  });
  test('refuses an organization that does not exist, naming it', () => {
    given(organizationDecider, []).when(change('pro')).thenRefuses('not_found', /org_1/);
  });
});
