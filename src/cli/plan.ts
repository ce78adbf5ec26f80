import { randomUUID } from 'node:crypto';
import { commandContext } from '../core/context.js';
import { PLANS, type Plan } from '../core/vocabulary.js';
import { withPrivateTexts } from '../infrastructure/event-store/private-event-store.js';
import { createPrivateTexts } from '../infrastructure/private-texts/private-texts.js';
import { joinDeployment } from '../modules/deployment/index.js';
import { changePlan } from '../modules/organizations/index.js';
import { PRIVATE_FIELDS } from '../private-fields.js';
import { command, print } from './command.js';

const isPlan = (text: string | undefined): text is Plan => PLANS.some((one) => one === text);

export const plan = command({
  name: 'plan',
  usage: [[`<organization> <${PLANS.join('|')}>`, 'change the plan of an organization']],
  settings: ['DATABASE_URL', 'EVENTSTORE_URL', 'ENCRYPTION_KEY'],
  read: ([organizationId, plan, ...more]): { organizationId: string; plan: Plan } | null =>
    organizationId && isPlan(plan) && more.length === 0 ? { organizationId, plan } : null,
  run: async (change, settings, open) => {
    const [database, log] = [open.database(settings), open.eventStore(settings)];
    await joinDeployment({ database, eventStore: log });
    const texts = createPrivateTexts({ database, encryptionKey: settings.ENCRYPTION_KEY });
    const eventStore = withPrivateTexts(log, PRIVATE_FIELDS, texts);
    const context = commandContext({
      organizationId: change.organizationId,
      actor: { type: 'operator', id: null },
      correlationId: `cli-${randomUUID()}`,
      now: Date.now(),
    });
    const changed = await changePlan(eventStore, context, change);
    print(`${changed.name} (${changed.id}) is on the plan ${changed.plan}.`);
    return 0;
  },
});
