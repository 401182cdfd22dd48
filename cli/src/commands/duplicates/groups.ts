import { groupsOf as linkedGroups, Pairs } from '@sosia/server/review/links';

/** Two pictures that match, `a` before `b`. */
export interface Match {
  readonly a: string;
  readonly b: string;
  readonly score: number;
}

/** Pictures that match each other, directly or through others. */
export interface Group {
  /** The best match first, then by id. */
  readonly pictures: readonly {
    readonly id: string;
    /** Of its best match in the group. */
    readonly score: number;
  }[];
}

/**
 * The connected components of the matches, the best first.
 * @param apart  lists of pictures of which no two count as a match
 */
export function groupsOf(matches: readonly Match[], apart: readonly (readonly string[])[]): Group[] {
  const pairs = new Pairs();
  for (const ids of apart) pairs.addAll(ids);
  const edges = matches.map(({ a, b, score }) => ({ from: a, to: b, score, decision: '' }));
  const order = (x: { id: string; score: number }, y: { id: string; score: number }): number =>
    x.score - y.score || (x.id < y.id ? -1 : 1);
  return linkedGroups(edges, pairs)
    .duplicates.map(({ images }) => ({ pictures: images.map(({ id, score }) => ({ id, score })).sort(order) }))
    .sort((x, y) => order(x.pictures[0]!, y.pictures[0]!));
}
