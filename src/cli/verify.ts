import { verifyAll, verifyStream } from '../infrastructure/event-store/verify.js';
import { command, print } from './command.js';

export const verify = command({
  name: 'verify',
  usage: [['[stream]', 'check the history, or one stream of it, and name the first bad event']],
  settings: ['EVENTSTORE_URL'],
  read: ([stream, ...more]) => (more.length === 0 ? { stream: stream ?? null } : null),
  run: async ({ stream }, settings, open) => {
    const eventStore = open.eventStore(settings);
    const { streams, events, problems } = await (stream === null
      ? verifyAll(eventStore)
      : verifyStream(eventStore, stream));
    for (const { stream: where, revision, id, reason } of problems) {
      print(`BROKEN  ${where}  revision ${revision ?? '?'}  event ${id ?? '?'}: ${reason}`);
    }
    if (problems.length > 0) return 1;
    if (stream !== null && events === 0) {
      print(`There is no stream "${stream}".`);
      return 1;
    }
    print(`Unbroken: ${events} events in ${streams} ${streams === 1 ? 'stream' : 'streams'}.`);
    return 0;
  },
});
