import type {
  EventVerdict,
  FileChanges,
  FileChoice,
  ReviewedEvent,
  ReviewGroup,
  ReviewKind,
  ReviewProgress,
  ShownVerdict,
  VerdictName,
} from '@sosia/contract';
import type { Application } from '../applications/application.ts';
import { put, recordsNumber, remove, valueOf } from '../applications/records.ts';
import type { Page } from '../applications/references.ts';
import { fail } from '../errors.ts';
import type { SharedRecords } from '../store/store.ts';
import { Comparison, ComparisonRecords } from './comparison.ts';
import { FalseMatches } from './false-matches.ts';
import { isSimilar, passes, type GroupFilter } from './group-filter.ts';
import { groupsFrom, namesIn, shownGroup, type Group, type Groups } from './groups.ts';
import { groupIdOf } from './links.ts';
import { inParts, partOf } from './parts.ts';
import { completeRemoval, contentOf, removedBy, removedName, undoRemoval } from './removal.ts';
import { ReviewStore, type LeaseCheck } from './review-store.ts';
import { kinds, type Removed, type Verdict, type Wrong, type WrongQuery } from './stored.ts';
import { nameOf, Verdicts, type VerdictFilter } from './verdicts.ts';

/** The review of one application. Its records are in memory from the first call on. */
export class Review {
  #application: Application;
  readonly #compared = new ComparisonRecords();
  readonly #falseMatches = new FalseMatches();
  readonly #verdicts = new Verdicts();
  readonly #store: ReviewStore;
  readonly comparison: Comparison;
  /** As of a number of changes of the review and of the pictures. */
  #groupsAt: { readonly at: string; readonly groups: Promise<Groups> } | undefined;

  private constructor(application: Application, records: SharedRecords, failed: (cause: unknown) => void) {
    this.#application = application;
    const holders = [this.#compared, this.#falseMatches, this.#verdicts];
    this.#store = new ReviewStore(recordsNumber(application), records, holders);
    const change: ReviewStore['change'] = (work) => this.#change(work);
    this.comparison = new Comparison(() => this.#application, this.#compared, this.#store, change, failed);
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
    return this.#store.refresh();
  }

  /** Completes removals that were interrupted. */
  settle(): Promise<void> {
    return this.#change(async () => {});
  }

  /** The application, which is another object after it was emptied. */
  set application(application: Application) {
    if (application === this.#application) return;
    this.#application = application;
    this.#compared.clear();
    this.#store.changes++;
  }

  async progress(): Promise<ReviewProgress> {
    const { references } = this.#application;
    const { upTo, compared, running } = this.#compared.state;
    const pictures = await references.count();
    const [next] = await references.since(upTo, 1);
    const groups = await this.#groups();
    const open = (kind: ReviewKind): number => groups[kind].filter(({ id }) => !this.#verdicts.isPutOff(id)).length;
    return {
      state: running ? 'running' : next ? 'stopped' : 'idle',
      compared: next ? Math.min(compared, pictures) : pictures,
      pictures,
      duplicates: open('duplicates'),
      similar: open('similar'),
      wrong: open('wrong'),
      later: Object.values(groups)
        .flat()
        .filter(({ id }) => this.#verdicts.isPutOff(id)).length,
      judged: this.#verdicts.size,
    };
  }

  async list(
    kind: ReviewKind,
    state: 'open' | 'later',
    filter: GroupFilter,
    page: Page,
  ): Promise<{ found: number; groups: ReviewGroup[] }> {
    const { links } = this.#compared;
    const all = (await this.#groups())[kind].filter(
      (group) =>
        this.#verdicts.isPutOff(group.id) === (state === 'later') && isSimilar(group, this.#application, filter),
    );
    const shown = (some: readonly Group[]): Promise<ReviewGroup[]> =>
      inParts(some, (group) => shownGroup(this.#application, group, kind, state, links));
    if (filter.bulk === undefined && filter.contains === undefined) {
      return { found: all.length, groups: await shown(partOf(all, page)) };
    }
    const passing = (await shown(all)).filter((group) => passes(group, filter, links));
    return { found: passing.length, groups: partOf(passing, page) };
  }

  /** Fails with UNKNOWN_GROUP before any change. */
  judge(
    ids: readonly string[],
    verdict: VerdictName,
    who: string,
    keep?: string,
    choice: FileChoice = 'keep',
  ): Promise<{ verdicts: string[]; removed: number; files?: FileChanges }> {
    return this.#change(async (checkLease) => {
      const chosen = await this.#chosen(ids, verdict, keep);
      const at = new Date().toISOString();
      const made = await inParts(chosen, async ({ group, kind }): Promise<Verdict> => {
        const proposed = async () =>
          (await shownGroup(this.#application, group, kind, 'open', this.#compared.links)).keep;
        const kept = verdict === 'keep' ? (keep ?? (await proposed())) : null;
        const files = kept !== null && choice !== 'keep' && { files: choice };
        return { verdict, kind, images: namesIn(group), kept, at, who, ...files };
      });
      const removed = made.reduce((sum, each) => sum + removedBy(each).length, 0);
      const { ids: verdicts, files } = await this.#judgeAll(made, checkLease);
      return { verdicts, removed, ...(choice !== 'keep' && { files }) };
    });
  }

  /** Judges two pictures, each a reference or as `Application.nameOf`. @returns the id of the verdict */
  judgePair(images: readonly string[], kind: ReviewKind, verdict: EventVerdict, who: string): Promise<string> {
    const at = new Date().toISOString();
    const made: Verdict = { verdict, kind, images: [...images].sort(), kept: null, at, who };
    return this.#change(async (checkLease) => (await this.#judgeAll([made], checkLease)).ids[0]!);
  }

  /** The latest verdict on two pictures; where one was kept and the other removed, they are the same. */
  verdictOn(images: readonly string[]): ReviewedEvent['verdict'] {
    const [id, judged] = this.#verdicts.on(images) ?? [];
    if (!judged || judged.verdict === 'later') return undefined;
    return { id: id!, verdict: judged.verdict === 'keep' ? 'same' : judged.verdict };
  }

  /** Fails with UNKNOWN_VERDICT before any change. */
  undo(ids: readonly string[]): ReturnType<typeof undoRemoval> {
    return this.#change(async (checkLease) => {
      const all = ids.map((id) => {
        const verdict = this.#verdicts.get(id);
        if (!verdict) throw fail('UNKNOWN_VERDICT', id);
        return [id, verdict] as const;
      });
      return undoRemoval(all, this.#application, this.#store, checkLease);
    });
  }

  /** The latest first. @param thumbnails  whether the removed pictures are shown */
  async verdicts(
    filter: VerdictFilter,
    page: Page,
    thumbnails: boolean,
  ): Promise<{ found: number; verdicts: ShownVerdict[] }> {
    const all = this.#verdicts.list(filter);
    const verdicts = await inParts(partOf(all, page), async ([id, { pending: _, ...verdict }]) => {
      const names = thumbnails ? removedBy(verdict).map((image) => removedName({ verdict: id, id: image })) : [];
      const removed = await Promise.all(names.map((name) => this.#store.record(kinds.removed, name)));
      const shown = removed.flatMap((record) => (record ? valueOf<Removed>(record) : []));
      return {
        id,
        ...verdict,
        ...(thumbnails && { removed: shown.map((each) => ({ id: each.id, thumbnail: each.thumbnail ?? null })) }),
      };
    });
    return { found: all.length, verdicts };
  }

  /** @returns the number of verdicts that were new */
  importVerdicts(given: readonly Pick<Verdict, 'verdict' | 'images'>[], who: string): Promise<number> {
    return this.#change(async (checkLease) => {
      const known = this.#verdicts.names();
      const at = new Date().toISOString();
      const made: Verdict[] = [];
      for (const { verdict, images } of given) {
        const name = nameOf({ verdict, images });
        if (verdict === 'keep' || known.has(name)) continue;
        known.add(name);
        made.push({ verdict, kind: 'duplicates', images: [...images].sort(), kept: null, at, who });
      }
      return (await this.#judgeAll(made, checkLease)).ids.length;
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
      await this.#store.store([put(kinds.wrong, id, wrong)]);
      return id;
    });
  }

  /** The pictures that were judged not to match this one. */
  apartFrom(id: string): ReadonlySet<string> {
    return this.#verdicts.apart.of(id);
  }

  /** One change after the other, in all processes. Each first completes what processes that have ended left. */
  #change<T>(work: (checkLease: LeaseCheck) => Promise<T>): Promise<T> {
    return this.#store.change(async (checkLease) => {
      await this.#complete(this.#verdicts.pending, checkLease);
      return work(checkLease);
    });
  }

  #complete(verdicts: readonly (readonly [string, Verdict])[], checkLease: LeaseCheck): Promise<FileChanges> {
    return completeRemoval(verdicts, this.#application, this.#store, checkLease);
  }

  /** The groups of a verdict. Fails with UNKNOWN_GROUP, BAD_PARAMETER or UNKNOWN_IMAGE. */
  async #chosen(ids: readonly string[], verdict: VerdictName, keep: string | undefined) {
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
    const without = keep !== undefined && chosen.find(({ group }) => !group.images.some(({ id }) => id === keep));
    if (without) throw fail('UNKNOWN_IMAGE', `${keep} in the group ${without.group.id}`);
    return chosen;
  }

  /** Found anew after a change. */
  async #groups(): Promise<Groups> {
    const { references } = this.#application;
    const at = `${this.#store.changes} ${await references.revision()}`;
    if (this.#groupsAt?.at === at) return this.#groupsAt.groups;
    const groups = groupsFrom(this.#compared.links, this.#falseMatches.all(), this.#verdicts.apart, references);
    this.#groupsAt = { at, groups };
    groups.catch(() => (this.#groupsAt = undefined));
    return groups;
  }

  /** A group has one verdict besides `keep`. */
  async #judgeAll(
    verdicts: readonly Verdict[],
    checkLease: LeaseCheck,
  ): Promise<{ ids: string[]; files: FileChanges }> {
    const ids = this.#verdicts.nextIds(verdicts.length);
    const made = verdicts.map((verdict, i) => {
      const removes = removedBy(verdict).length > 0;
      return [ids[i]!, removes ? { ...verdict, pending: true as const } : verdict] as const;
    });
    const former = new Set(
      verdicts.flatMap(({ images }) => {
        const [id, before] = this.#verdicts.on(images) ?? [];
        return before && before.verdict !== 'keep' ? id! : [];
      }),
    );
    const removed = made.flatMap((each) => removedBy(each[1]).map((image) => ({ image, verdict: each })));
    const contents = await inParts(removed, ({ image, verdict }) => contentOf(this.#application, image, verdict));
    await this.#store.store([
      ...contents.map((content) => put(kinds.removed, removedName(content), content)),
      // the first one fails where another process has begun a change meanwhile
      ...made.map(([id, verdict], i) => ({ ...put(kinds.verdict, id, verdict), ...(i === 0 && { expected: 0 }) })),
      ...[...former].map((id) => remove(kinds.verdict, id)),
    ]);
    const files = await this.#complete(
      made.filter(([, { pending }]) => pending),
      checkLease,
    );
    return { ids, files };
  }
}
