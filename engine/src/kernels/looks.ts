/** Twin of assembly/looks.ts, for one entry. */
export function looks(entry: Uint8Array, query: Uint8Array): number[] {
  const sum = (from: number, to: number, term: (x: number, y: number) => number): number => {
    let total = 0;
    for (let k = from; k < to; k++) total += term(entry[k], query[k]);
    return total;
  };
  const product = (x: number, y: number): number => signed(x) * signed(y);
  const apart = (x: number, y: number): number => Math.abs(x - y);
  return [sum(0, 96, product), sum(96, 192, product), sum(192, 304, apart), sum(304, 352, apart)];
}

function signed(byte: number): number {
  return (byte << 24) >> 24;
}
