import type { Bulk, ReviewGroup } from '@sosia/contract';
import type { Application } from '../applications/application.ts';
import { similarityIn, type Group } from './groups.ts';
import type { Links } from './links.ts';

/** Which groups are listed. */
export interface GroupFilter {
  readonly bulk?: Bulk | undefined;
  /** Per cent. */
  readonly minSimilarity: number;
  /** In an id or a keyword. */
  readonly contains?: string | undefined;
}

/** Per cent from which on a Match may be judged with others, and a picture of a type without decisions counts as a Clone. */
const MIN_MATCH = 80;
const MIN_UNDECIDED_CLONE = 95;

/** Whether the best match of a group has the similarity. */
export function isSimilar({ images }: Group, application: Application, { minSimilarity }: GroupFilter): boolean {
  return minSimilarity === 0 || images.some((each) => similarityIn(each, application) >= minSimilarity);
}

/** Whether a group passes the rest of the filter. */
export function passes(group: ReviewGroup, { bulk, contains }: GroupFilter, links: Links): boolean {
  const { images } = group;
  if (contains !== undefined && !images.some(({ id, keywords }) => [id, ...keywords].some(has(contains)))) return false;
  return bulk === undefined || isSafe(group, bulk, links);
}

/** Without regard to upper and lower case. */
export function has(contained: string): (text: string) => boolean {
  const wanted = contained.toLowerCase();
  return (text) => text.toLowerCase().includes(wanted);
}

/** Whether each picture was itself found to match the one to keep. */
function isSafe({ kind, images, keep, query }: ReviewGroup, bulk: Bulk, links: Links): boolean {
  if (kind !== 'duplicates' || query) return false;
  return images.every(({ id, decision, similarity }) => {
    if (id === keep) return true;
    if (!links.bestBetween(id, keep)) return false;
    if (decision === '') return similarity >= (bulk === 'clones' ? MIN_UNDECIDED_CLONE : MIN_MATCH);
    return decision === 'Clone' || (bulk === 'matches' && decision === 'Match' && similarity >= MIN_MATCH);
  });
}
