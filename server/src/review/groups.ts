import type { ReviewGroup, ReviewKind } from '@sosia/contract';
import type { Application } from '../applications/application.ts';
import type { References } from '../applications/references.ts';
import { groupIdOf, groupOf, groupsOf, Pairs } from './links.ts';
import type { FoundGroup, Link, LinkedPair, Links } from './links.ts';
import { proposalFor } from './proposal.ts';
import type { Wrong, WrongQuery } from './stored.ts';

/** Of the places that both show, and of each that only it shows, where both are more than a copy has. */
const MIN_OTHER_SHARE = 0.5;

/** The same of places whose contrast is that of the other by this factor: a map that fits a caption lays other pictures on one another. */
const OTHER_CONTRAST = { minShare: 0.12, minFactor: 1.3 };

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
  const partOnly = new Pairs();
  for (const { from, to, pair } of linked) if (pair && showsPartOnly(pair)) partOnly.addAll([from, to]);
  const edges = linked
    .filter(({ from, to }) => present.has(from) && present.has(to))
    .map((edge) => (partOnly.has(edge.from, edge.to) ? { ...edge, decision: 'Similar' } : edge));
  const wrong = falseMatches.flatMap(({ images, query }): Group[] => {
    const [reference, other] = images;
    const shown = query ? [reference] : images;
    if (apart.has(reference, other) || !shown.every((id) => present.has(id))) return [];
    const group = groupOf(shown.map((id) => ({ id, score: 0, decision: '' })));
    return [query ? { ...group, id: groupIdOf(images), query } : group];
  });
  return { ...groupsOf(edges, apart), wrong };
}

/** Whether two pictures share a caption, a badge or a band, and nothing else: neither is a copy of the other. */
function showsPartOnly({ edits }: LinkedPair): boolean {
  return edits.every(({ differing, beyond, contrast }) => {
    const otherContrast = Math.max(contrast, 1 / contrast) >= OTHER_CONTRAST.minFactor;
    return Math.max(differing, beyond) >= MIN_OTHER_SHARE || (otherContrast && differing >= OTHER_CONTRAST.minShare);
  });
}

/** Of a link that was stored before its similarity was, the score says it. */
export function similarityIn(
  { score, similarity }: Pick<Link, 'score' | 'similarity'>,
  application: Application,
): number {
  return similarity ?? application.similarityOf({ score, resultInfo: null });
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
  links: Links,
): Promise<ReviewGroup> {
  const { references, definition } = application;
  const origins = await application.originsOf(images.map((each) => each.id));
  const all = await Promise.all(
    images.map(async (each) => {
      const [{ keywords }, details, dna] = await Promise.all([
        references.image(each.id),
        references.details(each.id),
        references.dna(each.id),
      ]);
      const { width = null, height = null, bytes = null, added = null, traces = null } = details ?? {};
      const similarity = similarityIn(each, application);
      const origin = origins.get(each.id);
      const shown = {
        ...each,
        similarity,
        keywords,
        width,
        height,
        bytes,
        grade: definition.referenceQuality?.(dna).grade ?? null,
        added,
        ...(origin && { origin }),
      };
      return { shown, traces };
    }),
  );
  const proposal = proposalFor(
    all.map(({ shown, traces }) => ({ ...shown, traces })),
    links,
  );
  const withKept = all.map(({ shown }) => {
    const link = links.bestBetween(shown.id, proposal.keep);
    if (!link || kind !== 'duplicates') return shown;
    const { score, decision, relation } = link;
    const { relation: _, ...rest } = shown;
    return { ...rest, score, decision, similarity: similarityIn(link, application), ...(relation && { relation }) };
  });
  return { id, kind, state, images: withKept, ...(query && { query }), ...proposal };
}
