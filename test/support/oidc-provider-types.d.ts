declare module 'oidc-provider' {
  import type { Server } from 'node:http';

  /** As much of it as the tests use. */
  export default class Provider {
    constructor(issuer: string, configuration: object);
    listen(port: number, host: string, ready: () => void): Server;
  }
}
