/** A picture of a group, with what speaks for keeping it; null where the service does not know. */
export interface GroupImage {
  readonly id: string;
  readonly keywords: readonly string[];
  /** To the picture that is proposed to keep, in per cent. */
  readonly similarity: number | null;
  readonly decision: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly bytes: number | null;
  readonly grade: number | null;
  readonly added: string | null;
}

export type Kind = 'duplicates' | 'similar';

export interface Group {
  readonly id: string;
  readonly kind: Kind;
  readonly images: readonly GroupImage[];
  /** The id of the picture that is proposed to keep. */
  readonly keep: string;
  /** Why it is proposed, in one sentence. */
  readonly reason: string;
}

/** Two pictures that a search found alike. */
export interface Pair {
  readonly a: string;
  readonly b: string;
  readonly score: number;
  readonly decision: string | null;
}

/** A picture, as far as searches know it. */
export interface Known {
  readonly keywords: readonly string[];
  /** Width and height at which it was compared: at most those of the picture. */
  readonly frame?: readonly [number, number];
}

/** Larger pictures are compared at this size, so that their own is not known. */
const REDUCED = 512;

export const pairKey = (a: string, b: string): string => (a < b ? `${a}\n${b}` : `${b}\n${a}`);

/**
 * The connected groups of the pairs, in the order of their first picture. Each picture is listed beside its best score.
 * The one with the most pixels is proposed; of several, the one with the shortest id, since copies have longer names as a
 * rule: `harbour (1).jpg`, `copies/harbour.jpg`.
 */
export function groupsOf(kind: Kind, pairs: Iterable<Pair>, known: ReadonlyMap<string, Known>): Group[] {
  const parent = new Map<string, string>();
  const rootOf = (id: string): string => {
    let root = id;
    while (parent.get(root) !== undefined && parent.get(root) !== root) root = parent.get(root)!;
    parent.set(id, root);
    return root;
  };
  const best = new Map<string, Pair>();
  for (const pair of pairs) {
    const [a, b] = [rootOf(pair.a), rootOf(pair.b)].sort() as [string, string];
    parent.set(b, a);
    for (const id of [pair.a, pair.b]) if (pair.score < (best.get(id)?.score ?? Infinity)) best.set(id, pair);
  }
  const members = new Map<string, string[]>();
  for (const id of [...best.keys()].sort()) {
    const root = rootOf(id);
    members.set(root, [...(members.get(root) ?? []), id]);
  }
  const pixels = (id: string): number => (known.get(id)?.frame ?? [0, 0]).reduce((w, h) => w * h);
  return [...members.values()].map((ids) => {
    const most = Math.max(...ids.map(pixels));
    const largest = ids.filter((id) => pixels(id) === most);
    const [keep] = largest.sort((a, b) => a.length - b.length || (a < b ? -1 : 1)) as [string];
    const images = ids.map((id): GroupImage => {
      const { score, decision } = best.get(id)!;
      const { keywords = [], frame } = known.get(id) ?? {};
      const [width, height] = frame && Math.max(...frame) < REDUCED ? frame : [null, null];
      const facts = { keywords, width, height, bytes: null, grade: null, added: null };
      if (id === keep) return { id, similarity: null, decision: null, ...facts };
      return { id, similarity: (1 - score) * 100, decision, ...facts };
    });
    const reason =
      largest.length < ids.length ? 'It has the most pixels.' : 'All have the same size, and its id is the shortest.';
    return { id: ids.join('\n'), kind, images, keep, reason };
  });
}
