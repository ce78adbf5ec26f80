import { setTimeout as sleep } from 'node:timers/promises';
import type { EventStoreAddress, Host } from './address.js';
import { nodesOf, type EventStoreNode } from './node.js';
import { EventStoreUnavailable } from './port.js';

/** While calls are open, their node is asked this often whether it still leads, and has so long for an answer. */
const WATCH_EVERY_MS = 500;
const WATCH_LIMIT_MS = 500;
/** While no leader is known every node is asked this often, each by itself: one that is silent does not hold up the others. */
const ASK_EVERY_MS = 100;
const ASK_LIMIT_MS = 2_000;
/** As long as anybody follows a node that leads no more. */
const WATCHER_PATIENCE_MS = 10_000;

/** Which node calls go to. */
export interface Cluster {
  /** True when a leader that dies is followed by another. */
  readonly hasSuccessors: boolean;
  /** The node that leads; waits while there is none. Throws `EventStoreUnavailable`. */
  readonly leader: (limitMs: number) => Promise<EventStoreNode>;
  /** A call has failed: whether the node still leads is asked before the next one. `leader`: where it sends us. */
  readonly doubt: (node: EventStoreNode, leader: Host | null) => void;
  readonly close: () => void;
}

interface Search {
  readonly found: Promise<EventStoreNode>;
  readonly ending: AbortController;
  waiting: number;
}

const keyOf = ({ name, port }: Host): string => `${name}:${port}`;

/** Several hosts, or a name of several, are asked by gossip who leads them; a single one is taken as it is. */
export function createCluster(address: EventStoreAddress): Cluster {
  const connect = nodesOf(address);
  const hasSuccessors = address.discovers || address.hosts.length > 1;
  const nodes = new Map<string, EventStoreNode>();
  let current: EventStoreNode | null = null;
  let search: Search | null = null;
  let lastFailure: unknown;
  let isWatching = false;
  const closing = new AbortController();

  const nodeAt = (host: Host): EventStoreNode => {
    const node = nodes.get(keyOf(host)) ?? connect(host);
    nodes.set(keyOf(host), node);
    return node;
  };
  const drop = (node: EventStoreNode): void => {
    if (nodes.get(keyOf(node.host)) === node) nodes.delete(keyOf(node.host));
    node.close();
  };
  /** The others' calls end, so that who waits for them goes on at the leader. */
  const follow = (leader: EventStoreNode): void => {
    current = leader;
    for (const node of nodes.values()) if (node !== leader) drop(node);
  };

  /** A node leads when it says so itself: others may still name one that has died. Ends when `signal` aborts. */
  const find = (signal: AbortSignal): Promise<EventStoreNode> =>
    new Promise((resolve, reject) => {
      const asked = new Set<string>();
      const ask = async (host: Host): Promise<void> => {
        if (asked.has(keyOf(host))) return;
        asked.add(keyOf(host));
        for (; !signal.aborted; await sleep(ASK_EVERY_MS)) {
          const node = nodeAt(host);
          try {
            const members = await node.members(ASK_LIMIT_MS);
            if (signal.aborted) return;
            for (const member of members) void ask(member.host);
            if (members.some((member) => member.isLeader && keyOf(member.host) === keyOf(host))) resolve(node);
          } catch (error) {
            if (signal.aborted) return;
            lastFailure = error;
            // It may never come to be connected; the next question makes another connection.
            if (!node.isBusy() && !node.isConnected()) drop(node);
          }
        }
      };
      signal.addEventListener('abort', () => reject(noLeader(lastFailure)), { once: true });
      for (const host of address.hosts) void ask(host);
    });

  const startSearch = (): Search => {
    const ending = new AbortController();
    const found = find(AbortSignal.any([ending.signal, closing.signal])).then((node) => {
      search = null;
      follow(node);
      return node;
    });
    found.catch(() => undefined);
    return { found, ending, waiting: 0 };
  };

  /** All who wait share one search, which ends with the last of them. */
  const waitForLeader = async (limitMs: number): Promise<EventStoreNode> => {
    search ??= startSearch();
    const shared = search;
    shared.waiting += 1;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(noLeader(lastFailure)), limitMs);
    });
    try {
      return await Promise.race([shared.found, late]);
    } finally {
      clearTimeout(timer);
      shared.waiting -= 1;
      if (shared.waiting === 0) {
        shared.ending.abort();
        if (search === shared) search = null;
      }
    }
  };

  const leads = async (node: EventStoreNode): Promise<boolean> => {
    const members = await node.members(WATCH_LIMIT_MS).catch(() => []);
    return members.some((member) => member.isLeader && keyOf(member.host) === keyOf(node.host));
  };

  /**
   * Finds out, while anybody waits for a node, that it has fallen silent or leads no more. It is given up only for another: who is
   * slow goes on with its calls as long as nobody else leads, and none is sent twice.
   */
  const watch = async (): Promise<void> => {
    isWatching = true;
    while (!closing.signal.aborted) {
      await sleep(WATCH_EVERY_MS, undefined, { ref: false });
      if (![...nodes.values()].some((node) => node.isBusy())) break;
      const node = current;
      if (node !== null && (await leads(node))) continue;
      if (current === node) current = null;
      await waitForLeader(WATCHER_PATIENCE_MS).catch(() => undefined);
    }
    isWatching = false;
  };

  return {
    hasSuccessors,
    async leader(limitMs) {
      if (closing.signal.aborted) throw new EventStoreUnavailable('the connection to the event store is closed');
      if (!hasSuccessors) return (current ??= nodeAt(firstOf(address.hosts)));
      if (!isWatching) void watch();
      return current ?? waitForLeader(limitMs);
    },
    doubt(node, named) {
      if (current !== node) return;
      if (hasSuccessors) current = null;
      else if (named !== null) follow(nodeAt(named));
      else if (!node.isConnected()) {
        current = null;
        drop(node);
      }
    },
    close() {
      closing.abort();
      for (const node of nodes.values()) drop(node);
    },
  };
}

const firstOf = (hosts: readonly Host[]): Host => {
  const [host] = hosts;
  if (host === undefined) throw new Error('an address of the event store names no host');
  return host;
};

const noLeader = (cause: unknown): EventStoreUnavailable =>
  new EventStoreUnavailable('no node of the event store says that it leads', { cause });
