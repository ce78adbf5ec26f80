import type { BatchEvent } from '../src/modules/batches/events.js';
import { batchLifecycleId, withdrawn } from './batch-lifecycle/contract.js';
import type { Reactions } from './reactor.js';

/** Event type -> what it leads to. The prefixes are subscribed to, so a type that is missing here is not even sent. */
export const REACTIONS: Reactions = {
  BatchWithdrawn: ({ data }) => {
    const { batchId } = data as Extract<BatchEvent, { type: 'BatchWithdrawn' }>['data'];
    return { kind: 'signal', workflowId: batchLifecycleId(batchId), signal: withdrawn };
  },
};
