/**
 * Small whole numbers, -most to most, out of a seed. Floats add and multiply them without rounding: kernel and twin must
 * agree exactly, and equal values and values on an edge are common.
 */
export function wholes(seed: number, length: number, most: number): Float32Array {
  let state = seed | 1;
  return Float32Array.from({ length }, () => {
    state = Math.imul(state, 1664525) + 1013904223;
    return ((state >>> 16) % (2 * most + 1)) - most;
  });
}
