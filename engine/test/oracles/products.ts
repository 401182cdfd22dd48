/** Twin of assembly/products.ts, for rows that are whole. */
export function products(rows: readonly Uint8Array[]): number[] {
  return rows.flatMap((a) => rows.map((b) => a.reduce((sum, value, k) => sum + (value - 128) * (b[k] - 128), 0)));
}
