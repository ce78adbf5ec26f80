import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { z } from 'zod';
import { invalid } from '../../core/errors.js';
import { access } from '../../http/access.js';
import { certificate } from '../../http/catalogue-schemas.js';
import type { AppDependencies } from '../../http/dependencies.js';
import { receivedPart, receiveFiles } from '../../http/file-upload.js';
import { itemIn } from './catalogue.js';
import { attachFile, fileFor, MAX_FILE_BYTES, quotaOf } from './files.js';
import { certificateParams } from './schemas.js';
import { factoryOfAccount } from '../suppliers/index.js';

const tags = ['Factory'];

const EXTENSION = { 'application/pdf': 'pdf', 'image/png': 'png', 'image/jpeg': 'jpg' } as const;

const fileBody = z.object({ file: receivedPart.describe('The part `file`: a PDF, PNG or JPEG') });

/** Copies of certificates. */
export const certificateFileRoutes =
  (deps: AppDependencies): FastifyPluginAsyncZod =>
  async (app) => {
    const receivedFile = await receiveFiles(app, { maxBytes: MAX_FILE_BYTES });

    app.route({
      method: 'PUT',
      url: '/supplier/certificates/:id/file',
      config: { access: access.account, receivesFile: true },
      schema: {
        operationId: 'uploadCertificateFile',
        summary: 'Attach a copy of a certificate: a PDF, PNG or JPEG of at most 10 MiB',
        description: 'Multipart, part `file`. What the file is, is told by its content alone.',
        tags,
        consumes: ['multipart/form-data'],
        params: certificateParams,
        body: fileBody,
        response: { 200: certificate },
        refuses: ['file_quota', 'rate_limited'],
      },
      handler: async (request) => {
        const certificateId = request.params.id;
        const standing = await factoryOfAccount(deps.database, request.account.accountId);
        const { factoryId } = standing;
        const received = receivedFile(request);
        if (received.sizeBytes === 0) throw invalid('file', 'The file is empty.');
        const state = await attachFile(deps, request.command(), {
          ...{ factoryId, certificateId, received, quotaBytes: quotaOf(standing) },
        });
        return itemIn({ ...deps, baseUrl: deps.config.BASE_URL }, factoryId, state, 'certificates', certificateId);
      },
    });

    app.route({
      method: 'GET',
      url: '/supplier/certificates/:id/file',
      config: { access: access.account, page: true },
      schema: {
        operationId: 'downloadCertificateFile',
        summary: 'The copy of a certificate, for its factory and the brands that work with it',
        tags,
        params: certificateParams,
        produces: ['application/pdf', 'image/png', 'image/jpeg'],
        response: { 200: z.any().describe('The file') },
      },
      handler: async ({ account, params }, reply) => {
        const { content, mediaType, sha256, bytes } = await fileFor(deps, account.accountId, params.id);
        return reply
          .type(mediaType)
          .header('Content-Length', bytes)
          .header(
            'Content-Disposition',
            `attachment; filename="certificate-${sha256.slice(0, 12)}.${EXTENSION[mediaType]}"`,
          )
          .header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox")
          .header('Cross-Origin-Resource-Policy', 'same-origin')
          .header('Cache-Control', 'private, no-store')
          .send(content);
      },
    });
  };
