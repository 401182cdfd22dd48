import type { ReviewGroup, ReviewKind } from '@sosia/contract';
import type { Application } from '../applications/application.ts';
import type { References } from '../applications/references.ts';
import { groupIdOf, groupOf, groupsOf } from './links.ts';
import type { FoundGroup, Links, Pairs } from './links.ts';
import { proposalFor } from './proposal.ts';
import type { Wrong, WrongQuery } from './stored.ts';

/** A group of any kind. */
export type Group = FoundGroup & {
  /** Of a false match whose query is no reference. */
  readonly query?: WrongQuery;
};

export type Groups = Readonly<Record<ReviewKind, readonly Group[]>>;

/** The groups of the pictures that are present. */
export async function groupsFrom(
  links: Links,
  falseMatches: readonly Wrong[],
  apart: Pairs,
  references: References,
): Promise<Groups> {
  const linked = [...links].flatMap(([from, found]) => found.map((link) => ({ from, ...link })));
  const marked = falseMatches.flatMap(({ images }) => images);
  const present = await references.present(new Set([...linked.flatMap(({ from, to }) => [from, to]), ...marked]));
  const edges = linked.filter(({ from, to }) => present.has(from) && present.has(to));
  const wrong = falseMatches.flatMap(({ images, query }): Group[] => {
    const [reference, other] = images;
    const shown = query ? [reference] : images;
    if (apart.has(reference, other) || !shown.every((id) => present.has(id))) return [];
    const group = groupOf(shown.map((id) => ({ id, score: 0, decision: '' })));
    return [query ? { ...group, id: groupIdOf(images), query } : group];
  });
  return { ...groupsOf(edges, apart), wrong };
}

/** All that a verdict on a group names. */
export function namesIn({ images, query }: Group): string[] {
  return [...images.map(({ id }) => id), ...(query ? [query.id] : [])].sort((a, b) => (a < b ? -1 : 1));
}

/** A group with its pictures as people compare them, and the one that is proposed. */
export async function shownGroup(
  application: Application,
  { id, images, query }: Group,
  kind: ReviewKind,
  state: 'open' | 'later',
): Promise<ReviewGroup> {
  const { references, definition } = application;
  const all = await Promise.all(
    images.map(async (each) => {
      const [{ keywords }, details, dna] = await Promise.all([
        references.image(each.id),
        references.details(each.id),
        references.dna(each.id),
      ]);
      const { width = null, height = null, bytes = null, added = null } = details ?? {};
      const similarity = application.similarityOf(each.score);
      return {
        ...each,
        similarity,
        keywords,
        width,
        height,
        bytes,
        grade: definition.referenceQuality?.(dna).grade ?? null,
        added,
      };
    }),
  );
  return { id, kind, state, images: all, ...(query && { query }), ...proposalFor(all) };
}
