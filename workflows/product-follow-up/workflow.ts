import { proxyActivities, sleep } from '@temporalio/workflow';
import { assertNever } from '../../src/core/assert-never.js';
import type { ProductFollowUpActivities } from './activities.js';
import type { ProductFollowUpInput } from './contract.js';

const steps = proxyActivities<ProductFollowUpActivities>({
  // A product with a thousand passports takes a quarter of a minute.
  startToCloseTimeout: '5 minutes',
  // Nobody else does it: it is tried until it works. Mostly it waits for the projector, which is milliseconds behind.
  retry: { initialInterval: '250 milliseconds', maximumInterval: '1 minute' },
});

/** A publication under way when the product changed has read either the old product or the new; it is out within these. */
const PAUSES = ['1 second', '10 seconds', '1 minute'] as const;

/** Does for all passports and batches what the call that changed the product did for the first few. */
export async function productFollowUp(input: ProductFollowUpInput): Promise<void> {
  switch (input.change) {
    case 'updated':
      for (const pause of PAUSES) {
        const { notOutYet } = await steps.republishProductPassports({ ...input, now: Date.now() });
        if (notOutYet === 0) return;
        await sleep(pause);
      }
      return;
    case 'deleted':
      await steps.withdrawProductBatches({ ...input, now: Date.now() });
      return;
    default:
      assertNever(input.change);
  }
}
