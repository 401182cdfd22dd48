import { distance, type Lab, oklab } from './oklab.ts';

/** Two colours nearer than this, in OKLab, are one in a palette of many pictures, and when one is searched for. */
export const SAME_COLOR_DISTANCE = 0.08;

/** Cells that the colours of many pictures are counted in: four bits of each channel. */
const RGB_CELLS = 4096;

/** A colour of many pictures. */
export interface Prevalent {
  /** 0xrrggbb */
  readonly rgb: number;
  /** How many of the pictures contain it, or one that is nearly the same. */
  readonly images: number;
}

/**
 * What pictures hold of each cell: the sums of share, share * red, share * green, share * blue, RGB_CELLS numbers each. Those
 * of several sets of pictures may be added.
 */
export type Fill = Float64Array;

/** Of no picture. */
export function emptyFill(): Fill {
  return new Float64Array(4 * RGB_CELLS);
}

/** Adds a picture. @param codes  its `n` colours from `start` on, as 256 times the colour plus its share */
export function addFill(fill: Fill, codes: Uint32Array, start: number, n: number): void {
  for (let i = start; i < start + n; i++) {
    const code = codes[i];
    const cell = cellOf(code);
    const share = code & 255;
    fill[cell] += share;
    fill[RGB_CELLS + cell] += share * (code >>> 24);
    fill[2 * RGB_CELLS + cell] += share * ((code >>> 16) & 255);
    fill[3 * RGB_CELLS + cell] += share * ((code >>> 8) & 255);
  }
}

/** The colours that represent the cells. */
export interface Grouping {
  /** 0xrrggbb, of each group. */
  readonly colors: readonly number[];
  /** The group of each cell; -1 for a cell that holds nothing. */
  readonly groups: Int16Array;
}

/** The cells that fill most, and are not nearly the same as one before, give the colours; every other cell counts for the nearest. */
export function grouped(fill: Fill): Grouping {
  const groups = new Int16Array(RGB_CELLS).fill(-1);
  const chosen: { lab: Lab; rgb: number }[] = [];
  for (const { cell, rgb } of filled(fill)) {
    const lab = oklab(rgb >> 16, (rgb >> 8) & 255, rgb & 255);
    let [best, nearest] = [-1, SAME_COLOR_DISTANCE];
    chosen.forEach((other, k) => {
      const d = distance(lab, other.lab);
      if (d < nearest) [best, nearest] = [k, d];
    });
    groups[cell] = best < 0 ? chosen.push({ lab, rgb }) - 1 : best;
  }
  return { colors: chosen.map(({ rgb }) => rgb), groups };
}

/** How many pictures hold a colour of each group. Counts of several sets of pictures may be added. */
export class Holders {
  readonly counts: Uint32Array;
  readonly #groups: Int16Array;
  /** The last picture that was counted for each group. */
  readonly #last: Int32Array;
  #picture = 0;

  constructor({ colors, groups }: Grouping) {
    this.counts = new Uint32Array(colors.length);
    this.#last = new Int32Array(colors.length).fill(-1);
    this.#groups = groups;
  }

  /** Counts a picture. @param codes  as for `addFill` */
  add(codes: Uint32Array, start: number, n: number): void {
    const picture = this.#picture++;
    for (let i = start; i < start + n; i++) {
      const group = this.#groups[cellOf(codes[i])];
      if (group < 0 || this.#last[group] === picture) continue;
      this.#last[group] = picture;
      this.counts[group]++;
    }
  }
}

/** The colours that most pictures contain, those of most pictures first. */
export function prevalent({ colors }: Grouping, counts: Uint32Array): Prevalent[] {
  return colors.map((rgb, k) => ({ rgb, images: counts[k] })).sort((a, b) => b.images - a.images || a.rgb - b.rgb);
}

/** The cells that hold colours, those that fill most first, each with the mean of its colours. */
function filled(fill: Fill): { cell: number; rgb: number }[] {
  const cells = Array.from({ length: RGB_CELLS }, (_, cell) => cell).filter((cell) => fill[cell] > 0);
  cells.sort((a, b) => fill[b] - fill[a] || a - b);
  return cells.map((cell) => {
    const [red, green, blue] = [1, 2, 3].map((k) => Math.round(fill[k * RGB_CELLS + cell] / fill[cell]));
    return { cell, rgb: (red << 16) | (green << 8) | blue };
  });
}

function cellOf(code: number): number {
  return ((code >>> 20) & 0xf00) | ((code >>> 16) & 0xf0) | ((code >>> 12) & 0xf);
}
