import type { FastifyInstance, RouteOptions } from 'fastify';
import type { Access } from './access.js';

/** A route and who may call it. */
export interface DeclaredRoute {
  readonly method: string;
  readonly path: string;
  readonly access: Access;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route of the interface with its declaration; `docs/permissions.md` is printed from it. */
    declaredRoutes(): readonly DeclaredRoute[];
  }
}

/** A route that forgets `config.access` fails at the start, not when somebody calls it. */
export function everyRouteSaysWhoMayCall(app: FastifyInstance): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => void routes.push(route));
  app.decorate('declaredRoutes', () =>
    routes.flatMap(({ method, url, config }) =>
      [method]
        .flat()
        .filter((one) => one !== 'HEAD' && one !== 'OPTIONS')
        .flatMap((one) => (config?.access === undefined ? [] : [{ method: one, path: url, access: config.access }])),
    ),
  );
  app.addHook('onReady', async () => {
    const silent = routes.filter(({ method, config }) => method !== 'OPTIONS' && config?.access === undefined);
    if (silent.length > 0) {
      throw new Error(
        `routes without config.access: ${silent.map(({ method, url }) => `${String(method)} ${url}`).join(', ')}`,
      );
    }
  });
}
