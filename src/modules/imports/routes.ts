import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { access } from '../../http/access.js';
import type { AppDependencies } from '../../http/dependencies.js';
import { commitRows } from './commit.js';
import type { RowOutcome } from './contract.js';
import { rowsOfJson } from './json-rows.js';
import { planRows, summaryOf } from './plan.js';
import { commitBody, importReport, validateBody } from './schemas.js';

const tags = ['Bulk import'];

export const importRoutes =
  (deps: AppDependencies): FastifyPluginAsyncZod =>
  async (app) => {
    const importDeps = { ...deps, consumerUrl: deps.config.CONSUMER_URL };

    app.route({
      method: 'POST',
      url: '/brand/bulk/validate',
      // A dry run: it reads, so whoever may read may call it.
      config: { access: access.validate },
      schema: {
        operationId: 'validateRows',
        summary: 'Say what an import would do, row by row; writes nothing',
        tags,
        body: validateBody,
        response: { 200: importReport },
      },
      handler: async ({ member, body: { mode, rows } }) =>
        answerOf(await planRows(deps, member.organizationId, rowsOfJson(rows), mode)),
    });

    app.route({
      method: 'POST',
      url: '/brand/bulk/commit',
      config: { access: access.import, creates: true },
      schema: {
        operationId: 'commitRows',
        summary: 'Import rows; sent again after a fault it finishes what it began and doubles nothing',
        tags,
        body: commitBody,
        response: { 200: importReport },
        refuses: ['plan_limit'],
      },
      handler: async (request) => {
        const { mode, rows } = request.body;
        const context = request.command();
        const source = { importId: context.newId('imp'), fileHash: null };
        return answerOf(await commitRows(importDeps, context, { source, mode, rows: rowsOfJson(rows) }));
      },
    });
  };

const answerOf = (outcomes: readonly RowOutcome[]) => ({
  summary: summaryOf(outcomes),
  rows: outcomes.map(({ passports: _passports, errors, warnings, ...outcome }) => ({
    ...outcome,
    errors: [...errors],
    warnings: [...warnings],
  })),
});
