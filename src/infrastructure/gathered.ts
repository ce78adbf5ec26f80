/** As many as run side by side: one that has to wait in the database does not hold up all others. */
const AT_ONCE = 2;
const MAX_GATHERED = 100;

interface Waiting<Call, Answer> {
  readonly call: Call;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Does the work of many calls in one go: calls that come while two are under way wait and go together in the next one. Where little
 * happens nobody waits. `work` answers in the order of the calls. When it fails for several, and `isTriedAlone` says that nothing
 * has happened then, each is tried by itself, so that one bad call is the fault of nobody else.
 */
export function gathered<Call, Answer>(
  work: (calls: readonly Call[]) => Promise<readonly Answer[]>,
  { isTriedAlone }: { readonly isTriedAlone: (error: unknown) => boolean },
): (call: Call) => Promise<Answer> {
  const waiting: Waiting<Call, Answer>[] = [];
  let running = 0;

  const answer = async (group: readonly Waiting<Call, Answer>[]): Promise<void> => {
    try {
      const answers = await work(group.map(({ call }) => call));
      if (answers.length !== group.length) throw new Error(`${answers.length} answers to ${group.length} calls`);
      for (const [index, { resolve }] of group.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      if (group.length > 1 && isTriedAlone(error)) for (const one of group) await answer([one]);
      else for (const { reject } of group) reject(error);
    }
  };

  const next = (): void => {
    if (running >= AT_ONCE || waiting.length === 0) return;
    running += 1;
    void answer(waiting.splice(0, MAX_GATHERED)).then(() => {
      running -= 1;
      next();
    });
  };

  return (call) =>
    new Promise((resolve, reject) => {
      waiting.push({ call, resolve, reject });
      next();
    });
}
