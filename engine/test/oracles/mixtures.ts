const { fround, sqrt } = Math;

/** Colours of a picture as the columns of an entry: L, a, b and share. */
export type Columns = readonly [L: number[], a: number[], b: number[], share: number[]];

/** Twin of assembly/mixtures.ts, for one entry. */
export function mixture(query: Columns, entry: Columns): number {
  const all = product(query, query) + product(entry, entry);
  return all > 0 ? sqrt(Math.max(0, all - 2 * product(query, entry)) / all) : 0;
}

/** In 32 bits up to the four sums of each colour of `f`, in 64 bits from there on. */
function product(f: Columns, g: Columns): number {
  let sum = 0;
  f[3].forEach((share, i) => {
    const near = [0, 0, 0, 0];
    g[3].forEach((other, j) => {
      const [x, y, z] = [0, 1, 2].map((column) => {
        const difference = fround(f[column][i] - g[column][j]);
        return fround(difference * difference);
      });
      const r = Math.min(1, fround(fround(sqrt(fround(fround(x + y) + z))) / fround(0.4)));
      const rest = fround(1 - r);
      const square = fround(rest * rest);
      const likeness = fround(fround(square * square) * fround(fround(4 * r) + 1));
      near[j % 4] = fround(near[j % 4] + fround(other * likeness));
    });
    sum += share * (near[0] + near[2] + (near[1] + near[3]));
  });
  return sum;
}
