import type { Answers } from '@sosia/contract';
import { ask, type Request } from '../../api/call.ts';

type Review = Answers['review'];
export type ReviewProgress = Review['GetReview']['review'];
export type Group = Review['ListGroups']['groups'][number];
export type GroupImage = Group['images'][number];
export type Verdict = 'keep' | 'different' | 'ignore' | 'later';

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
  return { family: 'review', operation: 'ListGroups', values: { ...which, ...filter, ...page } };
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

/** @returns the ids of the verdicts, for the undo */
export async function judge(groups: readonly string[], verdict: Verdict, keep?: string): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < groups.length; i += PAGE) {
    const values = { groups: groups.slice(i, i + PAGE).join(';'), verdict, keep };
    const { verdicts } = await ask({ family: 'review', operation: 'Judge', values });
    ids.push(...verdicts);
  }
  return ids;
}

export async function undoVerdicts(verdicts: readonly string[]): Promise<void> {
  for (let i = 0; i < verdicts.length; i += PAGE) {
    const values = { verdicts: verdicts.slice(i, i + PAGE).join(';') };
    await ask({ family: 'review', operation: 'UndoVerdict', values });
  }
}
