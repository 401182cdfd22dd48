import { createHash } from 'node:crypto';
import { type ErrorName, Failure, isFailure } from '../errors.ts';
import { isOwn, type Entries, type Entry, type Fault } from './entries.ts';
import { needsAnswer, planOf, type Plan, type Work } from './plan.ts';
import type { Receiver } from './receiver.ts';
import type { Source } from './source.ts';

/** What a pass has done, and what is left. */
export interface Progress {
  /** Pictures in the listing; null until it is whole. */
  listed: number | null;
  /** Pictures to read. */
  work: number;
  /** Those of them that were read. */
  done: number;
  added: number;
  changed: number;
  moved: number;
  removed: number;
  failed: number;
}

export const noProgress = (): Progress => ({
  listed: null,
  work: 0,
  done: 0,
  added: 0,
  changed: 0,
  moved: 0,
  removed: 0,
  failed: 0,
});

export interface PassOptions {
  readonly prefix: string;
  /** Of new pictures. */
  readonly keywords: readonly string[];
  readonly retry: boolean;
  /** Pictures that are read and described at a time. */
  readonly parallel: number;
  /** Pictures whose entries are written together. A kill repeats the work of as many. */
  readonly batch: number;
  /** Removals that somebody agreed to. */
  readonly agreed: number;
  readonly signal: AbortSignal;
  /** Before each change: fails where another process has begun to follow the source. */
  readonly checkLease: () => void;
}

export interface Outcome {
  /** Removals that need an answer, of so many pictures; nothing was removed. */
  readonly question: { readonly removals: number; readonly of: number } | null;
  /** Why the listing was not whole; nothing was removed. */
  readonly fault: Error | undefined;
  /** Whether the next pass lists more; nothing was removed. */
  readonly isUnfinished: boolean;
  /** Pictures of the source in the application. */
  readonly pictures: number;
  /** Pictures in the listing that could not be read. */
  readonly failed: number;
}

/** A picture that was read: what is to be stored of it, or nothing where it is there already. */
interface Read<Kept> {
  readonly work: Work;
  readonly digest?: string;
  readonly kept?: Kept;
  /** The id of the missing picture with the same content. */
  readonly from?: string;
  readonly fault?: Fault;
}

/** One pass over a source: afterwards the application has its pictures, as far as they can be read. */
export class Pass<Kept> {
  readonly progress = noProgress();
  readonly #receiver: Receiver<Kept>;
  readonly #source: Source;
  readonly #entries: Pick<Entries, 'all' | 'write'>;
  readonly #options: PassOptions;
  /** The ids of missing pictures by the digest of their content. */
  readonly #byDigest = new Map<string, string>();
  /** As stored. */
  #known = new Map<string, Entry>();

  constructor(receiver: Receiver<Kept>, source: Source, entries: Pick<Entries, 'all' | 'write'>, options: PassOptions) {
    this.#receiver = receiver;
    this.#source = source;
    this.#entries = entries;
    this.#options = options;
  }

  /** Ends with an exception where the service cannot continue now; the next pass does. */
  async run(): Promise<Outcome> {
    this.#known = await this.#entries.all();
    const plan = await planOf(this.#source, this.#known, this.#options);
    for (const [id, { digest, fault, pending }] of plan.missing) {
      if (digest !== undefined && !fault && !pending) this.#byDigest.set(digest, id);
    }
    Object.assign(this.progress, { listed: plan.listed, work: plan.work.length });
    const { batch } = this.#options;
    for (let i = 0; i < plan.work.length; i += batch) await this.#follow(plan.work.slice(i, i + batch));
    const question = await this.#removeMissing(plan);
    const failed = [...this.#known.values()].filter(({ fault }) => fault).length;
    const { fault, isUnfinished } = plan;
    return { question, fault, isUnfinished, pictures: this.#known.size - failed, failed };
  }

  async #follow(batch: readonly Work[]): Promise<void> {
    const strangers = await this.#receiver.present(batch.flatMap(({ id, entry }) => (isOwn(entry) ? [] : id)));
    const all = await this.#each(batch, async (work): Promise<Read<Kept>> => {
      const read = strangers.has(work.id) ? { work, fault: taken(work.id) } : await this.#read(work);
      this.progress.done++;
      return read;
    });
    const begun = all.filter(({ kept }) => kept);
    await this.#write(begun.map(({ work, digest }) => [work.id, entryOf(work, { digest, pending: true })]));
    const stored = await this.#each(all, (each) => this.#store(each));
    await this.#write(stored);
  }

  async #read(work: Work): Promise<Read<Kept>> {
    const { item, entry } = work;
    try {
      const content = await this.#source.read(item, this.#options.signal);
      const digest = createHash('sha256').update(content).digest('hex');
      if (entry?.digest === digest && !entry.pending && !entry.fault) return { work, digest };
      const from = this.#byDigest.get(digest);
      const known = from === undefined ? undefined : await this.#receiver.copied(from, content);
      if (known) return { work, digest, kept: known, from: from! };
      const own = isOwn(entry) ? work.id : undefined;
      return { work, digest, kept: await this.#receiver.kept(content, this.#options, own) };
    } catch (cause) {
      return { work, fault: this.#faultOf(cause) };
    }
  }

  /** @returns the entry from then on */
  async #store(read: Read<Kept>): Promise<readonly [string, Entry]> {
    const { progress } = this;
    const { work, digest, kept, from, fault } = read;
    const { id, entry } = work;
    if (fault) {
      progress.failed++;
      if (isOwn(entry)) {
        if (fault.code === 0) return [id, entry]; // the next pass may read it
        await this.#delete(id);
      }
      return [id, entryOf(work, { fault })];
    }
    if (kept) {
      if (isOwn(entry)) await this.#delete(id);
      try {
        this.#check();
        await this.#receiver.add(id, kept);
      } catch (cause) {
        if (!(cause instanceof Failure)) throw cause;
        const refused = this.#faultOf(cause);
        progress.failed++;
        return [id, entryOf(work, { fault: refused })];
      }
      progress[from !== undefined ? 'moved' : isOwn(entry) ? 'changed' : 'added']++;
    }
    return [id, entryOf(work, { digest })];
  }

  async #removeMissing({ missing, listed, fault, isUnfinished }: Plan): Promise<Outcome['question']> {
    if (fault || isUnfinished) return null;
    const present = new Set<string | undefined>();
    for (const [id, { digest }] of this.#known) if (digest !== undefined && !missing.has(id)) present.add(digest);
    const all = [...missing];
    await this.#remove(all.filter(([, { digest }]) => present.has(digest))); // the same content is there under another id
    const lost = all.filter(([, { digest }]) => !present.has(digest));
    const removals = lost.filter(([, entry]) => isOwn(entry)).length;
    const of = [...this.#known.values()].filter(isOwn).length;
    if (removals > this.#options.agreed && needsAnswer(removals, of, listed)) return { removals, of };
    await this.#remove(lost);
    this.progress.removed = removals;
    return null;
  }

  async #remove(missing: readonly (readonly [string, Entry])[]): Promise<void> {
    const { batch: size } = this.#options;
    for (let i = 0; i < missing.length; i += size) {
      const batch = missing.slice(i, i + size);
      await this.#each(batch, async ([id, entry]) => {
        if (isOwn(entry)) await this.#delete(id);
      });
      await this.#write(batch.map(([id]) => [id, null]));
    }
  }

  async #delete(id: string): Promise<void> {
    this.#check();
    try {
      await this.#receiver.delete(id);
    } catch (cause) {
      if (!isFailure(cause, 'IMAGE_NOT_FOUND')) throw cause;
    }
  }

  async #write(entries: readonly (readonly [string, Entry | null])[]): Promise<void> {
    this.#check();
    await this.#entries.write(entries);
    for (const [id, entry] of entries) {
      if (entry) this.#known.set(id, entry);
      else this.#known.delete(id);
    }
  }

  #check(): void {
    this.#options.signal.throwIfAborted();
    this.#options.checkLease();
  }

  /** In the order of the items; all have ended where one fails. */
  async #each<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
    const results: R[] = [];
    let next = 0;
    const lane = async (): Promise<void> => {
      while (next < items.length) {
        const at = next++;
        results[at] = await work(items[at]!);
      }
    };
    const lanes = Array.from({ length: this.#options.parallel }, lane);
    const failed = (await Promise.allSettled(lanes)).find((each) => each.status === 'rejected');
    if (failed) throw failed.reason;
    return results;
  }

  /** Throws what is no fault of the picture. */
  #faultOf(cause: unknown): Fault {
    this.#options.signal.throwIfAborted();
    if (!(cause instanceof Failure)) return { code: 0, message: (cause as Error).message };
    if (!ofPicture.has(cause.error)) throw cause;
    return { code: cause.code, message: cause.message };
  }
}

/** Failures of a picture, which no later pass repeats before it has changed. */
const ofPicture: ReadonlySet<ErrorName> = new Set([
  'IMAGE_EXISTS',
  'NOT_ENOUGH_INFORMATION',
  'NOT_A_PICTURE',
  'UNSUPPORTED_FORMAT',
  'PICTURE_TOO_LARGE',
  'DAMAGED_PICTURE',
  'DECODE_TIMEOUT',
  'DECODER_CRASHED',
  'QUARANTINED_PICTURE',
]);

function taken(id: string): Fault {
  const { code, message } = new Failure('IMAGE_EXISTS', id);
  return { code, message };
}

function entryOf({ item }: Work, rest: Omit<Entry, 'key' | 'version'>): Entry {
  return { key: item.key, version: item.version, ...rest };
}
