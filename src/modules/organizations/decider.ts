import { assertNever } from '../../core/assert-never.js';
import type { Decider } from '../../core/decider.js';
import { Refusal } from '../../core/errors.js';
import type { Plan } from '../../core/vocabulary.js';
import type { OrganizationEvent } from './events.js';

export type OrganizationCommand =
  | {
      readonly type: 'CreateOrganization';
      readonly organizationId: string;
      readonly name: string;
      readonly ownerId: string;
    }
  | { readonly type: 'ChangePlan'; readonly organizationId: string; readonly plan: Plan };

export type OrganizationState =
  | { readonly status: 'none' }
  | {
      readonly status: 'active';
      readonly organizationId: string;
      readonly name: string;
      readonly ownerId: string;
      readonly plan: Plan;
    };

export const organizationDecider: Decider<OrganizationState, OrganizationCommand, OrganizationEvent> = {
  initialState: { status: 'none' },

  decide: (command, state) => {
    switch (command.type) {
      case 'CreateOrganization': {
        const { organizationId, name, ownerId } = command;
        if (state.status === 'none') return [{ type: 'OrganizationCreated', data: { organizationId, name, ownerId } }];
        if (state.ownerId === ownerId) return [];
        throw new Refusal('concurrent_change', `The organization "${organizationId}" is somebody else's.`);
      }
      case 'ChangePlan': {
        const { organizationId, plan } = command;
        if (state.status === 'none') throw new Refusal('not_found', `There is no organization "${organizationId}".`);
        return state.plan === plan ? [] : [{ type: 'OrganizationPlanChanged', data: { organizationId, plan } }];
      }
      default:
        return assertNever(command);
    }
  },

  evolve: (state, event) => {
    switch (event.type) {
      case 'OrganizationCreated':
        return { status: 'active', plan: 'free', ...event.data };
      case 'OrganizationPlanChanged':
        return state.status === 'none' ? state : { ...state, plan: event.data.plan };
      default:
        return state;
    }
  },
};
