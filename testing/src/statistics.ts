/** The value below which this share of the values lies (nearest rank); NaN for none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The part of the things for which the condition holds; NaN for none. */
export function share<T>(things: readonly T[], holds: (thing: T) => unknown): number {
  return things.filter(holds).length / things.length;
}

/** The things by key, in the order in which the keys first occur. */
export function groupsOf<T, K>(things: readonly T[], keyOf: (thing: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const thing of things) {
    const group = groups.get(keyOf(thing));
    if (group) group.push(thing);
    else groups.set(keyOf(thing), [thing]);
  }
  return groups;
}

/** The upper bound of a rate that was seen in `hits` of `all`, with 95 % confidence (E. B. Wilson, JASA 22, 1927); near 3.7 / all for none. */
export function upperBound(hits: number, all: number): number {
  const [rate, z2] = [hits / all, 1.96 ** 2 / all];
  return (rate + z2 / 2 + Math.sqrt(z2 * (rate * (1 - rate) + z2 / 4))) / (1 + z2);
}

/** An answer to one of many queries. */
export interface Scored {
  /** Less is surer. */
  readonly score: number;
  readonly right: boolean;
}

/** The area below precision over recall of all answers to all queries, with `positives` right ones in all. Wrong answers come first among equals. */
export function averagePrecision(answers: readonly Scored[], positives: number): number {
  return precisions(answers).reduce((sum, { right, precision }) => sum + (right ? precision : 0), 0) / positives;
}

/** The largest share of the right answers that a threshold of the score gives with this precision. */
export function recallAt(precision: number, answers: readonly Scored[], positives: number): number {
  const last = precisions(answers).findLast((answer) => answer.precision >= precision);
  return (last?.found ?? 0) / positives;
}

/** At precisions of 0.9, 0.95 and 0.99. */
export function recallsOf(answers: readonly Scored[], positives: number): Record<string, number> {
  return Object.fromEntries(
    [0.9, 0.95, 0.99].map((least) => [`recall at ${least}`, recallAt(least, answers, positives)]),
  );
}

function precisions(answers: readonly Scored[]) {
  let found = 0;
  return [...answers]
    .sort((a, b) => a.score - b.score || Number(a.right) - Number(b.right))
    .map(({ right }, i) => {
      found += Number(right);
      return { right, found, precision: found / (i + 1) };
    });
}
