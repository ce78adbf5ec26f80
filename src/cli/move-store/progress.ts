const EVERY_MS = 2_000;

/** Tells every two seconds how far something is, and how long the rest takes at that rate. */
export function createProgress(options: {
  readonly doing: string;
  readonly total: number;
  readonly print: (line: string) => void;
}) {
  const { doing, total, print } = options;
  const startedAt = performance.now();
  let events = 0;
  let toldAt = startedAt;
  const rate = (): number => events / Math.max((performance.now() - startedAt) / 1_000, 0.001);
  return {
    done(more: number): void {
      events += more;
      if (performance.now() - toldAt < EVERY_MS) return;
      toldAt = performance.now();
      const leftS = Math.ceil(Math.max(total - events, 0) / rate());
      print(`${events} of ${total} events ${doing}, ${Math.round(rate())} a second, ${leftS} s left.`);
    },
    end: (): void => print(`${events} events ${doing}, ${Math.round(rate())} a second.`),
  };
}
