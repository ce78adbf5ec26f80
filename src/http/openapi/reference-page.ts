import Fastify, { type FastifyInstance } from 'fastify';

/** `/docs`: the description for people to read. */
export function referencePage(app: FastifyInstance): void {
  // Four megabytes of script, so it is read when somebody asks; served from here, as nothing may come from another host.
  let reference: Promise<FastifyInstance> | undefined;
  for (const url of ['/docs', '/docs/', '/docs/js/scalar.js']) {
    app.get(url, { config: { access: { kind: 'public' } }, schema: { hide: true } }, async (_request, reply) => {
      const { statusCode, headers, rawPayload } = await (await (reference ??= startReference())).inject(url);
      return reply
        .code(statusCode)
        .headers({
          'Content-Security-Policy': DOCS_POLICY,
          ...(headers.location === undefined ? { 'Content-Type': headers['content-type'] } : { Location: '/docs/' }),
        })
        .send(rawPayload);
    });
  }
}

/** The reference page, as a small service within the service. */
async function startReference(): Promise<FastifyInstance> {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const app = Fastify();
  await app.register(reference, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
      pageTitle: 'Product Passport Service: API reference',
    },
  });
  return app;
}

// The reference sets styles and starts by inline script; it may talk to this service alone.
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
