import type { Answers, FileChoice } from '@sosia/contract';
import { ask, CallError, requestFor, type Request } from '../../api/call.ts';
import { count } from '../../parts/figures.ts';

type Review = Answers['review'];
export type ReviewProgress = Review['GetReview']['review'];
export type Group = Review['ListGroups']['groups'][number];
export type GroupImage = Group['images'][number];
export type Verdict = 'keep' | 'different' | 'ignore' | 'later';
type KeptFiles = NonNullable<Review['Judge']['files']>['kept'];

/** Groups to decide about: of one kind, or those that were put off. */
export type Queue = 'duplicates' | 'similar' | 'wrong' | 'later';

/** Groups per request. */
const PAGE = 100;

export interface Filter {
  readonly bulk?: 'clones' | 'matches';
  /** Per cent. */
  readonly min_similarity?: number;
  /** In an id or a keyword. */
  readonly contains?: string | undefined;
}

export function groupsRequest(
  queue: Queue,
  filter: Filter = {},
  page = { starting_index: 0, nb_results: PAGE },
): Request<'review', 'ListGroups'> {
  const which = queue === 'later' ? { state: 'later' } : { kind: queue };
  return requestFor('review', 'ListGroups', { ...which, ...filter, ...page });
}

export async function allGroups(queue: Queue, filter: Filter): Promise<Group[]> {
  const all: Group[] = [];
  for (;;) {
    const page = { starting_index: all.length, nb_results: 1000 };
    const { groups, nb_results_found } = await ask(groupsRequest(queue, filter, page));
    all.push(...groups);
    if (groups.length === 0 || all.length >= nb_results_found) return all;
  }
}

/** The pictures of a group beside the one to keep. */
export function othersIn({ images, keep }: Group): GroupImage[] {
  return images.filter(({ id }) => id !== keep);
}

/** The pictures of a group whose files may go with them: those in writable sources, where the one to keep has a source. */
export function filesIn(group: Group): GroupImage[] {
  const stays = group.images.find(({ id }) => id === group.keep)?.origin;
  return stays ? othersIn(group).filter(({ origin }) => origin?.writable) : [];
}

/** @param named  called with the files that stay against the wish @returns the ids of the verdicts, for the undo */
export async function judge(
  groups: readonly string[],
  given: { readonly verdict: Verdict; readonly keep?: string; readonly files?: FileChoice },
  named: (kept: KeptFiles) => void,
): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < groups.length; i += PAGE) {
    const values = { groups: groups.slice(i, i + PAGE).join(';'), ...given };
    const { verdicts, files } = await ask(requestFor('review', 'Judge', values));
    ids.push(...verdicts);
    named(files?.kept ?? []);
  }
  return ids;
}

/** @param named  as for `judge`; otherwise such files are a failure of the whole */
export async function undoVerdicts(verdicts: readonly string[], named = refuse): Promise<void> {
  for (let i = 0; i < verdicts.length; i += PAGE) {
    const values = { verdicts: verdicts.slice(i, i + PAGE).join(';') };
    named((await ask(requestFor('review', 'UndoVerdict', values))).files?.kept ?? []);
  }
}

function refuse(kept: KeptFiles): void {
  const fault = faultOf(kept);
  if (fault) throw fault;
}

/** Says which files stay; undefined for none. */
export function faultOf(kept: KeptFiles): CallError | undefined {
  if (kept.length === 0) return undefined;
  const all = kept.map(({ image_id, message }) => `${image_id}: ${message}`).join('; ');
  return new CallError(0, `${count(kept.length, 'file')} could not be moved or deleted. ${all}`);
}
