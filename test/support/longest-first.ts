import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take more than a quarter of a minute, the longest first. */
const LONG = [
  'modules/imports/killed-imports',
  'modules/imports/file-import',
  'e2e/whole-service',
  'pages/browser',
  'projections/projector',
  'workflows/receivers',
  'workflows/fan-out',
  'embedded/supervisor',
  'workflows/webhook-delivery',
  'projections/plans',
  'workflows/outages',
  'workflows/webhook-ending',
  'contract/failures',
  'modules/batches/routes',
  'workflows/certificate-expiry',
  'http/killed-api',
  'workflows/webhook-schedule',
  'pages/supplier',
  'modules/imports/killed',
  'modules/suppliers/routes',
];

/**
 * Of each group the long files first, so that none of them is the last one that everybody waits for. A fresh checkout knows
 * nothing of earlier runs and would begin with the largest.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const group = (file: TestSpecification): number => file.project.config.sequence.groupOrder;
    const place = ({ moduleId }: TestSpecification): number => {
      const index = LONG.findIndex((name) => moduleId.includes(`/test/${name}.test.`));
      return index === -1 ? LONG.length : index;
    };
    return sorted.toSorted((one, other) => group(one) - group(other) || place(one) - place(other));
  }
}
