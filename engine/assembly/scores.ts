/** Scores below this one have a bin each, and higher ones share one bin with 2^9. */
const SINGLE_SCORE_BINS: u32 = 1 << 15;
const SCORE_BINS: u32 = 1 << 16;

// @ts-expect-error a decorator
@inline
function binOf(score: u32): u32 {
  return score < SINGLE_SCORE_BINS ? score : SINGLE_SCORE_BINS + min(SINGLE_SCORE_BINS - 1, score >> 9);
}

/**
 * The score of each slot: 1024 × votes / norm, rounded down; 0 where the norm is 0.
 *
 * @param slots  with votes, uint32
 * @param count  of these
 * @param votes  uint32 for each slot
 * @param norms  uint16 for each slot
 * @param scores uint32 for each of the slots listed
 * @param bins   2^16 uint32: how many scores each bin has, to which these are added
 */
export function scores(slots: usize, count: u32, votes: usize, norms: usize, scores: usize, bins: usize): void {
  for (let i: usize = 0; i < <usize>count; i++) {
    const slot = <usize>load<u32>(slots + 4 * i);
    const norm = load<u16>(norms + 2 * slot);
    const score = norm == 0 ? 0 : <u32>min((1024 * <f64>load<u32>(votes + 4 * slot)) / <f64>norm, <f64>u32.MAX_VALUE);
    store<u32>(scores + 4 * i, score);
    const bin = bins + 4 * <usize>binOf(score);
    store<u32>(bin, load<u32>(bin) + 1);
  }
}

/**
 * Lists the slots with the highest scores: at least `limit`, where there are so many above 0, and all that tie with the lowest of them.
 *
 * @param slots  uint32
 * @param count  of these
 * @param scores uint32 for each
 * @param bins   as `scores` left them
 * @param limit  above 0
 * @param least  above 0: slots of lower scores are not listed
 * @param out    room for all of them: (slot, score), both uint32
 * @returns how many there are
 */
export function select(
  slots: usize,
  count: u32,
  scores: usize,
  bins: usize,
  limit: u32,
  least: u32,
  out: usize,
): u32 {
  let bin = SCORE_BINS;
  for (let held: u32 = 0; bin > 1 && held < limit;) held += load<u32>(bins + 4 * <usize>--bin);
  let to = out;
  for (let i: usize = 0; i < <usize>count; i++) {
    const score = load<u32>(scores + 4 * i);
    if (score < least || binOf(score) < bin) continue;
    store<u32>(to, load<u32>(slots + 4 * i));
    store<u32>(to, score, 4);
    to += 8;
  }
  return <u32>((to - out) >> 3);
}
