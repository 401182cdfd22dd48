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
  const left = matches.filter(({ a, b }) => !apart.some((ids) => ids.includes(a) && ids.includes(b)));
  const parents = new Map<string, string>();
  const rootOf = (id: string): string => {
    let root = id;
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next;
    if (root !== id) parents.set(id, root);
    return root;
  };
  const best = new Map<string, number>();
  for (const { a, b, score } of left) {
    for (const id of [a, b]) best.set(id, Math.min(score, best.get(id) ?? Infinity));
    const [one, other] = [rootOf(a), rootOf(b)];
    if (one !== other) parents.set(other, one);
  }

  const groups = new Map<string, { id: string; score: number }[]>();
  for (const [id, score] of best) {
    const root = rootOf(id);
    groups.set(root, [...(groups.get(root) ?? []), { id, score }]);
  }
  const order = (x: { id: string; score: number }, y: { id: string; score: number }): number =>
    x.score - y.score || (x.id < y.id ? -1 : 1);
  return [...groups.values()]
    .map((pictures) => ({ pictures: pictures.sort(order) }))
    .sort((x, y) => order(x.pictures[0]!, y.pictures[0]!));
}
