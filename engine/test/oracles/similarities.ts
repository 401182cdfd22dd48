/** Twin of assembly/similarities.ts, for one entry. */
export function similarity(entry: Uint8Array, query: Uint8Array, weight: number): number {
  const sum = (from: number, to: number, term: (x: number, y: number) => number): number => {
    let total = 0;
    for (let k = from; k < to; k++) total += term(entry[k], query[k]);
    return total;
  };
  const product = (x: number, y: number): number => signed(x) * signed(y);
  const apart = (x: number, y: number): number => Math.abs(x - y);
  const [lengths, sums] = [0, 1].map((k) => integers(entry)[k] + integers(query)[k]);

  const shape = Math.max(0, 0.5 - (sum(16, 128, product) + Math.abs(sum(128, 208, product))) / lengths);
  const layout = Math.min(1, sum(320, 368, apart) / (48 * 60));
  const different = 0.6 * (sum(208, 320, apart) / Math.max(1, sums)) + 0.4 * layout;
  const square = different * different;
  const color = (1601 * square) / (3200 * square + 2);
  return (1 - weight) * shape + weight * color;
}

/** Twin of `vectorSimilarities`, for one entry. */
export function vectorSimilarity(entry: Uint8Array, query: Uint8Array, weight: number): number {
  // an entry without a shape has the score of its colours where the weight is 1
  const asShape = (bytes: Uint8Array): Uint8Array =>
    Uint8Array.of(...bytes.subarray(0, 16), ...new Uint8Array(192), ...bytes.subarray(16, 176));
  const color = similarity(asShape(entry), asShape(query), 1);
  let product = 0;
  for (let k = 176; k < entry.length; k++) product += signed(entry[k]) * signed(query[k]);
  const vector = Math.max(0, 0.5 - (0.5 * product) / Math.sqrt(integers(entry)[0] * integers(query)[0]));
  return (1 - weight) * vector + weight * color;
}

function integers(entry: Uint8Array): Int32Array {
  return new Int32Array(entry.slice(0, 8).buffer);
}

function signed(byte: number): number {
  return (byte << 24) >> 24;
}
