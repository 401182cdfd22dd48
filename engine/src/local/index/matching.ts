import { Workspace } from '../../kernels/workspace.ts';
import { WORD_COUNT } from '../features/vocabulary.ts';
import { type Correspondences, correspondencesOf } from './correspondences.ts';
import { MAX_HAMMING_DISTANCE } from './hits.ts';
import { type Entries, WORDS_PER_QUERY_FEATURE } from './look-up.ts';
import type { LocalQuery } from './terms.ts';

/**
 * Hits that one picture may have in one variant of a query, the first ones in the order of the entries. Pictures of the
 * benchmarks have 28,000 at most; DNA made by hand, its features all alike, has hundreds of thousands. A limit for each word would
 * lose pictures of fences and blinds, which have most of their features in one.
 */
export const MAX_HITS = 1 << 15;

/** The weight of a Hamming distance: 256 at 0, 101 at 10, 0 at the reach; true hits mostly have 8 to 10 bits, hits by chance 17 to 20. */
const HAMMING_WEIGHTS = Uint16Array.from({ length: MAX_HAMMING_DISTANCE + 1 }, (_, d) => {
  const near = 1 - (d * d) / (22 * 22);
  return Math.round(256 * near * near * near * near);
});

/** Entries of all variants of a query. */
const MAX_ENTRIES = 1 << 15;
/** What the kernel returns for a reference with more hits. */
const TOO_MANY_HITS = 0xffffffff;

const workspace = new Workspace();
/** Of the words of a reference; cleared after each use. */
const table = cleared();
/** Of the words of the query whose votes are counted; cleared when another one's are. */
const entryTable = cleared();
const out = workspace.take(8 * MAX_HITS);
/** Where the entries of the last queries lie, the latest first. */
const places = Array.from({ length: 3 }, () => ({
  at: workspace.take(16 * MAX_ENTRIES),
  query: undefined as LocalQuery | undefined,
}));
const start = workspace.mark();

function cleared(): number {
  const at = workspace.take(2 * (WORD_COUNT + MAX_ENTRIES));
  workspace.bytes(at, 2 * WORD_COUNT).fill(0);
  return at;
}

/** What a reference's features are compared by, 10 bytes each: the words as uint16, then the signatures as uint64. */
export type FeatureRecord = Uint8Array;

const WORD_BYTES = 2;
const FEATURE_BYTES = WORD_BYTES + 8;

export function recordBytes(features: number): number {
  return FEATURE_BYTES * features;
}

/** @param looked  the features of a reference, one word each */
export function recordOf({ entries, features }: Entries): FeatureRecord {
  const from = new Uint16Array(entries.buffer);
  const record = new Uint16Array((FEATURE_BYTES / 2) * features);
  for (let i = 0; i < features; i++) {
    record[i] = from[8 * i];
    for (let k = 0; k < 4; k++) record[features + 4 * i + k] = from[8 * i + 4 + k];
  }
  return new Uint8Array(record.buffer);
}

/**
 * The pairs of features of a query and of a reference with the same word and with signatures close by.
 * @param keypoints  of the reference's features, as in the DNA
 */
export function correspond(query: LocalQuery, record: FeatureRecord, keypoints: Uint8Array): Correspondences {
  const found = correspondencesOf(hitsOf(query, record), query.words, keypoints);
  const { every } = query;
  return every === 1 ? found : { ...found, feature: found.feature.map((f) => every * f) };
}

/** Entry | distance << 16, and feature of each hit; a view that the next call overwrites. */
function hitsOf(query: LocalQuery, record: FeatureRecord): Uint32Array {
  const { kernels } = workspace;
  const n = record.length / FEATURE_BYTES;
  const from = placed(query);
  workspace.release(preparedVotes.end);
  const held = workspace.put(record);
  kernels.chain(held, n, WORD_BYTES, table);
  const count = kernels.hits(
    from,
    query.features * query.words,
    held + WORD_BYTES * n,
    table,
    MAX_HAMMING_DISTANCE,
    MAX_HITS,
    out,
  );
  kernels.unchain(held, n, WORD_BYTES, table);
  return workspace.integers(out, 2 * count);
}

/** Where the entries of a query are in the workspace. */
function placed(query: LocalQuery): number {
  const known = places.findIndex((place) => place.query === query);
  const [place] = places.splice(known < 0 ? places.length - 1 : known, 1);
  if (known < 0) workspace.bytes(place.at, query.entries.length).set(query.entries);
  place.query = query;
  places.unshift(place);
  return place.at;
}

/** The query whose votes are counted, as the kernel reads it. */
interface PreparedVotes {
  readonly variants: readonly LocalQuery[];
  /** Where its entries are in the workspace, and how many there are. */
  readonly entries: number;
  readonly count: number;
  /** Where the `VoteQuery` of the kernel is. */
  readonly query: number;
  /** Memory from here on is free. */
  readonly end: number;
}

const NO_QUERY: PreparedVotes = { variants: [], entries: 0, count: 0, query: 0, end: start };
let preparedVotes: PreparedVotes = NO_QUERY;

function prepareVotes(variants: readonly LocalQuery[]): PreparedVotes {
  if (preparedVotes.variants === variants) return preparedVotes;
  const { kernels } = workspace;
  kernels.unchain(preparedVotes.entries, preparedVotes.count, 16, entryTable);
  const counts = [0, 1, 2].map((i) => variants[i]?.features ?? 0);
  const ends = Uint32Array.of(counts[0], counts[0] + counts[1], counts[0] + counts[1] + counts[2]);
  const count = WORDS_PER_QUERY_FEATURE * ends[2];
  workspace.release(start);
  const [entries, weights] = [workspace.take(16 * count), workspace.take(2 * count)];
  variants.forEach((query, i) => {
    const first = WORDS_PER_QUERY_FEATURE * (ends[i] - counts[i]);
    workspace.bytes(entries + 16 * first, query.entries.length).set(query.entries);
    workspace.halves(weights + 2 * first, query.weights.length).set(query.weights);
  });
  kernels.chain(entries, count, 16, entryTable);
  const best = workspace.take(4 * ends[2]);
  workspace.integers(best, ends[2]).fill(0);
  const query = workspace.put(
    Uint32Array.of(
      entries,
      WORDS_PER_QUERY_FEATURE,
      entryTable,
      weights,
      workspace.put(HAMMING_WEIGHTS),
      MAX_HAMMING_DISTANCE,
      workspace.put(ends),
      best,
      MAX_HITS,
    ),
  );
  return (preparedVotes = { variants, entries, count, query, end: workspace.mark() });
}

/** References to be compared, read in one go. */
export interface Batch {
  /** Features of each. */
  readonly features: Uint16Array;
  /** Bytes before the `FeatureRecord` of each. */
  readonly head: number;
  /** Writes them one after the other, each with its head. */
  readonly read: (into: Uint8Array) => void;
}

/**
 * How much each of some references shares with a query, in the variant in which that is most: each feature gives the weight of its
 * best hit, once.
 * @param variants  at most three; the same array for further references of the same query
 */
export function votesOf(variants: readonly LocalQuery[], { features, head, read }: Batch): Float64Array {
  const { kernels } = workspace;
  const { query, end } = prepareVotes(variants);
  const count = features.length;
  const bytes = features.reduce((sum, n) => sum + head + FEATURE_BYTES * n, 0);
  workspace.release(end);
  const [numbers, found, records] = [workspace.put(features), workspace.take(4 * count), workspace.take(bytes)];
  read(workspace.bytes(records, bytes));
  kernels.votesOf(query, records, head, numbers, count, found);
  const votes = Float64Array.from(workspace.integers(found, count));
  if (!votes.includes(TOO_MANY_HITS)) return votes;
  const overfull: [i: number, record: FeatureRecord][] = [];
  for (let i = 0, at = records; i < count; at += head + FEATURE_BYTES * features[i++]) {
    if (votes[i] === TOO_MANY_HITS) overfull.push([i, workspace.bytes(at + head, FEATURE_BYTES * features[i]).slice()]);
  }
  for (const [i, record] of overfull) votes[i] = Math.max(...variants.map((query) => votesOfFirst(query, record)));
  return votes;
}

/** The votes of the first hits, for a reference that has too many. */
function votesOfFirst(query: LocalQuery, record: FeatureRecord): number {
  const { features, words, weights } = query;
  const best = new Uint32Array(features);
  const hits = hitsOf(query, record);
  for (let i = 0; i < hits.length; i += 2) {
    const entry = hits[i] & 0xffff;
    const feature = Math.floor(entry / words);
    best[feature] = Math.max(best[feature], weights[entry] * HAMMING_WEIGHTS[hits[i] >>> 16]);
  }
  return best.reduce((sum, gain) => sum + gain, 0);
}
