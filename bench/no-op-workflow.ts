import { condition, defineUpdate, proxyActivities, setHandler } from '@temporalio/workflow';

export const answered = defineUpdate<string>('answered');

/** The least that an update-with-start can lead to. */
export async function noOp(): Promise<void> {
  let isAnswered = false;
  setHandler(answered, () => {
    isAnswered = true;
    return 'done';
  });
  await condition(() => isAnswered);
}

export interface NoOpActivities {
  doNothing: () => Promise<void>;
}

const { doNothing } = proxyActivities<NoOpActivities>({ startToCloseTimeout: '1 minute' });

/** The least that a workflow with an activity can be. */
export async function noOpWithActivity(): Promise<void> {
  await doNothing();
}
