import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { listPassports } from '../../../projections/passports/queries.js';
import { access } from '../../http/access.js';
import type { AppDependencies } from '../../http/dependencies.js';
import { pageQuery as listQuery } from '../../http/schemas.js';
import { findProduct } from '../products/index.js';
import { latestVersion } from './decider.js';
import { findPassport } from './handlers.js';
import { passportPages } from './page.js';
import { createQrCodes } from './qr-codes.js';
import { passportList, passportParams, productIdParams, qrQuery, rawAnswer } from './schemas.js';

const tags = ['Passports'];
const DEFAULT_PNG_PX = 512;

export const passportRoutes =
  (deps: AppDependencies): FastifyPluginAsyncZod =>
  async (app) => {
    const qrCode = createQrCodes();

    app.route({
      method: 'GET',
      url: '/brand/dpps',
      config: { access: access.read },
      schema: {
        operationId: 'listPassports',
        summary: 'List published passports, the latest first',
        tags,
        querystring: listQuery,
        response: { 200: passportList },
      },
      handler: ({ member, query }) => listPassports(deps.database, member.organizationId, {}, query),
    });

    app.route({
      method: 'GET',
      url: '/brand/dpps/by-product/:productId',
      config: { access: access.read },
      schema: {
        operationId: 'listPassportsOfProduct',
        summary: 'List the published passports of a product',
        tags,
        params: productIdParams,
        querystring: listQuery,
        response: { 200: passportList },
      },
      handler: async ({ member: { organizationId }, params: { productId }, query }) => {
        await findProduct(deps, { productId, organizationId });
        return listPassports(deps.database, organizationId, { productId }, query);
      },
    });

    app.route({
      method: 'GET',
      url: '/brand/qr/:dppId',
      config: { access: access.read },
      schema: {
        operationId: 'getQrCode',
        summary: "The QR code of a passport's page, as an image or a label to print",
        tags,
        params: passportParams,
        querystring: qrQuery,
        produces: ['image/svg+xml', 'image/png', 'application/pdf'],
        response: { 200: rawAnswer('The image, or the label') },
      },
      handler: async ({ member: { organizationId }, params: { dppId }, query: { format, size } }, reply) => {
        const passport = await findPassport(deps, { dppId, organizationId });
        const { qrUrl, gtin, serial } = passport.identity;
        // The code of a passport never changes; the label shows the product's name, which may.
        void reply.header('Cache-Control', format === 'pdf' ? 'private, no-cache' : 'private, max-age=86400');
        switch (format) {
          case 'svg':
            return reply.type('image/svg+xml').send(await qrCode({ format, url: qrUrl, sizePx: size ?? null }));
          case 'png':
            return reply.type('image/png').send(await qrCode({ format, url: qrUrl, sizePx: size ?? DEFAULT_PNG_PX }));
          case 'pdf': {
            const { productName } = latestVersion(passport).content;
            return reply.type('application/pdf').send(await qrCode({ format, url: qrUrl, productName, gtin, serial }));
          }
        }
      },
    });

    await app.register(passportPages(deps));
  };
