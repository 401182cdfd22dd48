import { bytesOf } from './base64.ts';
import { wireContent, type Content } from './form.ts';
import type { Page } from './images.ts';
import type { Answers, Operations } from './operations.generated.ts';
import type { FileChanges, RemoveOptions } from './sosia.ts';
import { ask, type Connection, type NameIn } from './wire.ts';

type Reviewed = Answers['review'];

/** How far the comparison of all pictures is, and the number of groups to judge. */
export type ReviewProgress = Reviewed['GetReview']['review'];
/** Pictures that are judged together. */
export type ReviewGroup = Reviewed['ListGroups']['groups'][number];
export type Verdict = Reviewed['ListVerdicts']['verdicts'][number];
export type VerdictName = Verdict['verdict'];
export type MatchCount = Reviewed['ListMatchCounts']['images'][number];

/** A picture of the ignore list. */
export type IgnoredPicture = Omit<Reviewed['ListIgnored']['ignored'][number], 'dna' | 'thumbnail'> & {
  readonly dna?: Uint8Array;
};

export interface GroupOptions extends Page {
  /** `duplicates` unless given. */
  readonly kind?: ReviewGroup['kind'];
  /** `open` unless given. */
  readonly state?: ReviewGroup['state'];
  /** Only groups that may be judged together: of Clones alone, or of Matches from 80 % on, too. */
  readonly bulk?: 'clones' | 'matches';
  /** Per cent; only groups with a match of this similarity. */
  readonly minSimilarity?: number;
  /** Only groups with this text in an id or a keyword. */
  readonly contains?: string;
}

const LARGEST_PAGE = 1000;
/** The service accepts more, but answers within its limit of time. */
const MOST_JUDGED = 100;

/** The duplicates of an application, its verdicts, its ignore list and its counts of matches. */
export class Review {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Compares in the background. @param options.again  whether all pictures are compared again, not only new ones */
  async start({ again = false }: { readonly again?: boolean } = {}): Promise<ReviewProgress> {
    return (await this.#ask('StartReview', { again: again ? 1 : undefined })).review;
  }

  /** Stops the comparison; `start` continues it. */
  async stop(): Promise<ReviewProgress> {
    return (await this.#ask('StopReview', {})).review;
  }

  /** How far the comparison has come, and how many groups wait. */
  async progress(): Promise<ReviewProgress> {
    return (await this.#ask('GetReview', {})).review;
  }

  /** A page of groups; of duplicates that wait for a verdict unless said otherwise. */
  async groups({ kind, state, bulk, minSimilarity, contains, start, count }: GroupOptions = {}): Promise<{
    total: number;
    groups: readonly ReviewGroup[];
  }> {
    const page = { starting_index: start, nb_results: count };
    const which = { kind, state, bulk, min_similarity: minSimilarity, contains };
    const { nb_results_found: total, groups } = await this.#ask('ListGroups', { ...which, ...page });
    return { total, groups };
  }

  /**
   * @param options.keep  id of the picture to keep, with the verdict `keep`; by default the proposal of each group
   * @returns the verdicts in the order of the groups, and the number of removed pictures
   */
  async judge(
    groups: readonly string[],
    verdict: VerdictName,
    { keep, files: choice }: { readonly keep?: string } & RemoveOptions = {},
  ): Promise<{ verdicts: string[]; removed: number; files?: FileChanges }> {
    const judged: { verdicts: string[]; removed: number; files?: FileChanges } = { verdicts: [], removed: 0 };
    for (let i = 0; i < groups.length; i += MOST_JUDGED) {
      const part = groups.slice(i, i + MOST_JUDGED).join(';');
      const { verdicts, removed, files } = await this.#ask('Judge', { groups: part, verdict, keep, files: choice });
      judged.verdicts.push(...verdicts);
      judged.removed += removed;
      const { changed, kept } = judged.files ?? { changed: 0, kept: [] };
      if (files) judged.files = { changed: changed + files.changed, kept: [...kept, ...files.kept] };
    }
    return judged;
  }

  /** Takes verdicts back. @returns the number of pictures that were added again, and what became of their files */
  async undo(verdicts: readonly string[]): Promise<{ restored: number; files?: FileChanges }> {
    const { restored, files } = await this.#ask('UndoVerdict', { verdicts: verdicts.join(';') });
    return { restored, ...(files && { files }) };
  }

  /** The latest first, fetched page by page during the loop. @param options.contains  text in an id */
  async *verdicts(
    options: { readonly verdict?: VerdictName; readonly contains?: string } = {},
  ): AsyncGenerator<Verdict, void, undefined> {
    for (let start = 0; ; start += LARGEST_PAGE) {
      const page = { starting_index: start, nb_results: LARGEST_PAGE };
      const { verdicts } = await this.#ask('ListVerdicts', { ...options, ...page });
      yield* verdicts;
      if (verdicts.length < LARGEST_PAGE) return;
    }
  }

  /** Verdicts on the same pictures exist once; those of the kind `keep` are left out. @returns the number of new ones */
  async importVerdicts(verdicts: readonly Pick<Verdict, 'verdict' | 'images'>[]): Promise<number> {
    return (await this.#ask('ImportVerdicts', { verdicts: JSON.stringify(verdicts) })).imported;
  }

  /** Marks a match as false. @param query  another reference, a file or a DNA  @returns the id of the group to judge */
  async markWrong(id: string, query: { readonly id: string } | Content): Promise<string> {
    const named = 'id' in query ? { query_id: query.id } : wireContent(query);
    return (await this.#ask('MarkWrong', { image_id: id, ...named })).group;
  }

  /** Adds a picture to the ignore list: what matches a query only by it is no match from then on. */
  async ignore(id: string, content: Content): Promise<void> {
    await this.#ask('AddIgnored', { image_id: id, ...wireContent(content) });
  }

  /** Removes a picture from the ignore list. */
  async stopIgnoring(id: string): Promise<void> {
    await this.#ask('DeleteIgnored', { image_id: id });
  }

  /** The ignore list, by id. */
  async ignored({ dna: withDna = false }: { readonly dna?: boolean } = {}): Promise<IgnoredPicture[]> {
    const values = { with_dna: withDna ? 1 : undefined, nb_results: LARGEST_PAGE };
    const { ignored } = await this.#ask('ListIgnored', values);
    return ignored.map(({ dna, thumbnail: _, ...picture }) => ({
      ...picture,
      ...(dna !== undefined && { dna: bytesOf(dna) }),
    }));
  }

  /** How often pictures were found, and when last; pictures that were never found are left out. */
  async matchCounts(
    options: Page & { readonly ids?: readonly string[]; readonly order?: 'found' | 'last' } = {},
  ): Promise<{ total: number; images: readonly MatchCount[] }> {
    const { ids, order, start, count } = options;
    const page = { starting_index: start, nb_results: count };
    const values = { ids_list: ids?.join(';'), order, ...page };
    const { nb_results_found: total, images } = await this.#ask('ListMatchCounts', values);
    return { total, images };
  }

  #ask<Name extends NameIn<'review'>>(name: Name, values: Operations['review'][Name]): Promise<Reviewed[Name]> {
    return ask(this.#connection, 'review', name, values);
  }
}
