import { randomBytes } from 'node:crypto';
import { Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { beforeAll, expect, it } from 'vitest';
import { workflowBundle } from '../support/brand-story.js';
import { createPayloadCodec } from '../../src/infrastructure/temporal/payload-codec.js';
import { FAILURE_CONVERTER_PATH } from '../../src/infrastructure/temporal/place.js';
import { encoded, storedHistories, type StoredHistory } from '../support/histories.js';

const histories = await storedHistories();
let codePath: string;

beforeAll(async () => {
  codePath = await workflowBundle();
}, 60_000);

const codec = createPayloadCodec([randomBytes(32)]);

/** As a server keeps it, encrypted, and read by a worker that has the key. */
const replay = async (history: StoredHistory, payloadCodec = codec) => {
  const { events } = await encoded(history, codec);
  const dataConverter = { payloadCodecs: [payloadCodec], failureConverterPath: FAILURE_CONVERTER_PATH };
  await Worker.runReplayHistory({ workflowBundle: { codePath }, dataConverter }, { events }, 'batch/replayed');
};

it.each(histories)('goes on from "$name" as it was', async (history) => {
  await expect(replay(history)).resolves.toBeUndefined();
});

it('would notice a step that is not where it was', async () => {
  const [history] = histories;
  if (history === undefined) throw new Error('there are no stored histories');
  const changed = { ...history, events: withFirstActivityRenamed(history.events) };
  await expect(replay(changed)).rejects.toThrow(DeterminismViolationError);
});

it('needs the key that the history is under', async () => {
  const [history] = histories;
  if (history === undefined) throw new Error('there are no stored histories');
  await expect(replay(history, createPayloadCodec([randomBytes(32)]))).rejects.toThrow();
});

/** The first activity under another name: what a renamed or moved step looks like to a replay. */
function withFirstActivityRenamed(events: StoredHistory['events']): StoredHistory['events'] {
  const at = events.findIndex(({ eventType }) => eventType === 'EVENT_TYPE_ACTIVITY_TASK_SCHEDULED');
  return events.map((event, index) => {
    if (index !== at) return event;
    const attributes = event['activityTaskScheduledEventAttributes'] as Record<string, unknown>;
    return {
      ...event,
      activityTaskScheduledEventAttributes: { ...attributes, activityType: { name: 'somethingElse' } },
    };
  });
}
