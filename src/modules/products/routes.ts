import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { listProducts } from '../../../projections/products/queries.js';
import { access } from '../../http/access.js';
import type { AppDependencies } from '../../http/dependencies.js';
import { ok, pageQuery } from '../../http/schemas.js';
import { createProduct, deleteProduct, readProduct, updateProduct, type ProductFollowUp } from './handlers.js';
import { newProduct, productChanges } from './input.js';
import { createProductBody, productDetail, productList, productParams, updateProductBody } from './schemas.js';

const tags = ['Products'];

export const productRoutes =
  ({ followUp, ...deps }: AppDependencies & { readonly followUp: ProductFollowUp }): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/brand/products',
      config: { access: access.read },
      schema: {
        operationId: 'listProducts',
        summary: 'List products, newest first',
        tags,
        querystring: pageQuery,
        response: { 200: productList },
      },
      handler: (request) => listProducts(deps.database, request.member.organizationId, request.query),
    });

    app.route({
      method: 'POST',
      url: '/brand/products',
      config: { access: access.write, creates: true },
      schema: {
        operationId: 'createProduct',
        summary: 'Create a product',
        tags,
        body: createProductBody,
        response: { 201: productDetail },
        refuses: ['not_found', 'sku_taken', 'gtin_taken', 'external_id_taken'],
      },
      handler: async (request, reply) => {
        const { fields, warnings } = newProduct(request.body);
        const product = await createProduct(deps, request.command(), fields);
        return reply.code(201).send(withWarnings(product, warnings));
      },
    });

    app.route({
      method: 'GET',
      url: '/brand/products/:id',
      config: { access: access.read },
      schema: {
        operationId: 'getProduct',
        summary: 'Read a product with its materials and their suppliers',
        tags,
        params: productParams,
        response: { 200: productDetail },
      },
      handler: ({ params, member }) =>
        readProduct(deps, { productId: params.id, organizationId: member.organizationId }),
    });

    app.route({
      method: 'PUT',
      url: '/brand/products/:id',
      config: { access: access.write },
      schema: {
        operationId: 'updateProduct',
        summary: 'Change any fields of a product; materials, when sent, replace all',
        tags,
        params: productParams,
        body: updateProductBody,
        response: { 200: productDetail },
        refuses: ['sku_taken', 'gtin_taken', 'external_id_taken', 'composition_required'],
      },
      handler: async (request) => {
        const { changes, warnings } = productChanges(request.body);
        const context = request.command();
        const { detail, product, changed } = await updateProduct(deps, context, request.params.id, changes);
        if (changed) await followUp.changed(context, product);
        return withWarnings(detail, warnings);
      },
    });

    app.route({
      method: 'DELETE',
      url: '/brand/products/:id',
      config: { access: access.write },
      schema: {
        operationId: 'deleteProduct',
        summary: 'Delete a product without published passports; its open batches are withdrawn',
        tags,
        params: productParams,
        response: { 200: ok },
        refuses: ['product_has_published_dpps'],
      },
      handler: async (request) => {
        const context = request.command();
        await deleteProduct(deps, context, request.params.id);
        await followUp.deleted(context, request.params.id);
        return { ok: true as const };
      },
    });
  };

const withWarnings = <Detail extends object, Warning>(detail: Detail, warnings: readonly Warning[]) =>
  warnings.length === 0 ? detail : { ...detail, warnings: [...warnings] };
