import type { Steps } from '@sosia/engine';

/** Numbers between two steps; as many are sorted at once. */
const RECORDS_PER_STEP = 4096;

/** The numbers from 0 to `count` - 1 in the order of `compare`: a merge sort in steps of some milliseconds. */
export function* sorted(count: number, compare: (a: number, b: number) => number): Steps<Uint32Array> {
  let from = Uint32Array.from({ length: count }, (_, i) => i);
  let to = new Uint32Array(count);
  for (let start = 0; start < count; start += RECORDS_PER_STEP) {
    from.subarray(start, start + RECORDS_PER_STEP).sort(compare);
    yield;
  }
  for (let width = RECORDS_PER_STEP; width < count; width *= 2) {
    for (let start = 0; start < count; start += 2 * width) {
      const middle = Math.min(start + width, count);
      const end = Math.min(middle + width, count);
      for (let i = start, left = start, right = middle; i < end; i++) {
        const isLeft = right === end || (left < middle && compare(from[left]!, from[right]!) <= 0);
        to[i] = isLeft ? from[left++]! : from[right++]!;
        if (i % RECORDS_PER_STEP === 0) yield;
      }
    }
    [from, to] = [to, from];
  }
  return from;
}
