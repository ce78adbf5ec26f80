/** How far everything is done, where several things are done at once. */
export interface Progress {
  /** Notes in the order of the log that something begins; the answer is called when it is done. */
  begin(position: bigint): () => void;
  /** Writes the last position that everything up to is done for, unless it is written already. */
  flush(): Promise<void>;
}

/** Writes at most once in `everyMs`. */
export function createProgress({
  write,
  everyMs,
  onError,
}: {
  readonly write: (position: bigint) => Promise<void>;
  readonly everyMs: number;
  readonly onError: (error: unknown) => void;
}): Progress {
  const begun: { readonly position: bigint; isDone: boolean }[] = [];
  let passed: bigint | null = null;
  let written: bigint | null = null;
  let timer: NodeJS.Timeout | null = null;

  const flush = async (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (passed === null || passed === written) return;
    const position = passed;
    await write(position);
    written = position;
  };

  return {
    begin(position) {
      const one = { position, isDone: false };
      begun.push(one);
      return () => {
        one.isDone = true;
        while (begun[0]?.isDone === true) passed = begun.shift()?.position ?? passed;
        if (passed !== null && passed !== written) timer ??= setTimeout(() => void flush().catch(onError), everyMs);
      };
    },
    flush,
  };
}
