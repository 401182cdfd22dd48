import { reviewOperations as contract } from '@sosia/contract';
import type {
  Bulk,
  EventState,
  EventVerdict,
  FileChoice,
  HashFormat,
  MatchOrder,
  Operation as Schema,
  ReviewKind,
  Values,
  VerdictName,
} from '@sosia/contract';
import type { Application } from '../applications/application.ts';
import type { Caller } from '../applications/applications.ts';
import { digestOf } from '../applications/keys.ts';
import { fail } from '../errors.ts';
import { conditionsOf } from '../events/stored.ts';
import type { StoredSearch } from '../events/stored.ts';
import { hashOf, textOfHashes } from '../events/hash-format.ts';
import { readHashes } from '../events/hash-lists.ts';
import { wireEvent, wireSearch } from '../events/wire.ts';
import { timeOf } from '../parameters/time.ts';
import { allWithWork, type WorkOn } from '../parameters/work.ts';
import { withPictures } from './event-pictures.ts';
import type { Review } from './review.ts';
import type { Reviews } from './reviews.ts';
import type { WrongQuery } from './stored.ts';
import type { NewImage } from '../store/store.ts';
import { base64 } from '../parameters/base64.ts';

type Contract = typeof contract;

/** What an operation works on. */
export interface Reviewed {
  readonly application: Application;
  readonly key: Caller['key'];
  readonly reviews: Reviews;
}

/** On the comparison and the verdicts of the application. */
function ofReview<O extends Schema>(
  work: (
    review: Review,
    values: Values<O['parameters']['properties']>,
    reviewed: Reviewed,
  ) => ReturnType<WorkOn<Reviewed, O>>,
): WorkOn<Reviewed, O> {
  return async (reviewed, values) => work(await reviewed.reviews.of(reviewed.application), values, reviewed);
}

const work: { readonly [Name in keyof Contract]: WorkOn<Reviewed, Contract[Name]> } = {
  startReview: ofReview(async (review, { again }) => {
    await review.comparison.start(again === 1);
    return { review: await review.progress() };
  }),
  stopReview: ofReview(async (review) => {
    await review.comparison.stop();
    return { review: await review.progress() };
  }),
  getReview: ofReview(async (review) => ({ review: await review.progress() })),
  listGroups: ofReview(async (review, { kind = 'duplicates', state = 'open', bulk, contains, ...values }) => {
    const filter = { bulk: bulk as Bulk | undefined, contains, minSimilarity: values.min_similarity };
    const page = { start: values.starting_index, count: values.nb_results };
    const { found, groups } = await review.list(kind as ReviewKind, state as 'open' | 'later', filter, page);
    return { nb_results_found: found, groups };
  }),
  judge: ofReview((review, { groups, verdict, keep, files }, { key }) => {
    if (verdict === 'keep' && !key.scopes.includes('delete')) {
      throw fail(
        'SCOPE_REFUSED',
        `the verdict keep needs the scope delete, the key ${key.name} has ${key.scopes.join(', ')}`,
      );
    }
    return review.judge(listed(groups), verdict as VerdictName, key.name, keep, files as FileChoice);
  }),
  undoVerdict: ofReview((review, { verdicts }) => review.undo(listed(verdicts))),
  listVerdicts: ofReview(async (review, { verdict, contains, thumbnails, starting_index, nb_results }) => {
    const page = { start: starting_index, count: nb_results };
    const { found, verdicts } = await review.verdicts({ verdict, contains }, page, thumbnails === 1);
    return { nb_results_found: found, verdicts };
  }),
  importVerdicts: ofReview(async (review, { verdicts }, { key }) => ({
    imported: await review.importVerdicts(given(verdicts), key.name),
  })),
  markWrong: ofReview(async (review, { image_id, ...query }, { application }) => ({
    group: await review.markWrong(image_id, await queryOf(application, image_id, query)),
  })),
  async addIgnored({ application, key, reviews }, { image_id, ...content }) {
    const list = await reviews.ignoreLists.of(application);
    return {
      ignored: await list.add({ id: image_id, ...(await keptOf(application, content)) }, key.name),
    };
  },
  async listIgnored({ application, reviews }, { starting_index, nb_results, thumbnails, with_dna }) {
    const list = await reviews.ignoreLists.of(application);
    const parts = { dna: with_dna === 1, thumbnails: thumbnails === 1 };
    return { nb_results_found: list.size, ignored: list.list({ start: starting_index, count: nb_results }, parts) };
  },
  async deleteIgnored({ application, reviews }, { image_id }) {
    const list = await reviews.ignoreLists.of(application);
    await list.delete(image_id);
    return { nb_ignored: list.size };
  },
  async listMatchCounts({ application, reviews }, { ids_list, order = 'found', starting_index, nb_results }) {
    const { found, images } = await reviews.matchCounts.list(application, {
      ...(ids_list && { ids: ids_list }),
      order: order as MatchOrder,
      start: starting_index,
      count: nb_results,
    });
    return { nb_results_found: found, images };
  },
  async saveSearch({ application, key, reviews }, { search_id, existing, keywords = [], where, ...values }) {
    await reviews.events.searchesOf(application); // refuses before the picture is described
    const search = {
      ...conditionsOf(application, values),
      keywords,
      ...(where && { where }),
      added: new Date().toISOString(),
      who: key.name,
      ...(await searched(application, reviews, values)),
    };
    const nb_events = await reviews.events.save(application, search_id, search, existing === 1);
    return { saved_search: wireSearch(search_id, search), nb_events };
  },
  async listSavedSearches({ application, reviews }, { starting_index, nb_results, thumbnails }) {
    const searches = await reviews.events.searchesOf(application);
    const found = await searches.list({ start: starting_index, count: nb_results });
    const { events } = reviews;
    const shown = found.map(async ({ id, ...search }) => {
      const backlog = search.application && (await events.backlogOf(application, id));
      return wireSearch(id, search, thumbnails === 1, { fault: events.faultOf(search), backlog });
    });
    return { nb_results_found: searches.size, saved_searches: await Promise.all(shown) };
  },
  async deleteSavedSearch({ application, reviews }, { search_id }) {
    return { nb_saved_searches: await reviews.events.delete(application, search_id) };
  },
  async importHashes({ application, key, reviews }, { list_id, hashes, distance }) {
    await reviews.events.hashesOf(application); // refuses before the file is read
    const read = await readHashes(hashes);
    const head = { distance, added: new Date().toISOString(), who: key.name };
    return {
      hash_list: await reviews.events.saveHashes(application, list_id, read, head),
      nb_skipped: read.skipped,
    };
  },
  async listHashLists({ application, reviews }, { starting_index, nb_results }) {
    const lists = await reviews.events.hashesOf(application);
    return { nb_results_found: lists.size, hash_lists: lists.list({ start: starting_index, count: nb_results }) };
  },
  async exportHashes({ application, reviews }, { list_id, format = 'json', starting_index, nb_results }) {
    const lists = await reviews.events.hashesOf(application);
    const { found: nb_results_found, entries } = lists.page(list_id, { start: starting_index, count: nb_results });
    if (format !== 'json')
      return { nb_results_found, text: textOfHashes(entries, format as HashFormat, starting_index === 0) };
    const data = entries.map(({ pdq, label, quality }) => ({
      ...(label !== undefined && { id: label }),
      indicator: pdq,
      type: 'HASH_PDQ' as const,
      ...(quality !== undefined && { quality }),
    }));
    return { nb_results_found, data };
  },
  async searchHashes({ application, reviews }, { list_id, distance, nb_results, ...query }) {
    const lists = await reviews.events.hashesOf(application);
    const hash = await hashedOf(application, query);
    const { found, near } = lists.search(hash, list_id, distance, nb_results);
    return { pdq: Buffer.from(hash).toString('hex'), nb_results_found: found, matches: near };
  },
  async deleteHashList({ application, reviews }, { list_id }) {
    return { nb_hash_lists: await reviews.events.deleteHashes(application, list_id) };
  },
  async listEvents({ application, reviews }, { after, nb_results }) {
    return { events: (await reviews.events.after(application, after, nb_results)).map(wireEvent) };
  },
  async reviewEvents({ application, reviews }, { before, nb_results, state, since, until, pictures, ...filter }) {
    const wanted = {
      ...filter,
      ...(state !== undefined && { state: state as EventState }),
      ...(since !== undefined && { since: timeOf('since', since) }),
      ...(until !== undefined && { until: timeOf('until', until) }),
    };
    const page = await reviews.eventReview.list(application, wanted, { before, count: nb_results });
    return pictures === 1 ? { ...page, events: await withPictures(application, page.events, reviews.events) } : page;
  },
  async markEventsRead({ application, reviews }, { event_id, older }) {
    return { nb_unread: await reviews.eventReview.markRead(application, event_id, older === 1) };
  },
  async judgeEvent({ application, key, reviews }, { event_id, verdict }) {
    return { verdict: await reviews.eventReview.judge(application, event_id, verdict as EventVerdict, key.name) };
  },
  addWebhook: ({ application, key, reviews }, { webhook_id, ...values }) =>
    reviews.webhooks.add(application, webhook_id, { ...values, who: key.name }),
  async listWebhooks({ application, reviews }, { starting_index, nb_results }) {
    const page = { start: starting_index, count: nb_results };
    const { found, webhooks } = await reviews.webhooks.list(application, page);
    return { nb_results_found: found, webhooks };
  },
  rotateWebhookSecret: ({ application, reviews }, { webhook_id }) => reviews.webhooks.rotate(application, webhook_id),
  async resumeWebhook({ application, reviews }, { webhook_id }) {
    return { webhook: await reviews.webhooks.resume(application, webhook_id) };
  },
  async deleteWebhook({ application, reviews }, { webhook_id }) {
    return { nb_webhooks: await reviews.webhooks.delete(application, webhook_id) };
  },
};

interface Content {
  readonly image_content?: Uint8Array;
  readonly dna?: Uint8Array;
}

/** What a saved search looks for. Fails with BAD_PARAMETER, IMAGE_OR_DNA or UNKNOWN_IMAGE, and as `Events.watching`. */
async function searched(
  application: Application,
  { events }: Reviews,
  {
    query_id: id,
    watched_key: key,
    ...content
  }: Content & { readonly query_id?: string; readonly watched_key?: string },
): Promise<Pick<StoredSearch, 'application' | 'dna' | 'of' | 'thumbnail'>> {
  const others = content.image_content ?? content.dna;
  if (key !== undefined) {
    if (others ?? id) throw fail('BAD_PARAMETER', `${ONE_QUERY}, or watched_key alone`);
    return { application: events.watching(application, digestOf(key)) };
  }
  if (id !== undefined && others) throw fail('BAD_PARAMETER', ONE_QUERY);
  if (id === undefined && !others) throw fail('IMAGE_OR_DNA', 'got neither, nor query_id or watched_key');
  const { references } = application;
  const { dna, thumbnail } =
    id === undefined
      ? await keptOf(application, content)
      : { dna: await references.dna(id), thumbnail: await references.thumbnail(id) };
  return { dna: base64(dna), ...(thumbnail && { thumbnail: base64(thumbnail) }), ...(id !== undefined && { of: id }) };
}

const ONE_QUERY = 'expected one of query_id, image_content and dna';

/** Fails with IMAGE_OR_DNA. */
function keptOf(application: Application, { image_content, dna }: Content): ReturnType<Application['keep']> | Kept {
  if (image_content && dna) throw fail('IMAGE_OR_DNA', 'got both');
  if (!image_content && !dna) throw fail('IMAGE_OR_DNA', 'got neither');
  return dna ? { dna: application.checkedDna(dna, 'reference') } : application.keep(image_content!);
}

/** The hash of a search in lists. Fails with BAD_PARAMETER, BAD_HASHES, UNKNOWN_IMAGE or NO_THUMBNAIL. */
async function hashedOf(
  application: Application,
  { pdq, image_id, image_content }: { pdq?: string; image_id?: string; image_content?: Uint8Array },
): Promise<Uint8Array> {
  if ([pdq, image_id, image_content].filter((each) => each !== undefined).length !== 1)
    throw fail('BAD_PARAMETER', 'expected one of pdq, image_id and image_content');
  if (pdq !== undefined) return hashOf(pdq);
  const file = image_content ?? (await application.references.thumbnail(image_id!));
  if (!file) throw fail('NO_THUMBNAIL', image_id);
  return (await application.pdq(file)).hash;
}

type Kept = Omit<NewImage, 'id' | 'keywords'>;

/** The query of a false match. Fails with BAD_PARAMETER or IMAGE_OR_DNA. */
async function queryOf(
  application: Application,
  image_id: string,
  { query_id, image_content, dna }: Content & { readonly query_id?: string },
): Promise<WrongQuery> {
  if (query_id !== undefined) {
    if (image_content || dna) throw fail('BAD_PARAMETER', ONE_QUERY);
    if (image_id === query_id) throw fail('BAD_PARAMETER', 'query_id: expected another picture than image_id');
    await application.references.image(query_id);
    return { id: query_id };
  }
  if (image_content && dna) throw fail('IMAGE_OR_DNA', 'got both');
  if (dna) return { id: application.nameOf(application.checkedDna(dna, 'query')) };
  if (!image_content) throw fail('IMAGE_OR_DNA', 'got neither, nor query_id');
  const { thumbnail } = await application.keep(image_content);
  const id = application.nameOf(await application.describe(image_content, 'query'));
  return { id, thumbnail: base64(thumbnail ?? new Uint8Array()) };
}

/** The operations of the review, in the order of the contract. */
export const review = allWithWork<Reviewed, Contract>(contract, work);

function listed(text: string): string[] {
  const ids = text.split(';').filter((id) => id !== '');
  if (ids.length > 0) return [...new Set(ids)];
  throw fail('BAD_PARAMETER', "expected ids separated by ';'");
}

const allowed = ['different', 'ignore', 'later', 'keep', 'same'];

/** Verdicts in JSON. Fails with BAD_PARAMETER. */
function given(text: string): { verdict: VerdictName; images: string[] }[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  const isVerdict = (each: unknown): each is { verdict: VerdictName; images: string[] } => {
    const { verdict, images } = (each ?? {}) as { verdict?: unknown; images?: unknown };
    return (
      allowed.includes(verdict as string) &&
      Array.isArray(images) &&
      images.length > 1 &&
      images.length <= 1000 &&
      images.every((id) => typeof id === 'string' && id !== '' && !id.includes(';'))
    );
  };
  if (Array.isArray(value) && value.every(isVerdict)) return value;
  throw fail('BAD_PARAMETER', 'verdicts: expected JSON, a list of objects with verdict and images');
}
