import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Whether the answer shows a secret (a token, a key, a link), beside which text of others may stand. Pages and what is
     * behind a link do unless they say otherwise.
     */
    showsSecret?: boolean;
  }
}

/**
 * Compresses the answers that show no secret. Of those that do, the length would tell how much of the secret some text beside
 * it repeats (BREACH): whoever can choose the text and watch the line could guess it piece by piece.
 */
export async function compresses(app: FastifyInstance): Promise<void> {
  app.addHook('onRoute', (route) => {
    const { access, page, showsSecret } = route.config ?? {};
    const isPersonal = page === true || access === undefined || access.kind === 'page' || access.kind === 'link';
    if (showsSecret ?? isPersonal) route.compress = false;
  });
  await app.register(compress, { encodings: ['br', 'gzip'], globalDecompression: false });
}
