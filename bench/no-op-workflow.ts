import { condition, defineUpdate, setHandler } from '@temporalio/workflow';

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
