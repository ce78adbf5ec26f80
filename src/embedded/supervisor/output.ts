import type { Writable } from 'node:stream';
import { pino, type Logger } from 'pino';
import pretty from 'pino-pretty';

export interface Output {
  /** The supervisor's own words. */
  readonly logger: Logger;
  /** A line that a child printed: its own log line as it is, anything else as a line of ours. */
  readonly childLine: (child: string, line: string) => void;
}

const isLogLine = (line: string): boolean => line.startsWith('{') && line.endsWith('}');

/** Pretty on a terminal, JSON otherwise, for the supervisor and its children alike. */
export const createOutput = (options: { readonly level: string; readonly target: NodeJS.WriteStream }): Output => {
  const { level, target } = options;
  const stream: Writable = target.isTTY
    ? pretty({
        destination: target,
        sync: true,
        colorize: true,
        ignore: 'pid,hostname',
        translateTime: 'SYS:HH:MM:ss.l',
      })
    : target;
  const logger = pino({ level, base: { program: 'supervisor' } }, stream);
  return {
    logger,
    childLine: (child, line) => {
      if (line === '') return;
      if (isLogLine(line)) stream.write(`${line}\n`);
      else logger.warn({ child }, line);
    },
  };
};
