/** What is best of a list. */
export interface Best {
  /** How many values lie below the limit. */
  readonly found: number;
  /** Places in the list: the `most` lowest values, lowest first, and all further ones that equal the last; ties by place. */
  readonly places: Uint32Array;
}

const SCORE_BINS = 4096;

/**
 * Picks the lowest values without sorting all: they are counted in bins, and only those in the first bins that hold
 * enough are sorted.
 * @param values  none below 0
 * @param below   in (0, 1]; values of this or more do not count
 */
export function best(values: Float64Array, below: number, most: number): Best {
  const counts = new Uint32Array(SCORE_BINS);
  let found = 0;
  for (let i = 0; i < values.length; i++) {
    if (!(values[i] < below)) continue;
    counts[(values[i] * SCORE_BINS) | 0]++;
    found++;
  }
  if (most === 0) return { found, places: new Uint32Array(0) };

  let [bins, held] = [0, 0];
  while (held < Math.min(most, found)) held += counts[bins++];
  const places = new Uint32Array(held);
  for (let i = 0, k = 0; k < held; i++) {
    if (values[i] < below && ((values[i] * SCORE_BINS) | 0) < bins) places[k++] = i;
  }
  places.sort((a, b) => values[a] - values[b] || a - b);
  let end = Math.min(most, found);
  while (end < held && values[places[end]] === values[places[end - 1]]) end++;
  return { found, places: places.slice(0, end) };
}
