import { parentPort, Worker } from 'node:worker_threads';

interface Answer<Value> {
  readonly value?: Value;
  readonly error?: string;
}

const SUFFIX = import.meta.url.slice(-3);
const LOADER = SUFFIX === '.ts' ? ['--import', 'tsx'] : [];

/** Run from the sources, the thread's file is a source too; `name` has no ending. */
export const threadFile = (name: string, beside: string): URL => new URL(`${name}${SUFFIX}`, beside);

/**
 * Has orders carried out in threads of one kind, each of which has one at a time and stays for the next. There are as many as
 * orders at once; the caller bounds that. `failure` is what an error says; what the thread says itself must hold no secret.
 */
export function createThreads<Order, Value>(
  file: URL,
  { failure, workerData }: { readonly failure: string; readonly workerData?: unknown },
): (order: Order) => Promise<Value> {
  const idle: Worker[] = [];
  return async (order) => {
    const thread = idle.pop() ?? new Worker(file, { execArgv: LOADER, workerData });
    // One that waits for work keeps no process from ending; one that works does.
    thread.ref();
    const answer = await new Promise<Answer<Value>>((resolve) => {
      const settle = (settled: Answer<Value>) => {
        thread.off('message', settle).off('error', fail).off('exit', fail);
        resolve(settled);
      };
      const fail = (reason: unknown) =>
        settle({ error: reason instanceof Error ? reason.message : 'the thread has ended' });
      thread.on('message', settle).on('error', fail).on('exit', fail);
      thread.postMessage(order);
    });
    thread.unref();
    if (answer.value === undefined) {
      void thread.terminate();
      throw new Error(`${failure}: ${answer.error ?? 'no answer'}`);
    }
    idle.push(thread);
    return answer.value;
  };
}

/** In a thread: carries out the orders that come. */
export function takeOrders<Order, Value>(work: (order: Order) => Value | Promise<Value>): void {
  const port = parentPort;
  if (port === null) throw new Error('this is the work of a thread');
  const answer = async (order: Order): Promise<Answer<Value>> => {
    try {
      return { value: await work(order) };
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  };
  port.on('message', (order: Order) => void answer(order).then((said) => port.postMessage(said)));
}
