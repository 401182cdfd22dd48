import type { Answers } from '@sosia/contract';
import { ask } from '../../api/call.ts';
import type { Request } from '../../api/call.ts';

type Review = Answers['review'];
export type ReviewProgress = Review['GetReview']['review'];
export type Group = Review['ListGroups']['groups'][number];
export type GroupImage = Group['images'][number];
export type Verdict = 'keep' | 'different' | 'ignore' | 'later';

/** Groups to decide about: of one kind, or those that were put off. */
export type Queue = 'duplicates' | 'similar' | 'wrong' | 'later';

/** Groups per request. */
const PAGE = 100;

export function groupsRequest(queue: Queue, start = 0): Request<'review', 'ListGroups'> {
  const which = queue === 'later' ? { state: 'later' } : { kind: queue };
  const values = { ...which, starting_index: start, nb_results: PAGE };
  return { family: 'review', operation: 'ListGroups', values };
}

export async function allGroups(queue: Queue): Promise<Group[]> {
  const all: Group[] = [];
  for (;;) {
    const { groups, nb_results_found } = await ask(groupsRequest(queue, all.length));
    all.push(...groups);
    if (groups.length === 0 || all.length >= nb_results_found) return all;
  }
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
