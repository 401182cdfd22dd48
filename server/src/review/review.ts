import type { ReviewGroup, ReviewKind, ReviewProgress, ShownVerdict, VerdictName } from '@sosia/contract';
import type { Application } from '../applications/application.ts';
import { searchIgnoring } from '../applications/ignoring.ts';
import { fail, Failure } from '../errors.ts';
import type { ErrorName } from '../errors.ts';
import type { RecordChange, RecordStore } from '../store/store.ts';
import { groupIdOf, groupOf, groupsOf, Links, Pairs } from './links.ts';
import type { FoundGroup, Link } from './links.ts';
import { proposalFor } from './proposal.ts';
import { base64, bodyOf, bytesIn, kinds, put, recordsNumber, remove, valueOf } from './stored.ts';
import type { Removed, State, StoredLinks, Verdict, Wrong, WrongQuery } from './stored.ts';

/** Pictures that are compared before the progress is stored. */
const BATCH = 16;
/** Matches of one picture that are stored. */
const MOST_LINKS = 50;
/** Scores below this are duplicates on types without decisions; another picture begins at some 0.4. */
const NEAR = 0.1;

const STATE = 'state';
const compared = new Set(['Clone', 'Match', 'Similar']);

/** The review of one application. Its records are in memory from the first call on. */
export class Review {
  #application: Application;
  readonly #records: RecordStore;
  readonly #failed: (cause: unknown) => void;
  readonly #links = new Links();
  readonly #wrong = new Map<string, Wrong>();
  readonly #verdicts = new Map<string, Verdict>();
  #apart = new Pairs();
  /** Ids of groups that were put off, with the verdict. */
  #later = new Map<string, string>();
  #state: State = { upTo: 0, compared: 0, running: false };
  #stopped = false;
  #running: Promise<void> | undefined;
  /** As of a number of changes of the review and of the pictures. */
  #groupsAt: { readonly at: string; readonly groups: Promise<Groups> } | undefined;
  #changes = 0;
  #changing: Promise<unknown> = Promise.resolve();

  private constructor(application: Application, records: RecordStore, failed: (cause: unknown) => void) {
    this.#application = application;
    this.#records = records;
    this.#failed = failed;
  }

  /** Reads the records, and completes a removal that was interrupted. */
  static async open(application: Application, records: RecordStore, failed: (cause: unknown) => void): Promise<Review> {
    const review = new Review(application, records, failed);
    await review.#load();
    return review;
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
      const state = { upTo, compared, running: true };
      await this.#store([put(kinds.state, STATE, state)]);
      this.#state = state;
    });
    this.continue();
  }

  /** Compares in the background if the comparison was started. */
  continue(): void {
    if (!this.#state.running || this.#running) return;
    this.#running = this.#compare()
      .catch((cause: unknown) => this.#failed(cause))
      .finally(() => (this.#running = undefined));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
    await this.#change(async () => {
      const state = { ...this.#state, running: false };
      await this.#store([put(kinds.state, STATE, state)]);
      this.#state = state;
    });
  }

  /** Ends the work of this process; the next start continues. */
  async close(): Promise<void> {
    this.#stopped = true;
    await this.#running;
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
    return this.#change(async () => {
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
      const verdicts: string[] = [];
      let removed = 0;
      for (const { group, kind } of chosen) {
        const kept = verdict === 'keep' ? (keep ?? (await this.#shown(group, kind, 'open')).keep) : null;
        const images = namesIn(group);
        const made: Verdict = { verdict, kind, images, kept, at: new Date().toISOString(), who };
        const { id, count } = await this.#judgeOne(made);
        verdicts.push(id);
        removed += count;
      }
      return { verdicts, removed };
    });
  }

  /** Fails with UNKNOWN_VERDICT before any change. @returns the number of pictures that were added again */
  undo(ids: readonly string[]): Promise<number> {
    return this.#change(async () => {
      for (const id of ids) if (!this.#verdicts.has(id)) throw fail('UNKNOWN_VERDICT', id);
      let restored = 0;
      for (const id of ids) restored += await this.#undoOne(id);
      return restored;
    });
  }

  /** The latest first. */
  verdicts({ start, count }: { start: number; count: number }): { found: number; verdicts: ShownVerdict[] } {
    const all = [...this.#verdicts].reverse().slice(start, start + count);
    const verdicts = all.map(([id, { verdict, kind, images, kept, at, who }]) => ({
      ...{ id, verdict, kind, images, kept, at, who },
    }));
    return { found: this.#verdicts.size, verdicts };
  }

  /** @returns the number of verdicts that were new */
  importVerdicts(given: readonly Pick<Verdict, 'verdict' | 'images'>[], who: string): Promise<number> {
    return this.#change(async () => {
      const known = new Set(
        [...this.#verdicts.values()].map(({ verdict, images }) => `${verdict} ${groupIdOf(images)}`),
      );
      let imported = 0;
      for (const { verdict, images } of given) {
        const name = `${verdict} ${groupIdOf(images)}`;
        if (verdict === 'keep' || known.has(name)) continue;
        known.add(name);
        const at = new Date().toISOString();
        await this.#judgeOne({ verdict, kind: 'duplicates', images: [...images].sort(), kept: null, at, who });
        imported++;
      }
      return imported;
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
      this.#wrong.set(id, wrong);
      this.#changes++;
      return id;
    });
  }

  /** The pictures that were judged not to match this one. */
  apartFrom(id: string): ReadonlySet<string> {
    return this.#apart.of(id);
  }

  async #load(): Promise<void> {
    const read = (kind: string) => this.#records.records(this.#number, kind);
    for (const record of await read(kinds.link)) this.#links.set(record.id, valueOf<StoredLinks>(record).to);
    for (const record of await read(kinds.wrong)) this.#wrong.set(record.id, valueOf<Wrong>(record));
    for (const record of await read(kinds.verdict)) this.#verdicts.set(record.id, valueOf<Verdict>(record));
    const state = await this.#records.record(this.#number, kinds.state, STATE);
    if (state) this.#state = valueOf<State>(state);
    this.#arrange();
    for (const [id, verdict] of this.#verdicts) if (verdict.pending) await this.#complete(id, verdict);
  }

  get #number(): number {
    return recordsNumber(this.#application);
  }

  #store(changes: readonly RecordChange[]): Promise<void> {
    return this.#records.changeRecords(this.#number, changes);
  }

  /** One change after the other. */
  #change<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#changing.then(work);
    this.#changing = done.catch(() => {});
    return done;
  }

  /** What follows from the verdicts. */
  #arrange(): void {
    this.#changes++;
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
      const batch = this.#isStopped() ? [] : await references.since(upTo, BATCH);
      if (this.#isStopped()) return;
      const found = new Map<string, readonly Link[]>();
      for (const { id } of batch) {
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
        if (references !== this.#application.references) return false; // emptied meanwhile
        const state = {
          upTo: batch.at(-1)?.number ?? upTo,
          compared: this.#state.compared + batch.length,
          running: batch.length > 0,
        };
        await this.#store([...changes, put(kinds.state, STATE, state)]);
        for (const [id, links] of found) this.#links.set(id, links);
        this.#changes++;
        this.#state = state;
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
        const counts = decision === '' ? score < NEAR : compared.has(decision);
        return image.id !== id && counts ? [{ to: image.id, score, decision }] : [];
      });
    } catch (cause) {
      if (cause instanceof Failure && isOfPicture(cause.error)) return [];
      throw cause;
    }
  }

  /** Found anew after a change. */
  #groups(): Promise<Groups> {
    const at = `${this.#changes} ${this.#application.references.changes}`;
    if (this.#groupsAt?.at === at) return this.#groupsAt.groups;
    const groups = this.#findGroups();
    this.#groupsAt = { at, groups };
    groups.catch(() => (this.#groupsAt = undefined));
    return groups;
  }

  async #findGroups(): Promise<Groups> {
    const { references } = this.#application;
    const present = new Map<string, boolean>();
    const isPresent = async (id: string): Promise<boolean> => {
      const known = present.get(id) ?? (await references.has(id));
      present.set(id, known);
      return known;
    };
    const edges = [];
    for (const [from, links] of this.#links) {
      if (links.length === 0 || !(await isPresent(from))) continue;
      for (const link of links) if (await isPresent(link.to)) edges.push({ from, ...link });
    }
    const wrong: WrongGroup[] = [];
    for (const { images, query } of this.#wrong.values()) {
      const [reference, other] = images;
      const references = query ? [reference] : images;
      if (this.#apart.has(reference, other) || !(await all(references, isPresent))) continue;
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

  /** A group has one verdict that puts it off. */
  async #judgeOne(verdict: Verdict): Promise<{ id: string; count: number }> {
    const last = Number([...this.#verdicts.keys()].at(-1) ?? 0);
    const id = String(last + 1).padStart(8, '0');
    const former = this.#later.get(groupIdOf(verdict.images));
    const changes = former === undefined ? [] : [remove(kinds.verdict, former)];
    const others = verdict.verdict === 'keep' ? verdict.images.filter((each) => each !== verdict.kept) : [];
    const contents = await Promise.all(others.map((each) => this.#content(each, id)));
    const made: Verdict = others.length > 0 ? { ...verdict, pending: true } : verdict;
    await this.#store([
      ...changes,
      { kind: kinds.verdict, id, body: bodyOf(made), expected: 0 },
      ...contents.map((content) => put(kinds.removed, `${id} ${content.id}`, content)),
    ]);
    if (former !== undefined) this.#verdicts.delete(former);
    this.#verdicts.set(id, made);
    this.#arrange();
    if (made.pending) await this.#complete(id, made);
    return { id, count: others.length };
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

  /** Removes the pictures of a verdict; some may be removed already. */
  async #complete(id: string, { pending: _, ...verdict }: Verdict): Promise<void> {
    for (const image of verdict.images) {
      if (image !== verdict.kept) await this.#application.references.delete(image).catch(unless('IMAGE_NOT_FOUND'));
    }
    await this.#store([put(kinds.verdict, id, verdict)]);
    this.#verdicts.set(id, verdict);
  }

  async #undoOne(id: string): Promise<number> {
    const { images, kept } = this.#verdicts.get(id)!;
    const changes = [remove(kinds.verdict, id)];
    let restored = 0;
    for (const image of kept === null ? [] : images.filter((each) => each !== kept)) {
      const record = await this.#records.record(this.#number, kinds.removed, `${id} ${image}`);
      if (!record) continue;
      const { keywords, dna, thumbnail, details } = valueOf<Removed>(record);
      const content = {
        ...{ id: image, keywords, dna: bytesIn(dna) },
        ...(thumbnail !== undefined && { thumbnail: bytesIn(thumbnail) }),
        ...(details && { details }),
      };
      await this.#application.references.add(content).then(() => restored++, unless('IMAGE_EXISTS'));
      changes.push(remove(kinds.removed, record.id));
    }
    await this.#store(changes);
    this.#verdicts.delete(id);
    this.#arrange();
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

async function all(ids: readonly string[], holds: (id: string) => Promise<boolean>): Promise<boolean> {
  for (const id of ids) if (!(await holds(id))) return false;
  return true;
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
