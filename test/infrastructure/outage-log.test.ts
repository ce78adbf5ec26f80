import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { EventStoreUnavailable } from '../../src/infrastructure/event-store/port.js';
import { outageCause } from '../../src/infrastructure/outage-cause.js';
import { createOutageLog } from '../../src/infrastructure/outage-log.js';

const refused = (port: number) =>
  Object.assign(new Error(`connect ECONNREFUSED 127.0.0.1:${port}`), { code: 'ECONNREFUSED' });

function outageLog() {
  const lines: { msg: string; stack?: string }[] = [];
  let now = 0;
  const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as { msg: string }) });
  const log = createOutageLog(logger, 'not ready', { clock: () => now });
  return { log, lines, at: (ms: number) => (now = ms) };
}

describe('the log of an outage', () => {
  it('says a cause once, another one at once, and both again after 30 s', () => {
    const { log, lines, at } = outageLog();
    for (let ms = 0; ms < 60_000; ms += 75) {
      at(ms);
      log.failed(refused(ms % 150 === 0 ? 1 : 2));
    }
    expect(lines.map(({ msg }) => msg)).toEqual([
      'not ready: database: nobody listens at 127.0.0.1:1',
      'not ready: database: nobody listens at 127.0.0.1:2',
      'not ready: database: nobody listens at 127.0.0.1:1',
      'not ready: database: nobody listens at 127.0.0.1:2',
    ]);
    expect(lines.every(({ stack }) => stack === undefined)).toBe(true);
  });

  it('says a cause at once when it has worked in between', () => {
    const { log, lines } = outageLog();
    log.failed(refused(1));
    log.worked();
    log.failed(refused(1));
    expect(lines).toHaveLength(2);
  });

  it('says of what is no outage where it comes from', () => {
    const { log, lines } = outageLog();
    log.failed(new TypeError('nothing is there'));
    expect(lines).toEqual([
      expect.objectContaining({ msg: 'not ready: TypeError: nothing is there', stack: expect.anything() as string }),
    ]);
  });
});

describe('what a server says of an outage', () => {
  it.each([
    ['event store', '16 UNAUTHENTICATED: Received HTTP status code 401', 'wrong user or password: see EVENTSTORE_URL'],
    ['event store', '7 PERMISSION_DENIED: Access Denied', 'wrong user or password: see EVENTSTORE_URL'],
    ['event store', 'Failed to discover after 10 attempts.', 'no node of the cluster answers as its leader'],
    ['event store', '14 UNAVAILABLE: read ECONNRESET', expect.stringMatching(/^the connection is cut/) as string],
    [
      'workflow server',
      '14 UNAVAILABLE: Received HTTP status code 502',
      expect.stringMatching(/^the connection is cut/) as string,
    ],
    [
      'database',
      'no pg_hba.conf entry for host "10.0.0.7", user "olive", no encryption',
      'nobody is let in like this: it may want TLS (sslmode in DATABASE_URL)',
    ],
  ] as const)('(%s: %s) is understood', (part, said, cause) => {
    const error = new EventStoreUnavailable('the event store cannot be read', { cause: new Error(said) });
    expect(outageCause(error, part)).toEqual(cause);
  });

  it('and nobody understands is not told on, as it may name anybody', () => {
    const error = Object.assign(new Error('olive may not, with hunter2'), { code: '28ZZZ' });
    expect(outageCause(error, 'database')).toBe('it has failed (28ZZZ)');
  });
});
