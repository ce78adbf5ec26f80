import { pino, type Logger } from 'pino';

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

/** Name and message alone: other members of an error of the database may hold what the statement held. */
export const describeError = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 1_000) : String(error);

export const stackOf = (error: unknown): string | undefined => (error instanceof Error ? error.stack : undefined);

export type { Logger };
