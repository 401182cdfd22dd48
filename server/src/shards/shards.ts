import { grouped, prevalent, PREPARED_QUERIES, typeDefinitions } from '@sosia/engine';
import type { ApplicationType, Explanation, ImageNumber, NetworkIdentity, Prevalent, Selection } from '@sosia/engine';
import { fail } from '../errors.ts';
import { Metrics } from '../metrics/metrics.ts';
import { KeyedSemaphore } from '../workers/keyed-semaphore.ts';
import { detached, type Remote, Thread } from '../workers/thread.ts';
import { exhaustiveSearch } from '../search/exhaustive.ts';
import type { Found } from '../search/found.ts';
import { twoPhaseSearch } from '../search/two-phase.ts';
import { shardOf } from './placement.ts';
import type { Search } from './search.ts';
import { ShardRanking, ShardSource } from './shard-source.ts';
import type { SavedPartition } from './saved-partition.ts';
import type { ReferenceImage, Restored, Shard, Size } from './shard.ts';

export interface ShardsOptions {
  readonly metrics: Metrics;
  /** Longest wait of a search for other searches of its application, in milliseconds; then OVERLOADED. */
  readonly waitLimit: number;
  /** The program of a thread. */
  readonly script: URL;
}

/**
 * The indexes of all applications, spread over worker threads; the main thread only sends and receives. Each thread
 * carries out the calls of an application in order, so a search sees every picture whose `add` was called before it and
 * none whose `remove` was.
 */
export class Shards {
  readonly #threads: readonly Thread<Shard>[];
  readonly #metrics: Metrics;
  /** As many searches of an application at a time as its partitions keep prepared queries. */
  readonly #searches: KeyedSemaphore<number>;
  readonly #exhaustive = new Set<number>();
  #closed = false;

  /**
   * @param lost  called once when a thread ends by itself. Answers would be incomplete from then on, so every call rejects:
   *              the process should end, and its next start rebuilds the index from the store.
   */
  constructor(count: number, lost: (cause: Error) => void, options: Partial<ShardsOptions> = {}) {
    const { metrics, waitLimit, script } = { ...usual(), ...options };
    this.#metrics = metrics;
    this.#searches = new KeyedSemaphore(PREPARED_QUERIES, waitLimit);
    const ended = (cause: Error): Error => {
      if (!this.#closed) lost(cause);
      this.#closed = true;
      return fail('SHUTTING_DOWN');
    };
    this.#threads = Array.from({ length: count }, () => new Thread<Shard>(script, ended));
  }

  /**
   * To be called before pictures of the application are added.
   * @param recordsOf  the path of a shard's file for records; in memory alone if missing
   */
  async open(
    application: number,
    type: ApplicationType,
    network?: NetworkIdentity,
    recordsOf?: (shard: number) => string,
  ): Promise<void> {
    if (typeDefinitions[type].exhaustive) this.#exhaustive.add(application);
    await this.#all((shard, i) => shard.open(application, type, network, recordsOf?.(i)));
  }

  async drop(application: number): Promise<void> {
    this.#exhaustive.delete(application);
    await this.#all((shard) => shard.drop(application));
  }

  /**
   * Writes the pictures of each shard to a file, beside other calls.
   * @param pathOf  of the file of a shard
   * @returns the files in the order of the shards; undefined for a type whose pictures are not saved
   */
  async save(application: number, pathOf: (shard: number) => string): Promise<SavedPartition[] | undefined> {
    const saved = await this.#all((shard, i) => shard.save(application, pathOf(i)));
    return saved.every((each) => each !== undefined) ? saved : undefined;
  }

  /** To be called when the files of `save` have replaced earlier ones. */
  async saved(application: number): Promise<void> {
    await this.#all((shard) => shard.saved(application));
  }

  /**
   * Fills an application without pictures from the files that `save` wrote. Where one cannot be used, or belongs to another number
   * of shards, its pictures are missing.
   */
  restore(application: number, saved: readonly SavedPartition[]): Promise<Restored[]> {
    const count = this.#threads.length;
    const other = { fault: `saved for ${saved.length} search threads, and there are ${count}` };
    return this.#all((shard, i) => (saved.length === count ? shard.restore(application, saved[i]!) : other));
  }

  /** Resolves when every later search sees the pictures. */
  async add(application: number, images: readonly ReferenceImage[]): Promise<void> {
    const own = images.map(({ image, dna }) => ({ image, dna: detached(dna) }));
    await this.#all((shard, i) => {
      const part = own.filter(({ image }) => shardOf(image, this.#threads.length) === i);
      return part.length > 0 ? shard.add(application, part) : undefined;
    });
  }

  /** Resolves when no later search sees the picture. */
  remove(application: number, image: ImageNumber): Promise<void> {
    return this.#holding(image).remove(application, image);
  }

  search(search: Search): Promise<Found> {
    const own = { ...search, query: detached(search.query) };
    const { application } = search;
    return this.#limited(application, () =>
      this.#exhaustive.has(application) ? this.#rank(own) : this.#twoPhases(own),
    );
  }

  /** Why the query matches a picture; undefined where there is nothing to show. */
  explain(application: number, query: Uint8Array, image: ImageNumber): Promise<Explanation | undefined> {
    return this.#limited(application, async () => {
      const { explanations } = await this.#holding(image).verify(application, detached(query), [image], {
        explain: true,
      });
      return explanations?.[0]?.explanation;
    });
  }

  /** The colours of all pictures (among `only`) that contain all of `colors`, those of most pictures first. */
  palette(application: number, only: Selection | null, colors: readonly number[]): Promise<Prevalent[]> {
    return this.#limited(application, async () => {
      const fills = await this.#all((shard) => shard.fill(application, only, colors));
      const grouping = grouped(sum(fills));
      const counts = await this.#all((shard) => shard.holders(application, only, colors, grouping));
      return prevalent(grouping, sum(counts));
    });
  }

  async size(application: number): Promise<Size> {
    const sizes = await this.#all((shard) => shard.size(application));
    const total = (pick: (size: Size) => number): number => sizes.reduce((sum, size) => sum + pick(size), 0);
    return { count: total(({ count }) => count), bytes: total(({ bytes }) => bytes) };
  }

  /** Calls under way reject. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#threads.map((thread) => thread.terminate()));
  }

  get #shards(): readonly Remote<Shard>[] {
    return this.#threads.map(({ remote }) => remote);
  }

  #holding(image: ImageNumber): Remote<Shard> {
    return this.#shards[shardOf(image, this.#threads.length)]!;
  }

  #all<T>(call: (shard: Remote<Shard>, i: number) => T): Promise<Awaited<T>[]> {
    return Promise.all(this.#shards.map(call));
  }

  #limited<T>(application: number, work: () => Promise<T>): Promise<T> {
    const arrived = performance.now();
    return this.#searches.run(application, () => {
      this.#metrics.observe('searchSeconds', (performance.now() - arrived) / 1000, { phase: 'wait' });
      return work();
    });
  }

  #rank(search: Search): Promise<Found> {
    const source = new ShardRanking(this.#shards, search);
    return this.#metrics.time('searchSeconds', { phase: 'rank' }, () => exhaustiveSearch(source, search));
  }

  #twoPhases(search: Search): Promise<Found> {
    return twoPhaseSearch(new ShardSource(this.#shards, search), {
      ...search,
      time: (phase, work) => this.#metrics.time('searchSeconds', { phase }, work),
    });
  }
}

const usual = (): ShardsOptions => ({
  metrics: new Metrics(),
  waitLimit: 5000,
  script: new URL('./shard.thread.js', import.meta.url),
});

function sum<T extends Float64Array | Uint32Array>(parts: readonly T[]): T {
  const [first, ...others] = parts;
  return first!.map((value, i) => others.reduce((total, part) => total + part[i]!, value)) as T;
}
