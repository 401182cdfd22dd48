/** Words looked up for a feature, and bits of its signature that a term has beside its word. */
const WORDS_PER_FEATURE = 3;
const TERM_BITS = 12;
/** The largest number of terms of a feature. */
const MAX_TERMS = 64;
/** A bit costs this at most, a word this. */
const MAX_BIT_COST = 255;
const MAX_WORD_COST = 4095;

/** Bits of a word in the order of their costs. */
const costs: StaticArray<i32> = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
const flips: StaticArray<i32> = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
/** Sets of flipped bits: cost << 12 | bits; two of them for each word, which are merged into each other. */
const sets = memory.data(4 * MAX_TERMS * (WORDS_PER_FEATURE + 1), 4);

/**
 * The likeliest terms of features. A term is a word and 12 bits of the signature: word << 12 | bits. The same feature of another
 * picture may have another near word, and other bits where it lies close to their medians. What each change costs is a whole number,
 * -log(likelihood) in 1/32; the cheapest terms are chosen.
 *
 * Equal costs are in order of the words, then without the dearest bit flipped before with it.
 *
 * @param vectors   n × 64 floats
 * @param entries   n × 3 × 16 bytes, as `words` writes them
 * @param medians   as for `words`
 * @param bits      12 × (axis as uint32, what a unit of distance from the median costs as float32)
 * @param nearness  3 × (what the word costs as uint32, what a unit of further distance costs as float32)
 * @param most      terms a feature, 1 to 64
 * @param out       n × most × uint32, cheapest first
 */
export function terms(
  vectors: usize,
  n: i32,
  entries: usize,
  medians: usize,
  bits: usize,
  nearness: usize,
  most: i32,
  out: usize,
): void {
  for (let i = 0; i < n; i++) {
    const vector = vectors + ((<usize>i) << 8);
    const first = entries + <usize>(16 * WORDS_PER_FEATURE * i);
    for (let k = 0; k < WORDS_PER_FEATURE; k++) {
      const entry = first + <usize>(16 * k);
      const further = <i32>((load<f32>(entry, 4) - load<f32>(first, 4)) * load<f32>(nearness + <usize>(8 * k), 4));
      const start = <i32>load<u32>(nearness + <usize>(8 * k)) + further;
      const own = order(vector, load<u32>(entry), load<u64>(entry, 8), medians, bits);
      enumerate(min(start, MAX_WORD_COST), own, most, listOf(k));
    }
    choose(first, most, out + ((<usize>(most * i)) << 2));
  }
}

function listOf(k: i32): usize {
  return sets + <usize>(4 * MAX_TERMS * k);
}

/** Sorts the bits by what flipping them costs; the bits of the signature are returned. */
function order(vector: usize, word: u32, signature: u64, medians: usize, bits: usize): i32 {
  let own = 0;
  for (let b = 0; b < TERM_BITS; b++) {
    const axis = load<u32>(bits + <usize>(8 * b));
    const half = axis >> 5;
    const centroid = half ? 256 + (word & 255) : word >> 8;
    const median = load<f32>(medians + ((<usize>((centroid << 5) + (axis & 31))) << 2));
    const margin = abs<f32>(load<f32>(vector + ((<usize>axis) << 2)) - median);
    const cost = <i32>min<f32>(margin * load<f32>(bits + <usize>(8 * b), 4), <f32>MAX_BIT_COST);
    own |= (<i32>(signature >> axis) & 1) << b;
    let at = b;
    for (; at > 0 && unchecked(costs[at - 1]) > cost; at--) {
      unchecked((costs[at] = costs[at - 1]));
      unchecked((flips[at] = flips[at - 1]));
    }
    unchecked((costs[at] = cost));
    unchecked((flips[at] = 1 << b));
  }
  return own;
}

/** The `most` cheapest sets of flipped bits, cheapest first. */
function enumerate(start: i32, own: i32, most: i32, list: usize): void {
  const spare = listOf(WORDS_PER_FEATURE);
  store<u32>(list, (start << TERM_BITS) | own);
  let count = 1;
  for (let b = 0; b < TERM_BITS; b++) {
    const cost = unchecked(costs[b]) << TERM_BITS;
    const flip = unchecked(flips[b]);
    // as dear as the last: neither this bit nor a later one adds a set
    if (count == most && costOf(list, 0) + cost >= costOf(list, count - 1)) return;
    memory.copy(spare, list, 4 * <usize>count);
    const end = min(2 * count, most);
    for (let i = 0, without = 0, flipped = 0; i < end; i++) {
      if (without < count && (flipped >= count || costOf(spare, without) <= costOf(spare, flipped) + cost)) {
        store<u32>(list + ((<usize>i) << 2), load<u32>(spare + ((<usize>without) << 2)));
        without++;
      } else {
        const set = load<u32>(spare + ((<usize>flipped) << 2));
        store<u32>(list + ((<usize>i) << 2), (set + cost) ^ flip);
        flipped++;
      }
    }
    count = end;
  }
}

/** Without its bits, in the upper places. */
function costOf(list: usize, i: i32): i32 {
  return <i32>load<u32>(list + ((<usize>i) << 2)) & ~((1 << TERM_BITS) - 1);
}

/** Merges the sets of the three words. */
function choose(first: usize, most: i32, out: usize): void {
  let a = 0;
  let b = 0;
  let c = 0;
  for (let i = 0; i < most; i++) {
    const x = costOf(listOf(0), a);
    const y = costOf(listOf(1), b);
    const z = costOf(listOf(2), c);
    let k: i32;
    let at: i32;
    if (x <= y && x <= z) {
      k = 0;
      at = a++;
    } else if (y <= z) {
      k = 1;
      at = b++;
    } else {
      k = 2;
      at = c++;
    }
    const set = load<u32>(listOf(k) + ((<usize>at) << 2));
    store<u32>(out + ((<usize>i) << 2), (load<u32>(first + <usize>(16 * k)) << TERM_BITS) | (set & ((1 << TERM_BITS) - 1)));
  }
}
