import { useEffect, useRef, useState } from 'preact/hooks';
import { ask, type CallError } from '../../api/call.ts';
import { whole } from '../../parts/figures.ts';
import type { FileChoice } from '@sosia/contract';
import { faultOf, groupsRequest, judge, undoVerdicts } from './review-requests.ts';
import type { Filter, Group, Queue, Verdict } from './review-requests.ts';

/** Groups that remain when more are fetched. */
const FEW = 20;

interface Step {
  readonly words: string;
  readonly groups: readonly Group[];
  /** Where the first group was in the list. */
  readonly at: number;
  /** The ids of the verdicts, once the service has stored them. */
  readonly verdicts: Promise<string[]>;
}

export type OpenGroups = ReturnType<typeof useOpenGroups>;

/**
 * The groups of a queue, and verdicts on them. A verdict takes effect on the page at once; the requests follow one after
 * another, and groups whose verdict fails come back.
 * @param version  changes when the service has found other groups
 * @param onStored  called after each change that the service has stored
 */
export function useOpenGroups(queue: Queue, filter: Filter, version: unknown, onStored: () => void) {
  const [groups, setGroups] = useState<readonly Group[]>([]);
  const [total, setTotal] = useState<number>();
  const [at, setAt] = useState(0);
  const [error, setError] = useState<CallError>();
  const [steps, setSteps] = useState<readonly Step[]>([]);
  /** Groups whose verdict the service may not have stored yet. */
  const judged = useRef(new Set<string>());
  const line = useRef<Promise<unknown>>(Promise.resolve());

  const few = groups.length <= FEW;
  const wanted = JSON.stringify(filter);
  const shownFor = useRef(wanted);
  useEffect(() => {
    const abort = new AbortController();
    ask(groupsRequest(queue, filter), abort.signal).then(
      (answer) => {
        const fresh = answer.groups.filter(({ id }) => !judged.current.has(id));
        const same = shownFor.current === wanted;
        shownFor.current = wanted;
        setGroups((before) => (same ? merged(before, fresh) : fresh));
        setTotal(answer.nb_results_found - (answer.groups.length - fresh.length));
      },
      (cause: unknown) => abort.signal.aborted || setError(cause as CallError),
    );
    return () => abort.abort();
  }, [queue, version, few, wanted]);

  const sequentially = <T>(work: () => Promise<T>): Promise<T> => {
    const next = line.current.then(work);
    line.current = next.catch(() => {});
    return next;
  };
  const bringBack = (back: readonly Group[], where: number): void => {
    const ids = new Set(back.map(({ id }) => id));
    for (const id of ids) judged.current.delete(id);
    setGroups((before) => {
      const rest = before.filter(({ id }) => !ids.has(id));
      return [...rest.slice(0, where), ...back, ...rest.slice(where)];
    });
    setTotal((before) => (before ?? 0) + back.length);
    setAt(where);
  };
  const did = (words: string, some: readonly Group[], where: number, work: () => Promise<string[]>): void => {
    const ids = new Set(some.map(({ id }) => id));
    for (const id of ids) if (judged.current.has(id)) return; // a second key before the next group is shown
    setError(undefined);
    for (const id of ids) judged.current.add(id);
    setGroups((before) => before.filter(({ id }) => !ids.has(id)));
    setTotal((before) => Math.max(0, (before ?? 0) - some.length));
    const step: Step = { words, groups: some, at: where, verdicts: sequentially(work) };
    setSteps((before) => [...before, step]);
    step.verdicts.then(onStored, (cause: unknown) => {
      setError(cause as CallError);
      setSteps((before) => before.filter((each) => each !== step));
      bringBack(some, where);
    });
  };

  const named: Parameters<typeof judge>[2] = (kept) => setError((before) => faultOf(kept) ?? before);
  const index = Math.max(0, Math.min(at, groups.length - 1));
  const group = groups[index];
  const removal = (some: readonly Group[]): string => {
    const count = some.reduce((sum, { images }) => sum + images.length - 1, 0);
    return `Removed ${whole(count)} ${count === 1 ? 'picture' : 'pictures'}`;
  };
  return {
    groups,
    /** Open groups, including those that are not fetched yet; undefined before the first answer. */
    total,
    at: index,
    error,
    /** What the last verdict did, if it can be undone. */
    last: steps.at(-1)?.words,
    show: (next: number) => setAt(Math.max(0, Math.min(groups.length - 1, next))),
    judge: (verdict: Exclude<Verdict, 'keep'>, words: string) =>
      group && did(words, [group], index, () => judge([group.id], { verdict }, named)),
    /** Keeps one picture of the group and removes the others. */
    keep: (keep: string) =>
      group && did(removal([group]), [group], index, () => judge([group.id], { verdict: 'keep', keep }, named)),
    /** Keeps the proposed picture in each of these groups. */
    keepIn: (some: readonly Group[], files: FileChoice) => {
      const all = some.filter(({ id }) => !judged.current.has(id));
      const ids = all.map(({ id }) => id);
      if (all.length > 0) did(removal(all), all, 0, () => judge(ids, { verdict: 'keep', files }, named));
    },
    undo: () => {
      const step = steps.at(-1);
      if (!step) return;
      setSteps(steps.slice(0, -1));
      sequentially(async () => undoVerdicts(await step.verdicts, named)).then(
        () => {
          bringBack(step.groups, step.at);
          onStored();
        },
        (cause: unknown) => setError(cause as CallError),
      );
    },
  };
}

/** The known groups stay where they are, and new ones follow. */
function merged(before: readonly Group[], fresh: readonly Group[]): readonly Group[] {
  const known = new Set(before.map(({ id }) => id));
  const more = fresh.filter(({ id }) => !known.has(id));
  return more.length === 0 ? before : [...before, ...more];
}
