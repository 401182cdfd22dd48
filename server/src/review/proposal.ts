/** What the proposal depends on. */
export interface Candidate {
  readonly id: string;
  readonly keywords: readonly string[];
  readonly width: number | null;
  readonly height: number | null;
  readonly bytes: number | null;
  readonly grade: number | null;
  readonly added: string | null;
}

/** Higher is better; null is worst. */
const criteria: readonly (readonly [reason: string, value: (candidate: Candidate) => number | null])[] = [
  ['it has most pixels', ({ width, height }) => (width === null || height === null ? null : width * height)],
  ['it can be matched best', ({ grade }) => grade],
  ['its file is the largest', ({ bytes }) => bytes],
  ['it has most keywords', ({ keywords }) => keywords.length],
  ['it was added first', ({ added }) => (added === null ? null : -Date.parse(added))],
];

/** The picture of a group to keep: the best by the first criterion that decides. */
export function proposalFor(candidates: readonly Candidate[]): { keep: string; reason: string } {
  let left = candidates;
  for (const [reason, value] of criteria) {
    const best = Math.max(...left.map((each) => value(each) ?? -Infinity));
    const first = left.filter((each) => (value(each) ?? -Infinity) === best);
    if (first.length === 1) return { keep: first[0]!.id, reason };
    left = first;
  }
  const keep = left.map(({ id }) => id).sort((a, b) => (a < b ? -1 : 1))[0]!;
  return { keep, reason: 'all are equal, and its id is the first' };
}
