/** Rows of a picture from `first` on, four bytes a pixel, the fourth unused. */
export type Rows = (first: number, count: number) => Uint8ClampedArray;

export interface Reduced {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

/** Reduced rows per reading; more would need more memory for a large picture. */
const BAND = 32;
/** Half the width of the kernel, in pixels of the reduced picture. */
const REACH = 3;

/**
 * Reduces a picture to `longestSide` as the service does: by Lanczos' kernel, first the columns, then the rows, each
 * rounded to bytes. Both use one factor; a remaining half pixel is split between both edges. From the same pixels, the
 * result differs from the service's by a grey level in some places, since libvips computes in integers.
 */
export function reduce(width: number, height: number, rows: Rows, longestSide: number): Reduced {
  const factor = Math.max(width, height) / longestSide;
  const [across, down] = [taps(width, factor), taps(height, factor)];
  const rgb = new Uint8Array(across.length * down.length * 3);
  const column = new Float32Array(width * 3);
  for (let band = 0; band < down.length; band += BAND) {
    const wanted = down.slice(band, band + BAND);
    const [first, last] = [wanted[0]!.first, wanted.at(-1)!];
    const source = rows(first, last.first + last.weights.length - first);
    for (const [i, { first: top, weights }] of wanted.entries()) {
      column.fill(0);
      for (const [k, weight] of weights.entries()) addRow(column, source, (top + k - first) * width * 4, weight);
      for (let x = 0; x < column.length; x++) column[x] = byte(column[x]!);
      reduceRow(rgb, (band + i) * across.length * 3, column, across);
    }
  }
  return { width: across.length, height: down.length, rgb };
}

/** The source pixels of one pixel of the reduced picture. */
interface Taps {
  readonly first: number;
  /** Sum up to 1. */
  readonly weights: Float64Array;
}

function taps(side: number, factor: number): Taps[] {
  const cell = Math.max(1, Math.floor(factor / 2)); // a large factor begins with means of this many pixels
  const cells = Math.ceil(side / cell);
  const step = factor / cell;
  const reduced = Math.max(1, Math.round(side / factor));
  const leftOver = (reduced * factor - side) / cell;
  return Array.from({ length: reduced }, (_, i) => {
    const middle = (i + 0.5) * step - 0.5 - leftOver / 2;
    const [lowest, highest] = [Math.ceil(middle - REACH * step), Math.floor(middle + REACH * step)];
    const first = clamp(clamp(lowest, cells) * cell, side);
    const last = clamp(clamp(highest, cells) * cell + cell - 1, side);
    const weights = new Float64Array(last - first + 1);
    for (let at = lowest; at <= highest; at++) {
      const weight = lanczos((at - middle) / step);
      // beyond the edge, the pixel at the edge is repeated
      for (let k = 0; k < cell; k++) weights[clamp(clamp(at, cells) * cell + k, side) - first]! += weight;
    }
    const sum = weights.reduce((sum, weight) => sum + weight, 0);
    return { first, weights: weights.map((weight) => weight / sum) };
  });
}

function addRow(column: Float32Array, source: Uint8ClampedArray, from: number, weight: number): void {
  for (let to = 0; to < column.length; to += 3, from += 4) {
    column[to]! += weight * source[from]!;
    column[to + 1]! += weight * source[from + 1]!;
    column[to + 2]! += weight * source[from + 2]!;
  }
}

function reduceRow(rgb: Uint8Array, to: number, row: Float32Array, across: readonly Taps[]): void {
  for (const { first, weights } of across) {
    let [red, green, blue] = [0, 0, 0];
    for (let k = 0, from = first * 3; k < weights.length; k++, from += 3) {
      const weight = weights[k]!;
      red += weight * row[from]!;
      green += weight * row[from + 1]!;
      blue += weight * row[from + 2]!;
    }
    rgb[to++] = byte(red);
    rgb[to++] = byte(green);
    rgb[to++] = byte(blue);
  }
}

function lanczos(x: number): number {
  if (x === 0) return 1;
  const angle = Math.PI * x;
  return Math.abs(x) < REACH ? (REACH * Math.sin(angle) * Math.sin(angle / REACH)) / (angle * angle) : 0;
}

function clamp(at: number, side: number): number {
  return Math.min(side - 1, Math.max(0, at));
}

function byte(value: number): number {
  return Math.min(255, Math.max(0, Math.floor(value + 0.5)));
}
