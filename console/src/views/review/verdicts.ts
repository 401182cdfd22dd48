import { ask } from '../../api/call.ts';
import { Store } from '../../parts/store.ts';
import { forgetPicture } from './find-duplicates.ts';
import { pairKey } from './groups.ts';
import type { Group } from './groups.ts';

/** On two pictures. `later` holds for this page, the others for this browser. */
export type PairVerdict = 'different' | 'ignore' | 'later';

export interface Verdicts {
  readonly pairs: ReadonlyMap<string, PairVerdict>;
  /** Pictures that are removed, or being removed. */
  readonly removed: ReadonlySet<string>;
}

export const verdicts = new Store<Verdicts>({ pairs: new Map(), removed: new Set() });

const STORED = 'sosia-verdicts';
/** Removals in progress. */
const AT_ONCE = 4;
let application = '';

/** Reads the verdicts of an application. */
export function readVerdicts(number: number): void {
  if (application === String(number)) return;
  application = String(number);
  let pairs: [string, PairVerdict][] = [];
  try {
    pairs = JSON.parse(localStorage.getItem(`${STORED}-${application}`) ?? '[]') as [string, PairVerdict][];
  } catch {
    // a browser without storage
  }
  verdicts.set({ pairs: new Map(pairs), removed: new Set() });
}

/** @returns takes the verdict back */
export function judge(groups: readonly Group[], verdict: PairVerdict): () => Promise<void> {
  const keys = groups.flatMap(pairsOf);
  setPairs((pairs) => keys.forEach((key) => pairs.set(key, verdict)));
  return async () => setPairs((pairs) => keys.forEach((key) => pairs.delete(key)));
}

interface Removed {
  readonly id: string;
  readonly keywords: readonly string[];
  readonly dna: string;
}

/**
 * Removes pictures. Their DNA is read before, so that the undo can add them again, without a preview.
 * @param failed  called with the first failure; the pictures that are not removed are shown again
 */
export function remove(ids: readonly string[], failed: (cause: unknown) => void): () => Promise<void> {
  setRemoved((removed) => ids.forEach((id) => removed.add(id)));
  const done: Removed[] = [];
  const line = ids[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (let next = line.next(); !next.done; next = line.next()) {
      const id = next.value;
      try {
        done.push(await removeOne(id));
        forgetPicture(id);
      } catch (cause) {
        failed(cause);
        setRemoved((removed) => removed.delete(id));
      }
    }
  };
  const all = Promise.all(Array.from({ length: AT_ONCE }, work));
  return async () => {
    await all;
    for (const { id, keywords, dna } of done) {
      await ask({ family: 'enginemodify', operation: 'AddImage', values: { image_id: id, keywords, dna } });
      setRemoved((removed) => removed.delete(id));
    }
  };
}

async function removeOne(id: string): Promise<Removed> {
  const values = { image_id: id };
  const { image } = await ask({ family: 'enginequery', operation: 'GetImageById', values });
  const { dna } = await ask({ family: 'enginemodify', operation: 'GetDnaById', values });
  await ask({ family: 'enginemodify', operation: 'DeleteImage', values });
  return { id, keywords: image.keywords, dna: dna.dna };
}

function pairsOf({ images }: Group): string[] {
  return images.flatMap((a, i) => images.slice(i + 1).map((b) => pairKey(a.id, b.id)));
}

function setPairs(change: (pairs: Map<string, PairVerdict>) => void): void {
  const pairs = new Map(verdicts.value.pairs);
  change(pairs);
  verdicts.set({ ...verdicts.value, pairs });
  try {
    const lasting = [...pairs].filter(([, verdict]) => verdict !== 'later');
    localStorage.setItem(`${STORED}-${application}`, JSON.stringify(lasting));
  } catch {
    // a browser without storage
  }
}

function setRemoved(change: (removed: Set<string>) => void): void {
  const removed = new Set(verdicts.value.removed);
  change(removed);
  verdicts.set({ ...verdicts.value, removed });
}
