import { createHash } from 'node:crypto';
import type { Relation } from '@sosia/contract';
import type { Homography, SideEdits } from '@sosia/engine';

/** That two pictures were found to match, or to be similar. */
export interface Link {
  readonly to: string;
  readonly score: number;
  /** Per cent; absent in links that were stored before it was known. */
  readonly similarity?: number;
  /** Empty for types without decisions. */
  readonly decision: string;
  /** Absent where nothing is known of it, and in links that were stored before it was known. */
  readonly relation?: Relation;
  /** Of duplicates whose thumbnails are stored. */
  readonly pair?: LinkedPair;
}

/** How two linked pictures lie on one another. */
export interface LinkedPair {
  /** From the unit square of the one that was found to that of the one that found it. */
  readonly map: Homography;
  /** Of the one that found, then of the one that was found. */
  readonly edits: readonly [SideEdits, SideEdits];
}

/** A picture of a group, with its best match in the group. */
export type GroupedImage = Omit<Link, 'to' | 'pair'> & { readonly id: string };

/** Pictures that are judged together. */
export interface FoundGroup {
  readonly id: string;
  /** By id. */
  readonly images: readonly GroupedImage[];
}

interface Edge extends Link {
  readonly from: string;
}

/** What each compared picture was found to be like. */
export class Links {
  readonly #found = new Map<string, readonly Link[]>();
  /** By picture, those that were found to be like it. */
  readonly #finders = new Map<string, Set<string>>();

  has(id: string): boolean {
    return this.#found.has(id);
  }

  set(id: string, links: readonly Link[]): void {
    for (const { to } of this.#found.get(id) ?? []) this.#finders.get(to)?.delete(id);
    this.#found.set(id, links);
    for (const { to } of links) {
      const finders = this.#finders.get(to) ?? new Set();
      this.#finders.set(to, finders.add(id));
    }
  }

  /** From one picture to another. */
  between(from: string, to: string): Link | undefined {
    return this.#found.get(from)?.find((link) => link.to === to);
  }

  /** The closer one of the two directions. */
  bestBetween(one: string, other: string): Link | undefined {
    const both = [this.between(one, other), this.between(other, one)].filter((link) => link !== undefined);
    return both.sort((a, b) => a.score - b.score)[0];
  }

  /** The pictures with a link to one. */
  findersOf(id: string): readonly string[] {
    return [...(this.#finders.get(id) ?? [])];
  }

  clear(): void {
    this.#found.clear();
    this.#finders.clear();
  }

  [Symbol.iterator](): IterableIterator<[string, readonly Link[]]> {
    return this.#found[Symbol.iterator]();
  }
}

/** Pairs of pictures, in either order. */
export class Pairs {
  readonly #pairs = new Map<string, Set<string>>();

  /** Every two of these. */
  addAll(ids: readonly string[]): void {
    for (const a of ids) for (const b of ids) if (a !== b) this.#of(a).add(b);
  }

  has(a: string, b: string): boolean {
    return this.#pairs.get(a)?.has(b) ?? false;
  }

  of(id: string): ReadonlySet<string> {
    return this.#pairs.get(id) ?? new Set();
  }

  #of(id: string): Set<string> {
    const known = this.#pairs.get(id) ?? new Set();
    this.#pairs.set(id, known);
    return known;
  }
}

/** The connected components of matches, and the similar pairs that no component has. */
export function groupsOf(
  edges: Iterable<Edge>,
  apart: Pairs,
): { readonly duplicates: FoundGroup[]; readonly similar: FoundGroup[] } {
  const parents = new Map<string, string>();
  const best = new Map<string, GroupedImage>();
  const close: Edge[] = [];
  const loose: Edge[] = [];
  for (const edge of edges) {
    if (edge.from === edge.to || apart.has(edge.from, edge.to)) continue;
    (edge.decision === 'Similar' ? loose : close).push(edge);
  }
  for (const { from, to, pair: _, ...match } of close) {
    const [one, other] = [rootIn(parents, from), rootIn(parents, to)];
    if (one !== other) parents.set(other, one);
    for (const id of [from, to]) {
      if (match.score < (best.get(id)?.score ?? Infinity)) best.set(id, { id, ...match });
    }
  }

  const members = new Map<string, string[]>();
  for (const id of best.keys()) {
    const root = rootIn(parents, id);
    members.set(root, [...(members.get(root) ?? []), id]);
  }
  const duplicates = [...members.values()].map((ids) => groupOf(ids.map((id) => best.get(id)!)));

  const pairs = new Map<string, FoundGroup>();
  for (const { from, to, pair: _, ...match } of loose) {
    if (best.has(from) && best.has(to) && rootIn(parents, from) === rootIn(parents, to)) continue;
    const pair = groupOf([from, to].map((id) => ({ id, ...match })));
    if (!pairs.has(pair.id)) pairs.set(pair.id, pair);
  }
  return { duplicates: duplicates.sort(byFirst), similar: [...pairs.values()].sort(byFirst) };
}

export function groupOf(images: FoundGroup['images']): FoundGroup {
  const sorted = [...images].sort((a, b) => (a.id < b.id ? -1 : 1));
  return { id: groupIdOf(sorted.map(({ id }) => id)), images: sorted };
}

/** The same for the same pictures, in any order. */
export function groupIdOf(ids: readonly string[]): string {
  const text = [...ids].sort((a, b) => (a < b ? -1 : 1)).join(';');
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function byFirst(a: FoundGroup, b: FoundGroup): number {
  return a.images[0]!.id < b.images[0]!.id ? -1 : 1;
}

function rootIn(parents: Map<string, string>, id: string): string {
  let root = id;
  for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next;
  if (root !== id) parents.set(id, root);
  return root;
}
