import { randomUUID } from 'node:crypto';
import type { ResultInfo } from '@sosia/engine';
import type { Application } from '../applications/application.ts';
import { MAX_DUPLICATE_SCORE } from '../applications/folding.ts';
import { searchIgnoring } from '../applications/ignoring.ts';
import type { Position, References } from '../applications/references.ts';
import { put, remove, valueIn } from '../applications/records.ts';
import { fail, Failure, type ErrorName } from '../errors.ts';
import { linkedPair } from './linked-pair.ts';
import { Links, type Link } from './links.ts';
import { inParts } from './parts.ts';
import type { RecordHolder, ReviewStore } from './review-store.ts';
import { kinds, type State, type StoredLinks } from './stored.ts';

/** Pictures that are compared before the progress is stored, and milliseconds after which it is stored before. */
const BATCH_PICTURES = 16;
const MAX_BATCH_MS = 5000;
/** Matches of one picture that are stored. */
const MAX_LINKS = 50;

const STATE = 'state';
const linkedDecisions = new Set(['Clone', 'Match', 'Similar']);

/** The links of pictures, and how far the comparison has come. */
export class ComparisonRecords implements RecordHolder {
  readonly kinds = [kinds.link, kinds.state];
  readonly links = new Links();
  state: State = { upTo: 0, compared: 0, running: false };

  take(kind: string, id: string, body: Uint8Array | null): void {
    if (kind === kinds.link) this.links.set(id, body ? valueIn<StoredLinks>(body).to : []);
    else if (body) this.state = valueIn<State>(body);
  }

  /** For an application that was emptied. */
  clear(): void {
    this.links.clear();
    this.state = { ...this.state, upTo: 0, compared: 0 };
  }
}

/** Compares each picture of an application with all others, in one of the processes that share it. */
export class Comparison {
  readonly #application: () => Application;
  readonly #records: ComparisonRecords;
  readonly #store: ReviewStore;
  readonly #change: ReviewStore['change'];
  readonly #failed: (cause: unknown) => void;
  /** Of this process in the state. */
  readonly #holder = randomUUID();
  #stopped = false;
  #closed = false;
  #work: Promise<void> | undefined;

  /**
   * @param application  another object after it was emptied
   * @param change  that of the review, which completes interrupted removals first
   */
  constructor(
    application: () => Application,
    records: ComparisonRecords,
    store: ReviewStore,
    change: ReviewStore['change'],
    failed: (cause: unknown) => void,
  ) {
    this.#application = application;
    this.#records = records;
    this.#store = store;
    this.#change = change;
    this.#failed = failed;
  }

  /** @param again  whether all pictures are compared again. Fails with DOES_NOT_APPLY */
  async start(again: boolean): Promise<void> {
    const { symmetric, title } = this.#application().traits;
    if (!symmetric) throw fail('DOES_NOT_APPLY', `a review of ${title} applications`);
    this.#stopped = false;
    await this.#change(async () => {
      const { upTo, compared } = again ? { upTo: 0, compared: 0 } : this.#state;
      const { holder = this.#holder } = this.#state.running ? this.#state : {};
      await this.#setState({ upTo, compared, running: true, holder });
    });
    this.#continue();
  }

  /** Continues a comparison whose process has ended. @param holder  that process; undefined where it has stopped */
  async takeOver(holder: string | undefined): Promise<void> {
    if (this.#work) return;
    this.#stopped = false;
    await this.#change(async () => {
      const { running, holder: present } = this.#state;
      if (running && present === holder) await this.#setState({ ...this.#state, holder: this.#holder });
    });
    this.#continue();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#work;
    await this.#change(async () => {
      const { upTo, compared } = this.#state;
      await this.#setState({ upTo, compared, running: false });
    });
  }

  /** Ends the work of this process; another one or the next start continues. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#stopped = true;
    const atWork = this.#work !== undefined;
    await this.#work;
    if (!atWork || !this.#store.shared) return;
    const leave = this.#change(async () => {
      const { holder, ...state } = this.#state;
      if (holder === this.#holder) await this.#setState(state);
    });
    await leave.catch(() => {}); // others find out after a while
  }

  get #state(): State {
    return this.#records.state;
  }

  #setState(state: State): Promise<void> {
    return this.#store.store([put(kinds.state, STATE, state)]);
  }

  #continue(): void {
    if (this.#closed || this.#work || !this.#state.running || this.#state.holder !== this.#holder) return;
    this.#work = this.#compare()
      .catch((cause: unknown) => this.#failed(cause))
      .finally(() => (this.#work = undefined));
  }

  async #compare(): Promise<void> {
    for (;;) {
      const { references } = this.#application();
      const { upTo } = this.#state;
      const batch = this.#isStopped() ? [] : await references.since(upTo, BATCH_PICTURES);
      if (this.#isStopped()) return;
      const compared = await this.#linksOfBatch(batch);
      if (!compared) return;
      if (await this.#stored(references, upTo, compared)) return;
    }
  }

  /** The links of the first pictures of a batch, as far as the time allows; undefined where the comparison was stopped. */
  async #linksOfBatch(batch: readonly { readonly id: string; readonly position: Position }[]) {
    const { links } = this.#records;
    const begun = performance.now();
    const found = new Map<string, readonly Link[]>();
    let count = 0;
    for (const { id } of batch) {
      if (performance.now() - begun > MAX_BATCH_MS) break;
      count++;
      // another picture may have had this id: those that found it are compared again
      for (const each of [id, ...(links.has(id) ? links.findersOf(id) : [])]) {
        if (!found.has(each)) found.set(each, await this.#linksOf(each));
        if (this.#isStopped()) return undefined;
      }
    }
    return { found, count, position: batch[count - 1]?.position };
  }

  /** @returns whether the comparison has ended for this process */
  #stored(
    references: References,
    upTo: Position,
    {
      found,
      count,
      position,
    }: { found: ReadonlyMap<string, readonly Link[]>; count: number; position?: Position | undefined },
  ): Promise<boolean> {
    const { links } = this.#records;
    const changes = [...found].flatMap(([id, to]) => {
      if (to.length > 0) return put(kinds.link, id, { to });
      return links.has(id) ? remove(kinds.link, id) : [];
    });
    return this.#change(async () => {
      const { running, holder, compared } = this.#state;
      if (!running || holder !== this.#holder) return true; // stopped or continued by another process
      if (references !== this.#application().references) return false; // emptied meanwhile
      if (JSON.stringify(upTo) !== JSON.stringify(this.#state.upTo)) return false; // begun anew
      const state = {
        upTo: position ?? upTo,
        compared: compared + count,
        ...(count > 0 ? { running: true, holder } : { running: false }),
      };
      await this.#store.store([...changes, put(kinds.state, STATE, state)]);
      for (const [id, to] of found) links.set(id, to); // also where there are none
      return !state.running;
    });
  }

  #isStopped(): boolean {
    return this.#stopped;
  }

  async #linksOf(id: string): Promise<Link[]> {
    const application = this.#application();
    const { references, defaults } = application;
    try {
      const { images } = await patiently(async () => {
        const dna = await references.dna(id);
        const search = {
          dna,
          restriction: { keywords: [], ids: null },
          page: { start: 0, count: MAX_LINKS + 1 },
          below: defaults.retrievalThreshold,
          colorWeight: defaults.colorWeight / 100,
        };
        return searchIgnoring(references, search, { ignoring: await application.ignoring(dna) });
      });
      const links = images.flatMap((image): (Link & { info: ResultInfo | null })[] => {
        const { resultInfo, score } = image;
        const { decision = '', relation } = resultInfo && 'decision' in resultInfo ? resultInfo : {};
        const counts = decision === '' ? score < MAX_DUPLICATE_SCORE : linkedDecisions.has(decision);
        const similarity = application.similarityOf(image);
        const link = { to: image.id, score, similarity, decision, info: resultInfo, ...(relation && { relation }) };
        return image.id !== id && counts ? [link] : [];
      });
      return await inParts(links, async ({ info, ...link }) => {
        const known = link.decision === 'Similar' || this.#records.links.between(link.to, id)?.pair;
        const pair = known ? undefined : await patiently(() => linkedPair(application, id, link.to, info));
        return { ...link, ...(pair && { pair }) };
      });
    } catch (cause) {
      if (cause instanceof Failure && isOfPicture(cause.error)) return [];
      throw cause;
    }
  }
}

/** The picture was removed meanwhile, or cannot be compared. */
function isOfPicture(error: ErrorName): boolean {
  return error === 'UNKNOWN_IMAGE' || error === 'STORE_DAMAGED';
}

/** Searches of clients come first: a busy service is given time. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let wait = 100; ; wait = Math.min(5000, 2 * wait)) {
    try {
      return await work();
    } catch (cause) {
      if (!(cause instanceof Failure) || cause.error !== 'OVERLOADED') throw cause;
      await new Promise((resolve) => setTimeout(resolve, wait).unref());
    }
  }
}
