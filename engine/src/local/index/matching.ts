import { Workspace } from '../../kernels/workspace.ts';
import { WORDS } from '../features/vocabulary.ts';
import { type Correspondences, correspondencesOf } from './correspondences.ts';
import { REACH } from './hits.ts';
import { type Entries, QUERY_WORDS } from './look-up.ts';
import type { LocalQuery } from './terms.ts';

/**
 * Hits that one picture may have in one variant of a query, the first ones in the order of the entries. Pictures of the
 * benchmarks have 28,000 at most; DNA made by hand, its features all alike, has hundreds of thousands.
 */
export const MOST_HITS = 1 << 15;

/** The weight of a Hamming distance: 256 at 0, 101 at 10, 0 at the reach; true hits mostly have 8 to 10 bits, hits by chance 17 to 20. */
const WEIGHTS = Uint16Array.from({ length: REACH + 1 }, (_, d) => {
  const near = 1 - (d * d) / (22 * 22);
  return Math.round(256 * near * near * near * near);
});

/** Entries of all variants of a query. */
const MOST_ENTRIES = 1 << 15;
/** What the kernel returns for a reference with more hits. */
const TOO_MANY = 0xffffffff;

const workspace = new Workspace();
/** Of the words of a query or of a reference; cleared after each use. */
const table = workspace.take(2 * (WORDS + MOST_ENTRIES));
workspace.bytes(table, 2 * WORDS).fill(0);
const out = workspace.take(8 * MOST_HITS);
const start = workspace.mark();
/** The query whose entries lie at `start`. */
let last: LocalQuery | undefined;

/** What a reference's features are compared by, 10 bytes each: the word as uint16, the signature as uint64. */
export type FeatureRecord = Uint8Array;

const FEATURE = 10;

/** @param looked  the features of a reference, one word each */
export function recordOf({ entries, features }: Entries): FeatureRecord {
  const record = new Uint8Array(FEATURE * features);
  for (let i = 0; i < features; i++) {
    record.set(entries.subarray(16 * i, 16 * i + 2), FEATURE * i);
    record.set(entries.subarray(16 * i + 8, 16 * i + 16), FEATURE * i + 2);
  }
  return record;
}

/**
 * The pairs of features of a query and of a reference with the same word and with signatures close by.
 * @param places  of the reference's features, as `packedPlaces` gives them
 */
export function correspond(query: LocalQuery, record: FeatureRecord, places: Uint32Array): Correspondences {
  const found = correspondencesOf(hitsOf(query, record), query.words, places);
  const { every } = query;
  return every === 1 ? found : { ...found, feature: found.feature.map((f) => every * f) };
}

/** Entry | distance << 16, and feature of each hit; a view that the next call overwrites. */
function hitsOf(query: LocalQuery, record: FeatureRecord): Uint32Array {
  const { kernels } = workspace;
  const { entries, features, words } = query;
  const n = record.length / FEATURE;
  workspace.release(start);
  const from = workspace.take(entries.length);
  if (query !== last) workspace.bytes(from, entries.length).set(entries);
  last = query;
  const held = workspace.put(record);
  kernels.chain(held, n, FEATURE, table);
  const count = kernels.hits(from, features * words, held, table, REACH, MOST_HITS, out);
  kernels.unchain(held, n, FEATURE, table);
  return workspace.integers(out, 2 * count);
}

/**
 * How much each of some references shares with a query, in the variant in which that is most: each feature gives the weight of its
 * best hit, once.
 * @param variants  at most three
 */
export function votesOf(variants: readonly LocalQuery[], records: readonly FeatureRecord[]): Float64Array {
  const { kernels } = workspace;
  const counts = [0, 1, 2].map((i) => variants[i]?.features ?? 0);
  const ends = Uint32Array.of(counts[0], counts[0] + counts[1], counts[0] + counts[1] + counts[2]);
  const [entries, weights] = [new Uint8Array(16 * QUERY_WORDS * ends[2]), new Uint16Array(QUERY_WORDS * ends[2])];
  variants.forEach((query, i) => {
    const first = QUERY_WORDS * (ends[i] - counts[i]);
    entries.set(query.entries, 16 * first);
    weights.set(query.weights, first);
  });
  workspace.release(start);
  last = undefined;
  const from = workspace.put(entries);
  kernels.chain(from, weights.length, 16, table);
  const about = [
    from,
    QUERY_WORDS,
    table,
    workspace.put(weights),
    workspace.put(WEIGHTS),
    REACH,
    workspace.put(ends),
  ] as const;
  const given = workspace.take(4 * ends[2]);
  workspace.integers(given, ends[2]).fill(0);
  const held = workspace.take(records.reduce((most, { length }) => Math.max(most, length), 0));
  const counted = records.map((record) => {
    workspace.bytes(held, record.length).set(record);
    return kernels.votesOf(...about, held, record.length / FEATURE, given, MOST_HITS) >>> 0;
  });
  kernels.unchain(from, weights.length, 16, table);
  return Float64Array.from(counted, (votes, i) =>
    votes === TOO_MANY ? Math.max(...variants.map((query) => votesOfFirst(query, records[i]))) : votes,
  );
}

/** The votes of the first hits, for a reference that has too many. */
function votesOfFirst(query: LocalQuery, record: FeatureRecord): number {
  const { features, words, weights } = query;
  const best = new Uint32Array(features);
  const hits = hitsOf(query, record);
  for (let i = 0; i < hits.length; i += 2) {
    const entry = hits[i] & 0xffff;
    const feature = Math.floor(entry / words);
    best[feature] = Math.max(best[feature], weights[entry] * WEIGHTS[hits[i] >>> 16]);
  }
  return best.reduce((sum, gain) => sum + gain, 0);
}
