import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../src/embedded/ports.js';
import { createDatabase } from './database.js';
import { startEventStore } from './event-store.js';
import type { View } from './fixtures/cluster-node.js';
import { startProgram, waitForPort, type RunningProgram } from './program.js';

/** So long the others go on naming a leader that is gone. */
const NOTICED_AFTER_MS = 400;
const ELECTED_AFTER_MS = 1_300;

/** One leader's end and the next one's beginning, by `performance.now()`. */
export interface Election {
  readonly lostAt: number;
  /** From here on the new leader takes writes. */
  readonly electedAt: number;
}

export interface StandInCluster {
  /** All nodes by name. */
  readonly url: string;
  readonly urlOfFollower: () => string;
  /** The leader ends with kill -9, and another is elected. */
  readonly killLeader: () => Promise<Election>;
  /** The leader takes connections and answers nothing. */
  readonly hangLeader: () => Promise<Election>;
  /** The leader lives on as a follower of the next one. */
  readonly replaceLeader: () => Promise<Election>;
  /** Everybody lives and nobody leads, until `replaceLeader`. */
  readonly loseLeader: () => Promise<void>;
  /** A leader that takes so long for every commit, and for each answer about its cluster. */
  readonly slowLeader: (delays: { commitMs: number; gossipMs: number }) => Promise<void>;
  /** Appends that have reached the present leader. */
  readonly appendsAtLeader: () => Promise<number>;
  /** Who was killed or hangs comes back, as a follower. */
  readonly heal: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

interface Node {
  readonly port: number;
  program: RunningProgram;
  condition: 'alive' | 'hung' | 'dead';
}

/** Three nodes that speak a cluster's protocol, each a process, before one embedded event store that stands for what they share. */
export async function startCluster(): Promise<StandInCluster> {
  const database = await createDatabase();
  const store = await startEventStore(database.url);
  const startNode = async (port: number): Promise<RunningProgram> => {
    const env = { PORT: String(port), STORE: `127.0.0.1:${store.port}` };
    const program = startProgram({ file: 'test/support/fixtures/cluster-node.ts', env });
    await waitForPort(program, port);
    return program;
  };
  const nodes: Node[] = [];
  for (let n = 0; n < 3; n += 1) {
    const port = await findFreePort();
    nodes.push({ port, program: await startNode(port), condition: 'alive' });
  }
  let [leader] = nodes as [Node, ...Node[]];
  let delays = { commitMs: 0, gossipMs: 0 };

  /** Resolves when the node has taken it in, with the appends that have reached it. */
  const tell = ({ program: { child } }: Node, view: View): Promise<number> =>
    new Promise((resolve, reject) => {
      const hear = (message: { appends?: number }): void => {
        // The guard that every program is started with sends each message back.
        if (message.appends === undefined) return;
        child.off('message', hear);
        resolve(message.appends);
      };
      child.on('message', hear);
      child.send(view, (error) => (error === null ? undefined : reject(error)));
    });
  const living = (): Node[] => nodes.filter(({ condition }) => condition === 'alive');
  const viewOf = (node: Node, isElecting: boolean): View => ({
    state: isElecting ? 'electing' : node === leader ? 'leader' : 'follower',
    leaderPort: isElecting ? null : leader.port,
    members: nodes.map(({ port, condition }) => ({ port, isAlive: condition === 'alive' })),
    ...(node === leader ? delays : { commitMs: 0, gossipMs: 0 }),
  });
  const tellAll = async (isElecting = false): Promise<void> => {
    // Who leads knows it before the others say so.
    if (leader.condition === 'alive') await tell(leader, viewOf(leader, isElecting));
    const others = living().filter((node) => node !== leader);
    await Promise.all(others.map((node) => tell(node, viewOf(node, isElecting))));
  };
  const elect = async (lostAt: number): Promise<Election> => {
    const next = living().find((node) => node !== leader);
    if (next === undefined) throw new Error('nobody is left to be elected');
    leader = next;
    await tellAll();
    return { lostAt, electedAt: performance.now() };
  };
  const loseTo = async (condition: 'hung' | 'dead'): Promise<Election> => {
    const lostAt = performance.now();
    leader.condition = condition;
    if (condition === 'dead') await leader.program.kill('SIGKILL');
    else leader.program.child.kill('SIGSTOP');
    await sleep(NOTICED_AFTER_MS);
    await tellAll(true);
    await sleep(ELECTED_AFTER_MS - NOTICED_AFTER_MS);
    return elect(lostAt);
  };
  const addressOf = (some: readonly Node[]): string =>
    `esdb://${some.map(({ port }) => `127.0.0.1:${port}`).join(',')}?tls=false`;

  await tellAll();
  return {
    url: addressOf(nodes),
    urlOfFollower: () =>
      addressOf(
        living()
          .filter((node) => node !== leader)
          .slice(0, 1),
      ),
    killLeader: () => loseTo('dead'),
    hangLeader: () => loseTo('hung'),
    replaceLeader: () => elect(performance.now()),
    loseLeader: () => tellAll(true),
    slowLeader: async (wanted) => {
      delays = wanted;
      await tellAll();
    },
    appendsAtLeader: () => tell(leader, viewOf(leader, false)),
    heal: async () => {
      for (const node of nodes) {
        if (node.condition === 'dead') node.program = await startNode(node.port);
        if (node.condition === 'hung') node.program.child.kill('SIGCONT');
        node.condition = 'alive';
      }
      await tellAll();
    },
    stop: async () => {
      for (const { program } of nodes) {
        program.child.kill('SIGCONT');
        await program.kill('SIGKILL');
      }
      await store.stop();
      await database.drop();
    },
  };
}
