import Fastify from 'fastify';
import pg from 'pg';
import { listProducts } from '../projections/products/queries.js';

/** The least that can answer the list: Fastify, pg and the query. Without a token, a schema, a request id or a log line. */
const [databaseUrl, organizationId, poolSize] = process.argv.slice(2);
if (databaseUrl === undefined || organizationId === undefined) throw new Error('needs a database and an organization');

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const database = new pg.Pool({ connectionString: databaseUrl, max: Number(poolSize) });
const app = Fastify();
app.get<{ Querystring: { limit: string } }>('/brand/products', (request) =>
  listProducts(database, organizationId, { limit: Number(request.query.limit), cursor: null }),
);
process.send?.({ url: await app.listen({ host: '127.0.0.1', port: 0 }) });
process.once('disconnect', () => process.exit(0));
