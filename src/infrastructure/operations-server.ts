import { createServer } from 'node:http';
import { standings, type FollowerName } from './followers.js';
import type { Logger } from './logger.js';
import { countMissingSecrets } from './missing-secrets.js';
import { createOutageLog } from './outage-log.js';
import { countParked } from './parked-events.js';
import type { Database } from './postgres/database.js';

/**
 * What operators and their machines ask a program that serves no API: `/health/live`, `/health/ready` (503 unless the follower goes
 * on and is not behind) and `/metrics` in Prometheus' text form. It answers whoever reaches the port.
 */
export async function serveOperations(options: {
  readonly host: string;
  readonly port: number;
  readonly follower: FollowerName;
  readonly database: Database;
  readonly logger: Logger;
}): Promise<{ readonly port: number; close(): Promise<void> }> {
  const { host, port, follower, database, logger } = options;
  const asked = createOutageLog(logger, 'cannot say how the program is');

  const answerTo = async (path: string): Promise<Answer> => {
    switch (path) {
      case '/health/live':
        return json(200, { status: 'live' });
      case '/health/ready': {
        const standing = (await standings(database))[follower];
        const isReady = standing.state === 'following';
        return json(isReady ? 200 : 503, { status: isReady ? 'ready' : 'not_ready', [follower]: standing });
      }
      case '/metrics':
        return { status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', body: await metrics(options) };
      default:
        return json(404, { status: 'not_found' });
    }
  };

  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    answerTo(path)
      .catch((error: unknown) => {
        asked.failed(error);
        return json(503, { status: 'not_ready' });
      })
      .then(({ status, type, body }) => response.writeHead(status, { 'Content-Type': type }).end(body))
      .catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const json = (status: number, body: object): Answer => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
});

async function metrics({ follower, database }: { follower: FollowerName; database: Database }): Promise<string> {
  const { state, lagEvents, lagSeconds } = (await standings(database))[follower];
  const label = `{follower="${follower}"}`;
  const gauges: readonly (readonly [name: string, help: string, labels: string, value: number])[] = [
    ['follower_lag_events', 'Events of the log that wait, counted up to 1,000.', label, lagEvents],
    ['follower_lag_seconds', 'Age of the oldest event that waits.', label, lagSeconds],
    ['follower_halted', '1 while an event cannot be taken and nothing after it is.', label, state === 'halted' ? 1 : 0],
    ...(follower === 'reactor'
      ? ([
          ['parked_events', 'Events that wait for an operator.', '', await countParked(database)],
          ['missing_webhook_secrets', 'Webhooks without a secret.', '', await countMissingSecrets(database)],
        ] as const)
      : []),
  ];
  return gauges
    .map(([name, help, labels, value]) => `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name}${labels} ${value}\n`)
    .join('');
}
