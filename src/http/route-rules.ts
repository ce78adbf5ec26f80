import type { FastifyInstance, RouteOptions } from 'fastify';

/** A route that forgets `config.access` fails at the start, not when somebody calls it. */
export function everyRouteSaysWhoMayCall(app: FastifyInstance): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => void routes.push(route));
  app.addHook('onReady', async () => {
    const silent = routes.filter(({ method, config }) => method !== 'OPTIONS' && config?.access === undefined);
    if (silent.length > 0) {
      throw new Error(
        `routes without config.access: ${silent.map(({ method, url }) => `${String(method)} ${url}`).join(', ')}`,
      );
    }
  });
}
