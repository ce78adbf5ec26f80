import { pino, stdSerializers, type Logger } from 'pino';
import { describeError, isOutage } from './outage.js';

/** Members that never reach a log, wherever they stand in an object. */
const SECRET_MEMBERS = [
  'authorization',
  'cookie',
  'password',
  'currentPassword',
  'newPassword',
  'token',
  'secret',
  'key',
  'email',
  'contactEmail',
  'to',
];

/** Pretty on a terminal, JSON otherwise. */
export function createLogger(program: string, level: string): Logger {
  return pino({
    level,
    base: { program },
    // What a library says of an outage may name a user, and its stack says nothing.
    serializers: { err: (error: Error) => (isOutage(error) ? describeError(error) : stdSerializers.err(error)) },
    redact: {
      paths: [...SECRET_MEMBERS, ...SECRET_MEMBERS.map((member) => `*.${member}`), 'req.headers.authorization'],
      censor: '[redacted]',
    },
    ...(process.stdout.isTTY ? { transport: { target: 'pino-pretty' } } : {}),
  });
}

const SECRET_PATHS = /^\/(f|join|join-team|factory\/requests)\/[^/?]+/;

/** The path as it may be logged: without its query, and without the token of a link. */
export const loggablePath = (url: string): string =>
  (url.split('?', 1)[0] ?? '').replace(SECRET_PATHS, (_path, room: string) => `/${room}/[token]`);

export const stackOf = (error: unknown): string | undefined => (error instanceof Error ? error.stack : undefined);

export type { Logger };
