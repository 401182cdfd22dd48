import { randomUUID } from 'node:crypto';
import type { ReviewGroup, ReviewKind, ReviewProgress, ShownVerdict, VerdictName } from '@sosia/contract';
import type { Application } from '../applications/application.ts';
import { searchIgnoring } from '../applications/ignoring.ts';
import { fail, Failure } from '../errors.ts';
import type { ErrorName } from '../errors.ts';
import type { RecordChange, SharedRecords } from '../store/store.ts';
import { groupIdOf, groupOf, groupsOf, Links, Pairs } from './links.ts';
import type { FoundGroup, Link } from './links.ts';
import { proposalFor } from './proposal.ts';
import { base64, bytesIn, kinds, put, recordsNumber, remove, valueIn, valueOf } from './stored.ts';
import type { Removed, State, StoredLinks, Verdict, Wrong, WrongQuery } from './stored.ts';

/** Pictures that are compared before the progress is stored, and milliseconds after which it is stored before. */
const PICTURES_PER_BATCH = 16;
const LONGEST_BATCH = 5000;
/** Pictures that are removed or added at a time. */
const AT_ONCE = 32;
/** Matches of one picture that are stored. */
const MOST_LINKS = 50;
/** Scores below this are duplicates on types without decisions; another picture begins at some 0.4. */
const MAX_DUPLICATE_SCORE = 0.1;

const STATE = 'state';
/** Those in memory. */
const known = [kinds.link, kinds.wrong, kinds.verdict, kinds.state];
const compared = new Set(['Clone', 'Match', 'Similar']);

/** The review of one application. Its records are in memory from the first call on. */
export class Review {
  #application: Application;
  readonly #records: SharedRecords;
  /** Of this process in the state. */
  readonly #holder = randomUUID();
  readonly #failed: (cause: unknown) => void;
  readonly #links = new Links();
  readonly #wrong = new Map<string, Wrong>();
  readonly #verdicts = new Map<string, Verdict>();
  #apart = new Pairs();
  /** Ids of groups that were put off, with the verdict. */
  #later = new Map<string, string>();
  #state: State = { upTo: 0, compared: 0, running: false };
  /** The number of the latest verdict, also of one that was taken back. */
  #last = 0;
  #stopped = false;
  #closed = false;
  /** Up to where the records are read. */
  #seen: number | undefined;
  #reading: Promise<unknown> = Promise.resolve();
  #running: Promise<void> | undefined;
  /** As of a number of changes of the review and of the pictures. */
  #groupsAt: { readonly at: string; readonly groups: Promise<Groups> } | undefined;
  #changes = 0;
  #changing: Promise<unknown> = Promise.resolve();

  private constructor(application: Application, records: SharedRecords, failed: (cause: unknown) => void) {
    this.#application = application;
    this.#records = records;
    this.#failed = failed;
  }

  static async open(
    application: Application,
    records: SharedRecords,
    failed: (cause: unknown) => void,
  ): Promise<Review> {
    const review = new Review(application, records, failed);
    await review.refresh();
    return review;
  }

  /** Reads what other processes have changed. */
  refresh(): Promise<void> {
    const done = this.#reading.then(async () => {
      const { changes, at } = await this.#records.changed(this.#number, known, this.#seen);
      for (const { kind, id, body } of changes) this.#take(kind, id, body);
      this.#seen = at;
      this.#changed(changes);
    });
    this.#reading = done.catch(() => {});
    return done;
  }

  /** Completes removals that were interrupted. */
  settle(): Promise<void> {
    return this.#change(async () => {});
  }

  /** The application, which is another object after it was emptied. */
  set application(application: Application) {
    if (application === this.#application) return;
    this.#application = application;
    this.#links.clear();
    this.#changes++;
    this.#state = { ...this.#state, upTo: 0, compared: 0 };
  }

  get isRunning(): boolean {
    return this.#state.running;
  }

  /** @param again  whether all pictures are compared again */
  async start(again: boolean): Promise<void> {
    if (!this.#application.traits.symmetric) throw fail('ASYMMETRIC_DNA');
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
    if (this.#running) return;
    this.#stopped = false;
    await this.#change(async () => {
      const { running, holder: present } = this.#state;
      if (running && present === holder) await this.#setState({ ...this.#state, holder: this.#holder });
    });
    this.#continue();
  }

  #continue(): void {
    if (this.#closed || this.#running || !this.#state.running || this.#state.holder !== this.#holder) return;
    this.#running = this.#compare()
      .catch((cause: unknown) => this.#failed(cause))
      .finally(() => (this.#running = undefined));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
    await this.#change(async () => {
      const { upTo, compared } = this.#state;
      await this.#setState({ upTo, compared, running: false });
    });
  }

  /** Ends the work of this process; another one or the next start continues. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#stopped = true;
    const isRunning = this.#running !== undefined;
    await this.#running;
    if (!isRunning || !this.#records.shared) return;
    const leave = this.#change(async () => {
      const { holder, ...state } = this.#state;
      if (holder === this.#holder) await this.#setState(state);
    });
    await leave.catch(() => {}); // others find out after a while
  }

  async progress(): Promise<ReviewProgress> {
    const { references } = this.#application;
    const pictures = await references.count();
    const [next] = await references.since(this.#state.upTo, 1);
    const groups = await this.#groups();
    const open = (kind: ReviewKind): number => groups[kind].filter(({ id }) => !this.#later.has(id)).length;
    const all = Object.values(groups).flat();
    return {
      state: this.#state.running ? 'running' : next ? 'stopped' : 'idle',
      compared: next ? Math.min(this.#state.compared, pictures) : pictures,
      pictures,
      duplicates: open('duplicates'),
      similar: open('similar'),
      wrong: open('wrong'),
      later: all.filter(({ id }) => this.#later.has(id)).length,
      judged: this.#verdicts.size,
    };
  }

  async list(
    kind: ReviewKind,
    state: 'open' | 'later',
    page: { start: number; count: number },
  ): Promise<{ found: number; groups: ReviewGroup[] }> {
    const all = (await this.#groups())[kind].filter(({ id }) => this.#later.has(id) === (state === 'later'));
    const shown = all.slice(page.start, page.start + page.count);
    const groups = await Promise.all(shown.map((group) => this.#shown(group, kind, state)));
    return { found: all.length, groups };
  }

  /** Fails with UNKNOWN_GROUP before any change. */
  judge(
    ids: readonly string[],
    verdict: VerdictName,
    who: string,
    keep?: string,
  ): Promise<{ verdicts: string[]; removed: number }> {
    return this.#change(async (still) => {
      const all = await this.#groups();
      const chosen = ids.map((id) => {
        for (const kind of ['duplicates', 'similar', 'wrong'] as const) {
          const group = all[kind].find((each) => each.id === id);
          if (group) return { group, kind };
        }
        throw fail('UNKNOWN_GROUP', id);
      });
      const uploaded = verdict === 'keep' && chosen.find(({ group }) => group.query);
      if (uploaded) throw fail('BAD_PARAMETER', `verdict: the query of ${uploaded.group.id} is no reference picture`);
      const wrong = keep !== undefined && chosen.find(({ group }) => !group.images.some(({ id }) => id === keep));
      if (wrong) throw fail('UNKNOWN_IMAGE', `${keep} in the group ${wrong.group.id}`);
      const at = new Date().toISOString();
      const made = await allOf(chosen, async ({ group, kind }): Promise<Verdict> => {
        const kept = verdict === 'keep' ? (keep ?? (await this.#shown(group, kind, 'open')).keep) : null;
        return { verdict, kind, images: namesIn(group), kept, at, who };
      });
      const removed = made.reduce((sum, each) => sum + removedBy(each).length, 0);
      return { verdicts: await this.#judgeAll(made, still), removed };
    });
  }

  /** Fails with UNKNOWN_VERDICT before any change. @returns the number of pictures that were added again */
  undo(ids: readonly string[]): Promise<number> {
    return this.#change(async (still) => {
      for (const id of ids) if (!this.#verdicts.has(id)) throw fail('UNKNOWN_VERDICT', id);
      return this.#undoAll(ids, still);
    });
  }

  /** The latest first. */
  verdicts({ start, count }: { start: number; count: number }): { found: number; verdicts: ShownVerdict[] } {
    const latest = [...this.#verdicts].sort(([a], [b]) => (a < b ? 1 : -1));
    const all = latest.slice(start, start + count);
    const verdicts = all.map(([id, { verdict, kind, images, kept, at, who }]) => ({
      ...{ id, verdict, kind, images, kept, at, who },
    }));
    return { found: this.#verdicts.size, verdicts };
  }

  /** @returns the number of verdicts that were new */
  importVerdicts(given: readonly Pick<Verdict, 'verdict' | 'images'>[], who: string): Promise<number> {
    return this.#change(async (still) => {
      const known = new Set(
        [...this.#verdicts.values()].map(({ verdict, images }) => `${verdict} ${groupIdOf(images)}`),
      );
      const at = new Date().toISOString();
      const made: Verdict[] = [];
      for (const { verdict, images } of given) {
        const name = `${verdict} ${groupIdOf(images)}`;
        if (verdict === 'keep' || known.has(name)) continue;
        known.add(name);
        made.push({ verdict, kind: 'duplicates', images: [...images].sort(), kept: null, at, who });
      }
      return (await this.#judgeAll(made, still)).length;
    });
  }

  /** Fails with UNKNOWN_IMAGE. @returns the id of the group */
  markWrong(reference: string, query: WrongQuery): Promise<string> {
    return this.#change(async () => {
      await this.#application.references.image(reference);
      const images = [reference, query.id] as const;
      const id = groupIdOf(images);
      const isReference = await this.#application.references.has(query.id);
      const wrong: Wrong = { images, ...(!isReference && { query }) };
      await this.#store([put(kinds.wrong, id, wrong)]);
      return id;
    });
  }

  /** The pictures that were judged not to match this one. */
  apartFrom(id: string): ReadonlySet<string> {
    return this.#apart.of(id);
  }

  /** A record as it is now. @param body  null where it was removed */
  #take(kind: string, id: string, body: Uint8Array | null): void {
    if (kind === kinds.link) this.#links.set(id, body ? valueIn<StoredLinks>(body).to : []);
    if (kind === kinds.state && body) this.#state = valueIn<State>(body);
    if (kind === kinds.wrong) setOrDelete(this.#wrong, id, body && valueIn<Wrong>(body));
    if (kind === kinds.verdict) {
      setOrDelete(this.#verdicts, id, body && valueIn<Verdict>(body));
      this.#last = Math.max(this.#last, Number(id));
    }
  }

  get #number(): number {
    return recordsNumber(this.#application);
  }

  async #store(changes: readonly RecordChange[]): Promise<void> {
    await this.#records.changeRecords(this.#number, changes);
    for (const { kind, id, body } of changes) this.#take(kind, id, body);
    this.#changed(changes);
  }

  #setState(state: State): Promise<void> {
    return this.#store([put(kinds.state, STATE, state)]);
  }

  /** One change after the other, in all processes. @param work  calls `still` before each change of a picture */
  #change<T>(work: (still: () => void) => Promise<T>): Promise<T> {
    const turn = () =>
      this.#records.exclusively(this.#number, async (still) => {
        await this.refresh();
        const left = [...this.#verdicts].filter(([, { pending }]) => pending);
        await this.#complete(left, still); // of processes that have ended
        return work(still);
      });
    const done = this.#changing.then(turn);
    this.#changing = done.catch(() => {});
    return done;
  }

  /** What follows from changes of records. */
  #changed(changes: readonly Pick<RecordChange, 'kind'>[]): void {
    if (changes.length > 0) this.#changes++;
    if (!changes.some(({ kind }) => kind === kinds.verdict)) return;
    this.#apart = new Pairs();
    this.#later = new Map();
    for (const [id, { verdict, images }] of this.#verdicts) {
      if (verdict === 'different' || verdict === 'ignore') this.#apart.addAll(images);
      if (verdict === 'later') this.#later.set(groupIdOf(images), id);
    }
  }

  async #compare(): Promise<void> {
    for (;;) {
      const { references } = this.#application;
      const { upTo } = this.#state;
      const batch = this.#isStopped() ? [] : await references.since(upTo, PICTURES_PER_BATCH);
      if (this.#isStopped()) return;
      const begun = performance.now();
      const found = new Map<string, readonly Link[]>();
      let count = 0;
      for (const { id } of batch) {
        if (performance.now() - begun > LONGEST_BATCH) break;
        count++;
        // another picture may have had this id: those that found it are compared again
        const finders = this.#links.has(id) ? this.#links.findersOf(id) : [];
        for (const each of [id, ...finders]) {
          if (!found.has(each)) found.set(each, await this.#linksOf(each));
          if (this.#isStopped()) return;
        }
      }
      const changes = [...found].flatMap(([id, links]) => {
        if (links.length > 0) return put(kinds.link, id, { to: links });
        return this.#links.has(id) ? remove(kinds.link, id) : [];
      });
      const done = await this.#change(async () => {
        const { running, holder } = this.#state;
        if (!running || holder !== this.#holder) return true; // stopped or continued by another process
        if (references !== this.#application.references) return false; // emptied meanwhile
        if (JSON.stringify(upTo) !== JSON.stringify(this.#state.upTo)) return false; // begun anew
        const state = {
          upTo: batch[count - 1]?.position ?? upTo,
          compared: this.#state.compared + count,
          ...(count > 0 ? { running: true, holder } : { running: false }),
        };
        await this.#store([...changes, put(kinds.state, STATE, state)]);
        for (const [id, links] of found) this.#links.set(id, links); // also where there are none
        return !state.running;
      });
      if (done) return;
    }
  }

  #isStopped(): boolean {
    return this.#stopped;
  }

  async #linksOf(id: string): Promise<Link[]> {
    const { references, defaults } = this.#application;
    try {
      const { images } = await patiently(async () => {
        const dna = await references.dna(id);
        const search = {
          dna,
          restriction: { keywords: [], ids: null },
          page: { start: 0, count: MOST_LINKS + 1 },
          below: defaults.retrievalThreshold,
          colorWeight: defaults.colorWeight / 100,
        };
        return searchIgnoring(references, search, { ignoring: await this.#application.ignoring(dna) });
      });
      return images.flatMap((image) => {
        const { resultInfo, score } = image;
        const decision = resultInfo && 'decision' in resultInfo ? resultInfo.decision : '';
        const counts = decision === '' ? score < MAX_DUPLICATE_SCORE : compared.has(decision);
        return image.id !== id && counts ? [{ to: image.id, score, decision }] : [];
      });
    } catch (cause) {
      if (cause instanceof Failure && isOfPicture(cause.error)) return [];
      throw cause;
    }
  }

  /** Found anew after a change. */
  async #groups(): Promise<Groups> {
    const at = `${this.#changes} ${await this.#application.references.revision()}`;
    if (this.#groupsAt?.at === at) return this.#groupsAt.groups;
    const groups = this.#findGroups();
    this.#groupsAt = { at, groups };
    groups.catch(() => (this.#groupsAt = undefined));
    return groups;
  }

  async #findGroups(): Promise<Groups> {
    const { references } = this.#application;
    const linked = [...this.#links].flatMap(([from, links]) => links.map((link) => ({ from, ...link })));
    const claimed = [...this.#wrong.values()].flatMap(({ images }) => images);
    const present = await references.present(new Set([...linked.flatMap(({ from, to }) => [from, to]), ...claimed]));
    const edges = linked.filter(({ from, to }) => present.has(from) && present.has(to));
    const wrong: WrongGroup[] = [];
    for (const { images, query } of this.#wrong.values()) {
      const [reference, other] = images;
      const references = query ? [reference] : images;
      if (this.#apart.has(reference, other) || !references.every((id) => present.has(id))) continue;
      const shown = groupOf(references.map((id) => ({ id, score: 0, decision: '' })));
      wrong.push(query ? { ...shown, id: groupIdOf(images), query } : shown);
    }
    return { ...groupsOf(edges, this.#apart), wrong };
  }

  async #shown({ id, images, query }: WrongGroup, kind: ReviewKind, state: 'open' | 'later'): Promise<ReviewGroup> {
    const { references, definition } = this.#application;
    const all = await Promise.all(
      images.map(async (each) => {
        const [{ keywords }, details, dna] = await Promise.all([
          references.image(each.id),
          references.details(each.id),
          references.dna(each.id),
        ]);
        const { width = null, height = null, bytes = null, added = null } = details ?? {};
        return { ...each, keywords, width, height, bytes, grade: definition.grade?.(dna).grade ?? null, added };
      }),
    );
    return { id, kind, state, images: all, ...(query && { query }), ...proposalFor(all) };
  }

  /** A group has one verdict that puts it off. @returns the ids of the verdicts */
  async #judgeAll(verdicts: readonly Verdict[], still: () => void): Promise<string[]> {
    const made = verdicts.map((verdict, i) => {
      const id = String(this.#last + 1 + i).padStart(8, '0');
      return [id, removedBy(verdict).length > 0 ? { ...verdict, pending: true as const } : verdict] as const;
    });
    const former = new Set(verdicts.flatMap(({ images }) => this.#later.get(groupIdOf(images)) ?? []));
    const removed = made.flatMap(([id, verdict]) => removedBy(verdict).map((image) => ({ id, image })));
    const contents = await allOf(removed, ({ id, image }) => this.#content(image, id));
    await this.#store([
      ...contents.map((content) => put(kinds.removed, `${content.verdict} ${content.id}`, content)),
      // the first one fails where another process has taken the turn meanwhile
      ...made.map(([id, verdict], i) => ({ ...put(kinds.verdict, id, verdict), ...(i === 0 && { expected: 0 }) })),
      ...[...former].map((id) => remove(kinds.verdict, id)),
    ]);
    await this.#complete(
      made.filter(([, { pending }]) => pending),
      still,
    );
    return made.map(([id]) => id);
  }

  async #content(id: string, verdict: string): Promise<Removed> {
    const { references } = this.#application;
    const [{ keywords }, dna, thumbnail, details] = await Promise.all([
      references.image(id),
      references.dna(id),
      references.thumbnail(id),
      references.details(id),
    ]);
    return {
      ...{ verdict, id, keywords, dna: base64(dna) },
      ...(thumbnail && { thumbnail: base64(thumbnail) }),
      ...(details && { details }),
    };
  }

  /** Removes the pictures of verdicts; some may be removed already. */
  async #complete(verdicts: readonly (readonly [string, Verdict])[], still: () => void): Promise<void> {
    if (verdicts.length === 0) return;
    const removed = verdicts.flatMap(([, verdict]) => removedBy(verdict));
    await allOf(removed, async (image) => {
      still();
      await this.#application.references.delete(image).catch(unless('IMAGE_NOT_FOUND'));
    });
    await this.#store(verdicts.map(([id, { pending: _, ...verdict }]) => put(kinds.verdict, id, verdict)));
  }

  async #undoAll(ids: readonly string[], still: () => void): Promise<number> {
    const names = ids.flatMap((id) => removedBy(this.#verdicts.get(id)!).map((image) => `${id} ${image}`));
    let restored = 0;
    await allOf(names, async (name) => {
      const record = await this.#records.record(this.#number, kinds.removed, name);
      if (!record) return;
      const { id, keywords, dna, thumbnail, details } = valueOf<Removed>(record);
      const content = {
        ...{ id, keywords, dna: bytesIn(dna) },
        ...(thumbnail !== undefined && { thumbnail: bytesIn(thumbnail) }),
        ...(details && { details }),
      };
      still();
      await this.#application.references.add(content).then(() => restored++, unless('IMAGE_EXISTS'));
    });
    await this.#store([
      ...ids.map((id) => remove(kinds.verdict, id)),
      ...names.map((name) => remove(kinds.removed, name)),
    ]);
    return restored;
  }
}

/** A claim that was marked wrong. */
type WrongGroup = FoundGroup & { readonly query?: WrongQuery };

type Groups = Readonly<Record<ReviewKind, readonly WrongGroup[]>>;

/** All that a verdict on a group names. */
function namesIn({ images, query }: WrongGroup): string[] {
  return [...images.map(({ id }) => id), ...(query ? [query.id] : [])].sort((a, b) => (a < b ? -1 : 1));
}

/** The pictures that a verdict removes. */
function removedBy({ images, kept }: Verdict): string[] {
  return kept === null ? [] : images.filter((each) => each !== kept);
}

function setOrDelete<T>(map: Map<string, T>, id: string, value: T | null): void {
  if (value === null) map.delete(id);
  else map.set(id, value);
}

/** Works on all items, some at a time. */
async function allOf<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let start = 0; start < items.length; start += AT_ONCE) {
    done.push(...(await Promise.all(items.slice(start, start + AT_ONCE).map(work))));
  }
  return done;
}

/** The picture was removed meanwhile, or cannot be compared. */
function isOfPicture(error: ErrorName): boolean {
  return error === 'UNKNOWN_IMAGE' || error === 'STORE_DAMAGED';
}

function unless(error: ErrorName): (cause: unknown) => void {
  return (cause) => {
    if (!(cause instanceof Failure) || cause.error !== error) throw cause;
  };
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
