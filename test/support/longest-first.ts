import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take about a quarter of a minute or more, the longest first. */
const LONG = [
  'modules/file-imports/killed-imports',
  'modules/file-imports/file-import',
  'e2e/whole-service',
  'pages/browser',
  'workflows/webhook-ending',
  'workflows/certificate-expiry',
  'workflows/fan-out',
  'workflows/receivers',
  'workflows/webhook-delivery',
  'contract/failures',
  'modules/batches/supplier-requests',
  'projections/projector',
  'embedded/supervisor',
  'modules/batches/routes',
  'http/killed-api',
  'pages/supplier',
  'workflows/outages',
  'modules/imports/killed',
  'http/permissions',
  'projections/plans',
  'workflows/webhook-schedule',
  'modules/suppliers/routes',
  'modules/accounts/accounts',
  'projections/changes',
  'modules/imports/races',
  'modules/accounts/limits',
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
