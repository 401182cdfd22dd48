/** For each value of each byte of a signature some of its bits, in another order. */
export type BitsTable = Uint32Array;

/** @param axes  at most 32; the first gives the lowest bit */
export function bitsTable(axes: readonly number[]): BitsTable {
  const table = new Uint32Array(8 * 256);
  axes.forEach((axis, k) => {
    for (let value = 0; value < 256; value++) table[256 * (axis >> 3) + value] |= ((value >> (axis & 7)) & 1) << k;
  });
  return table;
}

/** Picks bits of a signature. @param low  axes 0 to 31 @param high  axes 32 to 63 */
export function bitsOf(table: BitsTable, low: number, high: number): number {
  return (
    table[low & 255] |
    table[256 + ((low >>> 8) & 255)] |
    table[512 + ((low >>> 16) & 255)] |
    table[768 + (low >>> 24)] |
    table[1024 + (high & 255)] |
    table[1280 + ((high >>> 8) & 255)] |
    table[1536 + ((high >>> 16) & 255)] |
    table[1792 + (high >>> 24)]
  );
}
