/** Lints the description of the interface: in this process, without services and without asking any other host. */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { declared } from './declared-routes.js';

const config = await createConfig(
  {
    extends: ['recommended-strict'],
    rules: {
      // `/health` can be refused nothing.
      'operation-4xx-response': 'off',
      'operation-operationId': 'error',
      'operation-singular-tag': 'error',
      'no-invalid-schema-examples': 'error',
      'no-invalid-media-type-examples': 'error',
      'no-invalid-parameter-examples': 'error',
      'operation-tag-defined': 'error',
      'tag-description': 'error',
    },
  },
  {},
);

const { description } = await declared();
const problems = await lintFromString({ source: JSON.stringify(description), absoluteRef: 'openapi.json', config });
for (const { severity, ruleId, message, location } of problems) {
  process.stderr.write(`${severity} ${ruleId}: ${message} (${location[0]?.pointer ?? ''})\n`);
}
process.stdout.write(`/openapi.json: ${problems.length} faults\n`);
process.exit(problems.length === 0 ? 0 : 1);
