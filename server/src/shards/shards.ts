import { grouped, prevalent, recipes } from '@sosia/engine';
import type { ApplicationType, Explanation, ImageNumber, Prevalent, ResultInfo } from '@sosia/engine';
import { Metrics } from '../metrics/metrics.ts';
import { ranked } from './exhaustive-search.ts';
import { promising, verified } from './rerank.ts';
import type { Question } from './rerank.ts';
import { KeyedSemaphore } from '../workers/keyed-semaphore.ts';
import type { ReferenceImage, Shard, Size } from './shard.ts';
import { type Remote, startThread } from './shard-thread.ts';

/** A reference picture that matched, before it gets its id and keywords back. */
export interface Hit {
  readonly image: ImageNumber;
  readonly score: number;
  readonly resultInfo: ResultInfo | null;
}

/** The wanted part of the ordered list of all matches. */
export interface Found {
  /** The length of the whole list. */
  readonly found: number;
  /** Best score first, ties by the question's order. */
  readonly hits: readonly Hit[];
  /** Whether the search ended before all promising pictures were compared, because it had taken too much work. */
  readonly truncated?: boolean;
}

/** What is asked of an application; its lists of pictures are not yet split by shard. */
export type Search = Omit<Question, 'only'> & {
  /** The pictures to look among, ascending; null for all. */
  readonly only: Uint32Array | null;
};

/** The indexes of all applications, spread over worker threads; the main thread only sends and receives. */
export interface Shards {
  /** Makes room for an application; adding to one that was not opened is an error. */
  open(application: number, type: ApplicationType): Promise<void>;
  drop(application: number): Promise<void>;
  /** Resolves when every later search sees the pictures. */
  add(application: number, images: readonly ReferenceImage[]): Promise<void>;
  /** Resolves when no later search sees the picture. */
  remove(application: number, image: ImageNumber): Promise<void>;
  search(search: Search): Promise<Found>;
  /** What stands behind a comparison with one picture; undefined where there is nothing to show. */
  explain(application: number, query: Uint8Array, image: ImageNumber): Promise<Explanation | undefined>;
  /** The colours of all pictures (among `only`) that contain all of `colors`, those of most pictures first. */
  palette(application: number, only: Uint32Array | null, colors: readonly number[]): Promise<Prevalent[]>;
  size(application: number): Promise<Size>;
  close(): Promise<void>;
}

/**
 * A picture goes to the thread `number % threads`; each thread takes the messages of an application in order, so a search
 * sees every picture whose `add` was called before it and none whose `remove` was.
 * @param lost  called once when a thread dies. Answers would be incomplete from then on, so nothing is answered any more:
 *              the process should end, and its next start rebuilds the index from the store.
 */
export function startShards(count: number, lost: (cause: Error) => void, metrics = new Metrics()): Shards {
  let alive = true;
  const threads = Array.from({ length: count }, () =>
    startThread((cause) => {
      if (alive) lost(cause);
      alive = false;
    }),
  );
  const shards = threads.map(({ shard }) => shard);
  const ownerOf = (image: ImageNumber): number => image % count;
  const spread = { shards, ownerOf };
  const turns = new KeyedSemaphore(metrics);
  const exhaustive = new Set<number>();
  const split = (only: Uint32Array | null) =>
    only && shards.map((_, i) => only.filter((image) => ownerOf(image) === i));

  return {
    async open(application, type) {
      if (recipes[type]?.exhaustive) exhaustive.add(application);
      await Promise.all(shards.map((shard) => shard.open(application, type)));
    },
    async drop(application) {
      exhaustive.delete(application);
      await Promise.all(shards.map((shard) => shard.drop(application)));
    },
    async add(application, images) {
      const parts = shards.map((_, i) =>
        images.filter(({ image }) => ownerOf(image) === i).map(({ image, dna }) => ({ image, dna: detached(dna) })),
      );
      await Promise.all(
        shards.map((shard, i) => (parts[i]!.length > 0 ? shard.add(application, parts[i]!) : undefined)),
      );
    },
    async remove(application, image) {
      await shards[ownerOf(image)]!.remove(application, image);
    },
    search(search) {
      const question = { ...search, query: detached(search.query), only: split(search.only) };
      return exhaustive.has(search.application) ? rank(question) : lookUpAndVerify(question);
    },
    palette(application, only, colors) {
      const lists = split(only);
      const ask = <T>(about: (shard: Remote<Shard>, only: Uint32Array | null) => Promise<T>): Promise<T[]> =>
        Promise.all(shards.map((shard, i) => about(shard, lists && lists[i]!)));
      return turns.take(application, async () => {
        const fills = await ask((shard, only) => shard.fill(application, only, colors));
        const grouping = grouped(sum(fills));
        const counts = await ask((shard, only) => shard.holders(application, only, colors, grouping));
        return prevalent(grouping, sum(counts));
      });
    },
    explain(application, query, image) {
      return turns.take(application, () => shards[ownerOf(image)]!.explain(application, detached(query), image));
    },
    async size(application) {
      const sizes = await Promise.all(shards.map((shard) => shard.size(application)));
      const total = (pick: (size: Size) => number): number => sizes.reduce((sum, size) => sum + pick(size), 0);
      return { count: total(({ count }) => count), bytes: total(({ bytes }) => bytes) };
    },
    async close() {
      alive = false;
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };

  function rank(question: Question): Promise<Found> {
    const ranking = () => metrics.time('searchSeconds', { phase: 'rank' }, () => ranked(shards, question));
    return turns.take(question.application, ranking);
  }

  function lookUpAndVerify(question: Question): Promise<Found> {
    return turns.take(question.application, async () => {
      const lookUp = () => promising(spread, question);
      const found = await metrics.time('searchSeconds', { phase: 'candidates' }, lookUp);
      return metrics.time('searchSeconds', { phase: 'verify' }, () => verified(spread, question, found));
    });
  }
}

function sum<T extends Float64Array | Uint32Array>(parts: readonly T[]): T {
  const [first, ...others] = parts;
  return first!.map((value, i) => others.reduce((total, part) => total + part[i]!, value)) as T;
}

/** A view would take the whole buffer behind it along to the thread. */
function detached(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}
