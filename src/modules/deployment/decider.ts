import { assertNever } from '../../core/assert-never.js';
import type { Decider } from '../../core/decider.js';
import type { DeploymentEvent } from './events.js';

export type DeploymentCommand =
  | { readonly type: 'Found'; readonly deploymentId: string }
  | { readonly type: 'Adopt'; readonly deploymentId: string; readonly formerPostgresId: string | null };

export type DeploymentState =
  | { readonly status: 'none' }
  | {
      readonly status: 'founded';
      readonly deploymentId: string;
      /** Of the log since its first event, whoever has adopted it: the workflows that it led to belong to it. */
      readonly logId: string;
    };

export const deploymentDecider: Decider<DeploymentState, DeploymentCommand, DeploymentEvent> = {
  initialState: { status: 'none' },
  decide,
  evolve,
};

function decide(command: DeploymentCommand, state: DeploymentState): readonly DeploymentEvent[] {
  const { deploymentId } = command;
  switch (command.type) {
    case 'Found':
      return state.status === 'none' ? [{ type: 'DeploymentFounded', data: { deploymentId } }] : [];
    case 'Adopt': {
      const formerStoreId = state.status === 'none' ? null : state.deploymentId;
      if (formerStoreId === deploymentId) return [];
      const { formerPostgresId } = command;
      return [{ type: 'DeploymentAdopted', data: { deploymentId, formerStoreId, formerPostgresId } }];
    }
    default:
      return assertNever(command);
  }
}

function evolve(state: DeploymentState, { type, data }: DeploymentEvent): DeploymentState {
  switch (type) {
    case 'DeploymentFounded':
    case 'DeploymentAdopted': {
      const { deploymentId } = data;
      return { status: 'founded', deploymentId, logId: state.status === 'none' ? deploymentId : state.logId };
    }
    default:
      return state;
  }
}
