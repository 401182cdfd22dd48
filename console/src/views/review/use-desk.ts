import { useMemo, useState } from 'preact/hooks';
import type { CallError } from '../../api/call.ts';
import { whole } from '../../parts/figures.ts';
import { useStore } from '../../parts/store.ts';
import { found } from './find-duplicates.ts';
import { groupsOf, pairKey } from './groups.ts';
import type { Group, Kind } from './groups.ts';
import { judge, remove, verdicts } from './verdicts.ts';
import type { PairVerdict } from './verdicts.ts';

interface Step {
  readonly words: string;
  /** The first group of the step, which is shown again. */
  readonly group: string;
  readonly undo: () => Promise<void>;
}

export interface Desk {
  readonly groups: readonly Group[];
  readonly at: number;
  readonly error: CallError | undefined;
  /** What the last verdict did, if it can be undone. */
  readonly last: string | undefined;
  readonly show: (index: number) => void;
  readonly judge: (verdict: PairVerdict, words: string) => void;
  /** Keeps one picture of the group and removes the others. */
  readonly keep: (id: string) => void;
  /** Keeps the proposed picture in every group. */
  readonly keepAll: () => void;
  readonly undo: () => void;
}

/** The open groups of a kind, and verdicts on them, each of which can be undone. */
export function useDesk(kind: Kind): Desk {
  const all = useStore(found);
  const judged = useStore(verdicts);
  const [current, setCurrent] = useState<{ id: string; at: number }>();
  const [steps, setSteps] = useState<readonly Step[]>([]);
  const [error, setError] = useState<CallError>();
  const groups = useMemo(() => {
    const open = [...all.pairs[kind].values()].filter(
      ({ a, b }) => !judged.pairs.has(pairKey(a, b)) && !judged.removed.has(a) && !judged.removed.has(b),
    );
    return groupsOf(kind, open, all.known);
  }, [all, judged, kind]);

  const known = current ? groups.findIndex(({ id }) => id === current.id) : 0;
  const at = Math.max(0, Math.min(known >= 0 ? known : (current?.at ?? 0), groups.length - 1));
  const group = groups[at];
  const show = (index: number): void => {
    const next = groups[Math.max(0, Math.min(groups.length - 1, index))];
    if (next) setCurrent({ id: next.id, at: groups.indexOf(next) });
  };
  const did = (words: string, undo: () => Promise<void>, first: Group): void => {
    setError(undefined);
    setCurrent({ id: '', at }); // the next group takes this place
    setSteps((before) => [...before, { words, group: first.id, undo }]);
  };
  const removeOthers = (some: readonly Group[], keptOf: (group: Group) => string): void => {
    const ids = some.flatMap((each) => each.images.map(({ id }) => id).filter((id) => id !== keptOf(each)));
    const undo = remove(ids, (cause) => setError(cause as CallError));
    did(`Removed ${whole(ids.length)} ${ids.length === 1 ? 'picture' : 'pictures'}`, undo, some[0]!);
  };
  return {
    ...{ groups, at, error, show },
    last: steps.at(-1)?.words,
    judge: (verdict, words) => group && did(words, judge([group], verdict), group),
    keep: (id) => group && removeOthers([group], () => id),
    keepAll: () => groups.length > 0 && removeOthers(groups, ({ keep }) => keep),
    undo: () => {
      const step = steps.at(-1);
      if (!step) return;
      setSteps(steps.slice(0, -1));
      step.undo().then(
        () => setCurrent({ id: step.group, at }),
        (cause: unknown) => setError(cause as CallError),
      );
    },
  };
}
