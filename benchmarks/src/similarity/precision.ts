import { basename, dirname, sep } from 'node:path';
import { mean } from '@sosia/testing/statistics';

/** How many of the nearest are counted. */
const NEAREST = 10;

interface Labelled {
  readonly kind: string;
  /** Whether the engine's axes were trained on the picture. */
  readonly seen: boolean;
}

/** @param paths  end in split/kind/file */
export function labelled(paths: readonly string[]): Labelled[] {
  return paths.map((path) => ({ kind: basename(dirname(path)), seen: path.split(sep).at(-3) === 'train' }));
}

/** All pictures, nearest first. */
export type NearestOf = (picture: number) => readonly number[];

/**
 * The share of the nearest that are of the same kind: of every picture among all others; of the unseen ones among all
 * others; of the unseen ones among each other.
 */
export function precision(pictures: readonly Labelled[], nearestOf: NearestOf) {
  const order = pictures.map((_, i) => nearestOf(i).filter((other) => other !== i));
  const sameKind = (i: number, among: (other: number) => boolean): number => {
    const nearest = order[i]!.filter(among).slice(0, NEAREST);
    return nearest.filter((other) => pictures[other]!.kind === pictures[i]!.kind).length / NEAREST;
  };
  const all = [...pictures.keys()];
  const unseen = all.filter((i) => !pictures[i]!.seen);
  return {
    all: mean(all.map((i) => sameKind(i, () => true))),
    unseen: mean(unseen.map((i) => sameKind(i, () => true))),
    'unseen among each other': mean(unseen.map((i) => sameKind(i, (other) => !pictures[other]!.seen))),
  };
}

/** Nearest is what has the least sum of costs of the differences, number by number. */
export function nearestByDistance(vectors: readonly ArrayLike<number>[], cost: (off: number) => number): NearestOf {
  return (picture) => {
    const query = vectors[picture]!;
    const distances = vectors.map((vector) => {
      let sum = 0;
      for (let k = 0; k < query.length; k++) sum += cost(query[k]! - vector[k]!);
      return sum;
    });
    return [...vectors.keys()].sort((a, b) => distances[a]! - distances[b]! || a - b);
  };
}
