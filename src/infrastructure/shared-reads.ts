/**
 * Those who ask for the same thing at the same time share one answer. It is as fresh as if each had read alone: nobody is given
 * one whose reading began before they asked.
 */
export function sharedReads<T>(read: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  const next = new Map<string, Promise<T>>();

  const begin = (key: string): Promise<T> => {
    const reading = read(key).finally(() => {
      if (running.get(key) === reading) running.delete(key);
    });
    running.set(key, reading);
    return reading;
  };

  return (key) => {
    const underWay = running.get(key);
    if (underWay === undefined) return begin(key);
    const known = next.get(key);
    if (known !== undefined) return known;
    const beginNext = (): Promise<T> => {
      next.delete(key);
      return begin(key);
    };
    const following = underWay.then(beginNext, beginNext);
    next.set(key, following);
    return following;
  };
}
