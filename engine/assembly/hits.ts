/** Words of the vocabulary. */
const WORD_COUNT: usize = 1 << 16;
const CHAIN_END: u16 = 0;

/**
 * A table of the words of some features, for `hits` and `votesOf`: the first feature of each word, then the next of each feature; all
 * counted from 1, in ascending order.
 *
 * @param words  n × uint16, `pitch` bytes apart
 * @param table  2 × (65,536 + n) bytes; the first 65,536 numbers are 0
 */
export function chain(words: usize, n: i32, pitch: usize, table: usize): void {
  for (let i = n - 1; i >= 0; i--) {
    const head = table + 2 * <usize>load<u16>(words + pitch * <usize>i);
    store<u16>(table + 2 * (WORD_COUNT + <usize>i), load<u16>(head));
    store<u16>(head, <u16>(i + 1));
  }
}

/** Clears the numbers that `chain` has set for the same words. */
export function unchain(words: usize, n: i32, pitch: usize, table: usize): void {
  for (let i = 0; i < n; i++) store<u16>(table + 2 * <usize>load<u16>(words + pitch * <usize>i), CHAIN_END);
}

/**
 * The pairs of an entry of a query and a feature of a reference that have the same word and signatures close by, by entry, and for
 * an entry in the order of the features; at most `most`.
 *
 * @param entries     count × 16 bytes, as `words` writes them
 * @param signatures  of the features, uint64
 * @param table       made by `chain` for the features
 * @param out         most × 2 uint32: entry | distance << 16, feature
 * @returns how many were written
 */
export function hits(
  entries: usize,
  count: i32,
  signatures: usize,
  table: usize,
  reach: i32,
  most: i32,
  out: usize,
): i32 {
  let found = 0;
  for (let e = 0; e < count; e++) {
    const entry = entries + 16 * <usize>e;
    let at = load<u16>(table + 2 * <usize>load<u32>(entry));
    if (at == CHAIN_END) continue;
    const signature = load<u64>(entry, 8);
    while (at != CHAIN_END) {
      const i = <usize>at - 1;
      const off = <i32>popcnt<u64>(load<u64>(signatures + 8 * i) ^ signature);
      if (off <= reach) {
        if (found == most) return found;
        store<u32>(out + 8 * <usize>found, (<u32>e) | ((<u32>off) << 16));
        store<u32>(out + 8 * <usize>found, <u32>i, 4);
        found++;
      }
      at = load<u16>(table + 2 * (WORD_COUNT + i));
    }
  }
  return found;
}

/** Hits and votes of the variants. */
const found: StaticArray<u32> = [0, 0, 0];
const votes: StaticArray<u32> = [0, 0, 0];

/** A query whose votes are counted, 36 bytes. */
// @ts-expect-error a decorator
@unmanaged
class VoteQuery {
  /** Entries of all variants, one after the other, 16 bytes each. */
  entries: usize;
  /** Entries of a feature. */
  entriesPerFeature: u32;
  /** Made by `chain` for the entries. */
  table: usize;
  /** Of each entry, uint16. */
  weights: usize;
  /** The weight of each distance, (maxDistance + 1) × uint16. */
  distanceWeights: usize;
  maxDistance: u32;
  /** 3 × uint32: the end of the features of each variant. */
  ends: usize;
  /** uint32 for each feature; all 0 before and after a call. */
  best: usize;
  /** Hits of a variant. */
  maxHits: u32;
}

/**
 * The votes of references in the variant in which they are most: each feature of the query gives the largest weight of its hits, once. A
 * hit weighs the weight of its entry times that of its distance.
 *
 * @param query      a `VoteQuery`
 * @param records    of each reference `head` bytes, then n words as uint16, then n signatures as uint64
 * @param features   n of each, uint16
 * @param out        for each the votes as uint32; the largest number where a variant has more hits than the query allows
 */
export function votesOf(query: usize, records: usize, head: usize, features: usize, count: i32, out: usize): void {
  let record = records;
  for (let i: usize = 0; i < <usize>count; i++) {
    const n = <i32>load<u16>(features + 2 * i);
    record += head;
    store<u32>(out + 4 * i, votesOfOne(changetype<VoteQuery>(query), record, n));
    record += 10 * <usize>n;
  }
}

function votesOfOne(query: VoteQuery, features: usize, n: i32): u32 {
  for (let v = 0; v < 3; v++) {
    unchecked((found[v] = 0));
    unchecked((votes[v] = 0));
  }
  const entries = query.entries;
  const entriesPerFeature = query.entriesPerFeature;
  const table = query.table;
  const weights = query.weights;
  const distanceWeights = query.distanceWeights;
  const maxDistance = query.maxDistance;
  const best = query.best;
  const first = load<u32>(query.ends);
  const second = load<u32>(query.ends, 4);
  for (let i = 0; i < n; i++) {
    let at = load<u16>(table + 2 * <usize>load<u16>(features + 2 * <usize>i));
    if (at == CHAIN_END) continue;
    const signature = load<u64>(features + 2 * <usize>n + 8 * <usize>i);
    while (at != CHAIN_END) {
      const e = <usize>at - 1;
      const distance = <u32>popcnt<u64>(load<u64>(entries + 16 * e, 8) ^ signature);
      if (distance <= maxDistance) {
        const feature = <u32>e / entriesPerFeature;
        const v = <i32>(feature >= first) + <i32>(feature >= second);
        unchecked(found[v]++);
        const gain = <u32>load<u16>(weights + 2 * e) * <u32>load<u16>(distanceWeights + 2 * <usize>distance);
        const given = best + 4 * <usize>feature;
        const before = load<u32>(given);
        if (gain > before) {
          unchecked((votes[v] += gain - before));
          store<u32>(given, gain);
        }
      }
      at = load<u16>(table + 2 * (WORD_COUNT + e));
    }
  }
  memory.fill(best, 0, 4 * <usize>load<u32>(query.ends, 8));
  let highest: u32 = 0;
  for (let v = 0; v < 3; v++) {
    if (unchecked(found[v]) > query.maxHits) return u32.MAX_VALUE;
    highest = max(highest, unchecked(votes[v]));
  }
  return highest;
}
