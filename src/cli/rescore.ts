import { randomUUID } from 'node:crypto';
import { commandContext } from '../core/context.js';
import { Refusal } from '../core/errors.js';
import { withPrivateTexts } from '../infrastructure/event-store/private-event-store.js';
import { createPrivateTexts } from '../infrastructure/private-texts/private-texts.js';
import { PRIVATE_FIELDS } from '../private-fields.js';
import { bringUpToDate } from '../modules/publishing/index.js';
import { SCORE_METHODS } from '../score/methods.js';
import { command, print } from './command.js';

export const rescore = command({
  name: 'rescore',
  usage: [
    ['<organization> <batch>', 'score a published batch by the current method; its passport goes on with a version'],
  ],
  settings: ['DATABASE_URL', 'EVENTSTORE_URL', 'ENCRYPTION_KEY'],
  read: ([organizationId, batchId, ...more]): { organizationId: string; batchId: string } | null =>
    organizationId && batchId && more.length === 0 ? { organizationId, batchId } : null,
  run: async ({ organizationId, batchId }, settings, open) => {
    const database = open.database(settings);
    const texts = createPrivateTexts({ database, encryptionKey: settings.ENCRYPTION_KEY });
    const eventStore = withPrivateTexts(open.eventStore(settings), PRIVATE_FIELDS, texts);
    const context = commandContext({
      organizationId,
      actor: { type: 'operator', id: null },
      correlationId: `cli-${randomUUID()}`,
      now: Date.now(),
    });
    const isOut = await bringUpToDate({ eventStore, database }, context, batchId, 'current');
    if (!isOut) throw new Refusal('not_found', `There is no published batch "${batchId}".`);
    print(`The passport of ${batchId} is scored by ${SCORE_METHODS.current.methodVersion}.`);
    return 0;
  },
});
