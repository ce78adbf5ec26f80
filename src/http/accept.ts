/**
 * Which of the `offered` media types a caller with this `Accept` header wants most; the first of equals, null if none will
 * do. No header takes anything.
 */
export function preferredType<Type extends string>(accept: string | undefined, offered: readonly Type[]): Type | null {
  const ranges = (accept ?? '*/*').slice(0, 1_000).split(',').map(parseRange);
  let best: { type: Type; weight: number } | null = null;
  for (const type of offered) {
    const weight = weightOf(type, ranges);
    if (weight > (best?.weight ?? 0)) best = { type, weight };
  }
  return best?.type ?? null;
}

interface Range {
  readonly type: string;
  readonly weight: number;
}

function parseRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return { type, weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0 };
}

/** The most specific range that covers the type decides. */
function weightOf(type: string, ranges: readonly Range[]): number {
  const covering = [type, `${type.split('/')[0]}/*`, '*/*'];
  for (const range of covering) {
    const found = ranges.find((one) => one.type === range);
    if (found !== undefined) return found.weight;
  }
  return 0;
}
