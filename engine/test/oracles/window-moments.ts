/** Variances of two planes and their covariance. */
export interface Moments {
  readonly one: number;
  readonly other: number;
  readonly both: number;
}

/** The number of cells, both values, both squares, the product. */
const MOMENT_COUNT = 6;

/** Moments of two planes over windows, by a table of sums. F. Crow, "Summed-area tables for texture mapping", SIGGRAPH 1984. */
export class WindowMoments {
  readonly #width: number;
  readonly #height: number;
  /** Six sums for each corner of a cell, of all cells above and to the left. */
  readonly #table: Float64Array;
  readonly #sums = new Float64Array(MOMENT_COUNT);

  /** Cells that are NaN in `other` are left out. */
  constructor(one: Float64Array, other: Float64Array, width: number, height: number) {
    this.#width = width;
    this.#height = height;
    this.#table = new Float64Array(MOMENT_COUNT * (width + 1) * (height + 1));
    const table = this.#table;
    const pitch = MOMENT_COUNT * (width + 1);
    for (let y = 0; y < height; y++) {
      const row = new Float64Array(MOMENT_COUNT);
      for (let x = 0; x < width; x++) {
        const a = one[width * y + x];
        const b = other[width * y + x];
        if (!Number.isNaN(b)) {
          row[0]++;
          row[1] += a;
          row[2] += b;
          row[3] += a * a;
          row[4] += b * b;
          row[5] += a * b;
        }
        const at = pitch * (y + 1) + MOMENT_COUNT * (x + 1);
        for (let k = 0; k < MOMENT_COUNT; k++) table[at + k] = table[at + k - pitch] + row[k];
      }
    }
  }

  /** Over the cells from (left, top) to before (right, bottom), cut at the border; at least one of them counts. */
  within(left: number, top: number, right: number, bottom: number): Moments {
    const table = this.#table;
    const pitch = MOMENT_COUNT * (this.#width + 1);
    const x0 = MOMENT_COUNT * Math.max(0, left);
    const x1 = MOMENT_COUNT * Math.min(this.#width, right);
    const y0 = pitch * Math.max(0, top);
    const y1 = pitch * Math.min(this.#height, bottom);
    for (let k = 0; k < MOMENT_COUNT; k++) {
      this.#sums[k] = table[y1 + x1 + k] - table[y0 + x1 + k] - table[y1 + x0 + k] + table[y0 + x0 + k];
    }
    const sums = this.#sums;
    const n = sums[0];
    const a = sums[1] / n;
    const b = sums[2] / n;
    return {
      one: Math.max(0, sums[3] / n - a * a),
      other: Math.max(0, sums[4] / n - b * b),
      both: sums[5] / n - a * b,
    };
  }
}
