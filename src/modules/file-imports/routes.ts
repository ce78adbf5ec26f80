import { Readable } from 'node:stream';
import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { notFound } from '../../core/errors.js';
import { access } from '../../http/access.js';
import type { AppDependencies } from '../../http/dependencies.js';
import { receiveFiles } from '../../http/file-upload.js';
import { listOf, ok, pageQuery } from '../../http/schemas.js';
import { createSpreadsheetReader } from '../../infrastructure/spreadsheets/reader.js';
import { refuseUnknownFields } from './mapping.js';
import { errorWorkbook } from './error-workbook.js';
import { sendFile } from './file-answer.js';
import { createProgressStreams } from './progress-stream.js';
import { progressOf, reportJson } from './progress.js';
import { cancelImport, runOf, startFileImport } from './handlers.js';
import { listRuns } from './runs.js';
import {
  fileAnswer,
  fileOptions,
  fileParams,
  fileTypeParams,
  importAnswer,
  importProgress,
  mappingBody,
  rawAnswer,
  savedMappingAnswer,
  startedAnswer,
  uploadBody,
} from './schemas.js';
import { deleteMapping, saveMapping, savedMapping } from './store.js';
import { templateWorkbook } from './template-workbook.js';
import { keepUpload, reportFile, uploadOf } from './upload.js';

const tags = ['Bulk import'];
const MIB = 1024 * 1024;
const FILE_TYPE = /^[0-9a-f]{64}$/;
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Files at once in one process, each with a thread: two cores, and up to 600 MB for the worst file that is allowed. */
const FILES_AT_ONCE = 2;
const MAX_COLUMNS = 256;
const READ_LIMIT_MS = 60_000;
const READ_MEMORY_MB = 600;

export const fileImportRoutes =
  (deps: AppDependencies): FastifyPluginAsyncZod =>
  async (app) => {
    const { config, database } = deps;
    const limits = {
      rows: config.IMPORT_MAX_ROWS,
      ...{ columns: MAX_COLUMNS, timeLimitMs: READ_LIMIT_MS, memoryMb: READ_MEMORY_MB },
    };
    const files = {
      ...deps,
      maxRows: config.IMPORT_MAX_ROWS,
      reader: createSpreadsheetReader({ limits, atOnce: FILES_AT_ONCE }),
    };
    const receivedFile = await receiveFiles(app, { maxBytes: config.IMPORT_MAX_FILE_MIB * MIB });
    const closing = new AbortController();
    app.addHook('preClose', async () => closing.abort());
    const progressStream = createProgressStreams(database, closing.signal);
    let template: Promise<Buffer> | null = null;

    app.route({
      method: 'POST',
      url: '/brand/bulk/files',
      // The answer shows cells, which an erasure must reach: it is not kept but made anew.
      config: { access: access.import, creates: 'again', receivesFile: true },
      schema: {
        operationId: 'uploadFile',
        summary: 'Upload an .xlsx or CSV file: its columns, the mapping proposed, and what importing it would do',
        tags,
        consumes: ['multipart/form-data'],
        body: uploadBody,
        response: { 201: fileAnswer },
        refuses: ['plan_limit', 'file_unreadable'],
      },
      handler: async (request, reply) => {
        const { mode, mapping = {}, sheet, encoding, file } = request.body;
        const { path } = receivedFile(request);
        const upload = await keepUpload(files, request.command(), {
          ...{ path, sha256: file.sha256, plan: request.member.plan, mode, mapping, options: { sheet, encoding } },
        });
        return sendFile(reply, 201, await reportFile(deps, upload, { mode: upload.mode, mapping }));
      },
    });

    app.route({
      method: 'GET',
      url: '/brand/bulk/files/:id',
      config: { access: access.read },
      schema: {
        operationId: 'getFile',
        summary: 'Read an uploaded file and its validation again',
        tags,
        params: fileParams,
        response: { 200: fileAnswer },
      },
      handler: async ({ params, member }, reply) => {
        const upload = await uploadOf(deps, member.organizationId, params.id);
        return sendFile(reply, 200, await reportFile(deps, upload, { mode: upload.mode, mapping: {} }));
      },
    });

    app.route({
      method: 'POST',
      url: '/brand/bulk/files/:id/validate',
      config: { access: access.import },
      schema: {
        operationId: 'validateFile',
        summary: 'Validate all rows of an uploaded file with another mapping or mode; writes nothing',
        tags,
        params: fileParams,
        body: fileOptions,
        response: { 200: fileAnswer },
      },
      handler: async ({ params, body, member }, reply) => {
        const upload = await uploadOf(deps, member.organizationId, params.id);
        const { mode = upload.mode, mapping = {} } = body;
        return sendFile(reply, 200, await reportFile(deps, upload, { mode, mapping }));
      },
    });

    app.route({
      method: 'POST',
      url: '/brand/bulk/files/:id/commit',
      config: { access: access.import, creates: true },
      schema: {
        operationId: 'commitFile',
        summary:
          'Import an uploaded file; it goes on by itself, and a second call that says the same answers the same import',
        tags,
        params: fileParams,
        body: fileOptions,
        response: { 202: startedAnswer },
        refuses: ['plan_limit', 'name_unmapped', 'import_differs'],
      },
      handler: async (request, reply) => {
        const { mode, mapping } = request.body;
        const order = { fileId: request.params.id, plan: request.member.plan, mode, mapping };
        const { id } = await startFileImport(deps, request.command(), order);
        return reply.code(202).send({ importId: id });
      },
    });

    app.route({
      method: 'GET',
      url: '/brand/bulk/imports',
      config: { access: access.read },
      schema: {
        operationId: 'listImports',
        summary: 'List imports of files, newest first',
        tags,
        querystring: pageQuery,
        response: { 200: listOf(importProgress) },
      },
      handler: async ({ query, member }) => {
        const { data, ...more } = await listRuns(database, member.organizationId, query);
        return { data: data.map(progressOf), ...more };
      },
    });

    app.route({
      method: 'GET',
      url: '/brand/bulk/imports/:id',
      config: { access: access.read },
      schema: {
        operationId: 'getImport',
        summary: 'How far an import is, and its report once it is over',
        tags,
        params: fileParams,
        response: { 200: importAnswer },
      },
      handler: async ({ params, member }, reply) => {
        const run = await runOf(deps, member.organizationId, params.id);
        // As long as the file, so written piece by piece, and by nobody checked again.
        return reply.type('application/json; charset=utf-8').send(Readable.from(reportJson(database, run)) as never);
      },
    });

    app.route({
      method: 'GET',
      url: '/brand/bulk/imports/:id/events',
      config: { access: access.read },
      schema: {
        operationId: 'followImport',
        summary: 'The progress of an import as Server-Sent Events: `progress`, and `ended` as the last',
        tags,
        params: fileParams,
        produces: ['text/event-stream'],
        response: { 200: rawAnswer('Events, until the import is over') },
      },
      handler: async ({ params, member }, reply) => {
        const run = await runOf(deps, member.organizationId, params.id);
        return reply
          .type('text/event-stream; charset=utf-8')
          .header('X-Accel-Buffering', 'no')
          .send(progressStream(run, member));
      },
    });

    app.route({
      method: 'POST',
      url: '/brand/bulk/imports/:id/cancel',
      config: { access: access.import },
      schema: {
        operationId: 'cancelImport',
        summary: 'Stop an import before its next rows; what is done stays',
        tags,
        params: fileParams,
        response: { 200: importProgress },
        refuses: ['import_over'],
      },
      handler: async ({ params, member }) => progressOf(await cancelImport(deps, member.organizationId, params.id)),
    });

    app.route({
      method: 'GET',
      url: '/brand/bulk/imports/:id/errors.xlsx',
      config: { access: access.read },
      schema: {
        operationId: 'downloadImportErrors',
        summary: 'The rows that failed, with what is wrong: to be corrected and uploaded as it is',
        tags,
        params: fileParams,
        produces: [XLSX],
        response: { 200: rawAnswer('An .xlsx workbook') },
      },
      handler: async ({ params, member }, reply) => {
        const run = await runOf(deps, member.organizationId, params.id);
        return reply
          .type(XLSX)
          .header('Content-Disposition', 'attachment; filename="errors.xlsx"')
          .send(await errorWorkbook(database, run));
      },
    });

    app.route({
      method: 'GET',
      url: '/brand/bulk/template.xlsx',
      config: { access: access.read },
      schema: {
        operationId: 'downloadImportTemplate',
        summary: 'A workbook to fill in: columns, examples, drop-down lists and what each column holds',
        tags,
        produces: [XLSX],
        response: { 200: rawAnswer('An .xlsx workbook') },
      },
      handler: async (_request, reply) =>
        reply
          .type(XLSX)
          .header('Content-Disposition', 'attachment; filename="template.xlsx"')
          .send(await (template ??= templateWorkbook())),
    });

    app.route({
      method: 'GET',
      url: '/brand/bulk/mappings/:fileType',
      config: { access: access.read },
      schema: {
        operationId: 'getMapping',
        summary: 'The mapping that is saved for files with the same columns',
        tags,
        params: fileTypeParams,
        response: { 200: savedMappingAnswer },
      },
      handler: async ({ params: { fileType }, member }) => {
        const mapping = await savedMapping(database, member.organizationId, fileType);
        if (mapping === null) throw notFound('mapping', fileType);
        return { fileType, mapping: { ...mapping } };
      },
    });

    app.route({
      method: 'PUT',
      url: '/brand/bulk/mappings/:fileType',
      config: { access: access.import },
      schema: {
        operationId: 'saveMapping',
        summary: 'Save a mapping for files with the same columns; it is applied when one is uploaded',
        tags,
        params: fileTypeParams,
        body: mappingBody,
        response: { 200: savedMappingAnswer },
      },
      handler: async ({ params: { fileType }, body: { mapping }, member: { organizationId } }) => {
        refuseUnknownFields(mapping);
        if (!FILE_TYPE.test(fileType)) throw notFound('file type', fileType);
        await saveMapping(database, { organizationId, fileType, mapping, now: deps.clock() });
        return { fileType, mapping };
      },
    });

    app.route({
      method: 'DELETE',
      url: '/brand/bulk/mappings/:fileType',
      config: { access: access.import },
      schema: {
        operationId: 'deleteMapping',
        summary: 'Forget a saved mapping',
        tags,
        params: fileTypeParams,
        response: { 200: ok },
      },
      handler: async ({ params: { fileType }, member }) => {
        if (!(await deleteMapping(database, member.organizationId, fileType))) throw notFound('mapping', fileType);
        return { ok: true as const };
      },
    });
  };
