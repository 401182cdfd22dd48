import { basename, dirname, sep } from 'node:path';
import type { AtOnce } from '@sosia/engine';
import { mean } from '@sosia/testing/statistics';

/** How many of the nearest are looked at. */
export const NEAREST = 10;

/** Pictures of kinds; the path ends in half/kind/file. */
export interface Labelled {
  readonly path: string;
  readonly kind: string;
  /** Whether the engine's axes were trained on it. */
  readonly seen: boolean;
}

export function labelled(paths: readonly string[]): Labelled[] {
  return paths.map((path) => ({ path, kind: basename(dirname(path)), seen: path.split(sep).at(-3) === 'train' }));
}

/** All pictures, nearest first. */
export type NearestOf = (picture: number) => readonly number[];

export interface Precision {
  /** Every picture among all others. */
  readonly all: number;
  /** Those that were not trained on, among all others. */
  readonly unseen: number;
  /** Those that were not trained on, among themselves. */
  readonly apart: number;
}

/** The share of the nearest that are of the same kind. */
export function precision(pictures: readonly Labelled[], nearestOf: NearestOf): Precision {
  const order = pictures.map((_, i) => nearestOf(i).filter((other) => other !== i));
  const share = (i: number, among: (other: number) => boolean): number => {
    const nearest = order[i]!.filter(among).slice(0, NEAREST);
    return nearest.filter((other) => pictures[other]!.kind === pictures[i]!.kind).length / NEAREST;
  };
  const all = [...pictures.keys()];
  const unseen = all.filter((i) => !pictures[i]!.seen);
  return {
    all: mean(all.map((i) => share(i, () => true))),
    unseen: mean(unseen.map((i) => share(i, () => true))),
    apart: mean(unseen.map((i) => share(i, (other) => !pictures[other]!.seen))),
  };
}

export function nearestByDistance<T>(looks: readonly T[], distance: (a: T, b: T) => number): NearestOf {
  return (picture) => {
    const distances = looks.map((look) => distance(looks[picture]!, look));
    return [...looks.keys()].sort((a, b) => distances[a]! - distances[b]! || a - b);
  };
}

export function nearestByRank(partition: AtOnce, dnas: readonly Uint8Array[], colorWeight: number): NearestOf {
  return (picture) => [
    ...partition.rank(dnas[picture]!, null, { below: 1, most: dnas.length }, { colorWeight }).images,
  ];
}
