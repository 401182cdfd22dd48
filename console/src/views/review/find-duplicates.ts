import type { Image } from '../../api/answers.ts';
import { ask } from '../../api/call.ts';
import { Store } from '../../parts/store.ts';
import { matchInfoOf } from '../search/match-info.ts';
import { pairKey } from './groups.ts';
import type { Kind, Known, Pair } from './groups.ts';

/** Pictures per request of the list, results per search, and searches in progress. */
const PAGE = 1000;
const NEAREST = 20;
const AT_ONCE = 3;
/** On types without decisions, pictures below this score are duplicates: near copies reach 0.045, other pictures begin at 0.4. */
const SAME = 0.06;

export interface Found {
  readonly state: 'idle' | 'running';
  readonly compared: number;
  readonly pictures: number;
  readonly pairs: Readonly<Record<Kind, ReadonlyMap<string, Pair>>>;
  readonly known: ReadonlyMap<string, Known>;
}

const pairs: Record<Kind, Map<string, Pair>> = { duplicates: new Map(), similar: new Map() };
const known = new Map<string, Known>();

/** What this page has found. Pictures that were compared are not compared again. */
export const found = new Store<Found>({
  state: 'idle',
  compared: 0,
  pictures: 0,
  pairs,
  known,
});

const compared = new Set<string>();
let stopped = false;

export function stop(): void {
  stopped = true;
}

/** Searches with each picture that was not compared yet. */
export async function findDuplicates(): Promise<void> {
  if (found.value.state === 'running') return;
  stopped = false;
  set({ state: 'running' });
  try {
    const ids = await allIds();
    const fresh = ids.filter((id) => !compared.has(id));
    set({ pictures: ids.length, compared: ids.length - fresh.length });
    const line = fresh[Symbol.iterator]();
    await Promise.all(Array.from({ length: AT_ONCE }, () => work(line)));
  } finally {
    set({ state: 'idle' });
  }
}

/** After a removal or its undo. */
export function forgetPicture(id: string): void {
  compared.delete(id);
  set({ pictures: Math.max(0, found.value.pictures - 1), compared: Math.max(0, found.value.compared - 1) });
}

async function work(line: Iterator<string>): Promise<void> {
  for (let next = line.next(); !next.done && !stopped; next = line.next()) {
    const id = next.value;
    const values = { image_id: id, nb_results: NEAREST };
    const { images } = await ask({ family: 'enginequery', operation: 'SearchImageById', values });
    note(id, images);
    compared.add(id);
    set({ compared: found.value.compared + 1 });
  }
}

function note(id: string, images: readonly Image[]): void {
  for (const image of images) {
    const { decision, places } = matchInfoOf(image);
    known.set(image.id, { keywords: image.keywords, ...(places && { frame: places.reference.frame }) });
    const kind = kindOf(decision, image.score);
    if (image.id === id || !kind) continue;
    const key = pairKey(id, image.id);
    const before = pairs[kind].get(key);
    if (before && before.score <= image.score) continue;
    pairs[kind].set(key, { a: id, b: image.id, score: image.score, decision: decision ?? null });
    if (kind === 'duplicates') pairs.similar.delete(key);
  }
}

function kindOf(decision: string | undefined, score: number): Kind | undefined {
  if (decision === undefined) return score < SAME ? 'duplicates' : undefined;
  if (decision === 'Clone' || decision === 'Match') return 'duplicates';
  return decision === 'Similar' ? 'similar' : undefined;
}

async function allIds(): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const values = { nb_results: PAGE, after: ids.at(-1) };
    const { images } = await ask({ family: 'enginequery', operation: 'ListImages', values });
    ids.push(...images.map(({ id }) => id));
    if (images.length < PAGE) return ids;
  }
}

function set(to: Partial<Found>): void {
  found.set({ ...found.value, ...to });
}
