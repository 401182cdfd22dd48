/** Two codebooks of 256 centroids on 32 axes; [half][axis][centroid], [half][centroid][axis]. */
export interface Codebooks {
  readonly centroids: Float32Array;
  readonly norms: Float32Array;
  readonly medians: Float32Array;
}

export interface Word {
  readonly word: number;
  /** The sum of both distances, see `distances`. */
  readonly far?: number;
  readonly signature: bigint;
}

/** Twin of `unpack` in assembly/words.ts, for one code. */
export function unpack(code: Uint8Array, step: Float32Array): Float32Array {
  return step.map((width, axis) => (((code[axis >> 1] >> (4 * (axis & 1))) & 15) - 7.5) * width);
}

/** Twin of `words` in assembly/words.ts, for one vector. */
export function words(vector: Float32Array, codebooks: Codebooks, most: number): Word[] {
  const far = [distances(vector, codebooks, 0), distances(vector, codebooks, 1)];
  const [first, second] = far.map(threeNearest);
  return first
    .flatMap((a) => second.map((b) => ({ a, b, sum: Math.fround(far[0][a] + far[1][b]) })))
    .sort((one, other) => one.sum - other.sum) // stable: equal sums keep the order of (a, b)
    .slice(0, most)
    .map(({ a, b, sum }) => ({ word: 256 * a + b, far: sum, signature: signature(vector, codebooks, a, b) }));
}

/** |c|²/2 - x·c for the 256 centroids of one half: smaller is nearer. Rounded as floats are, axis by axis, so that words are exact. */
function distances(vector: Float32Array, { centroids, norms }: Codebooks, half: number): number[] {
  return Array.from({ length: 256 }, (_, c) => {
    let distance = norms[256 * half + c];
    for (let d = 0; d < 32; d++) {
      const product = Math.fround(vector[32 * half + d] * centroids[(32 * half + d) * 256 + c]);
      distance = Math.fround(distance - product);
    }
    return distance;
  });
}

function threeNearest(far: readonly number[]): number[] {
  return Array.from(far, (_, c) => c)
    .sort((a, b) => far[a] - far[b] || a - b)
    .slice(0, 3);
}

/** A bit for each axis: above the median of the centroid. */
function signature(vector: Float32Array, { medians }: Codebooks, a: number, b: number): bigint {
  let bits = 0n;
  for (let axis = 0; axis < 64; axis++) {
    const median = axis < 32 ? medians[32 * a + axis] : medians[32 * (256 + b) + axis - 32];
    if (vector[axis] > median) bits |= 1n << BigInt(axis);
  }
  return bits;
}
