import { type Color, MAX_COLORS } from '../dna/palette.ts';
import { distance, type Lab, oklab } from './oklab.ts';

/** Colours that fill less than this, in per cent, are left out. */
const MIN_SHARE_PERCENT = 1;
/** Starting points of clusters lie this far apart, tints stretched; so many at most. */
const SEED_DISTANCE = 0.08;
const MAX_SEEDS = 32;
/** Clusters nearer than this are one; those nearer than `MAX_MERGE_DISTANCE` are if colours run from one to the other without a gap. */
const MERGE_DISTANCE = 0.06;
const MAX_MERGE_DISTANCE = 0.13;
/** Root mean square of how far the pixels of one colour may lie from it, when clusters are joined. */
const MAX_MERGED_RMS = 0.065;
/** How much a difference of hue or chroma is stretched beside one of light: shades are one colour sooner than tints. */
const CHROMA_WEIGHT = 2;
/** A gap: between two clusters lies less than this share of what lies around the lesser of them. */
const MIN_DENSITY_BETWEEN = 0.4;
/** Side of the cells that pixels are counted in first. */
const LAB_CELL_SIDE = 0.015;
const KMEANS_ROUNDS = 8;

/** Pixels of nearly one colour. */
interface Cell {
  readonly lab: Lab;
  readonly rgb: Lab;
  readonly count: number;
}

interface Cluster extends Cell {
  readonly cells: readonly Cell[];
}

/**
 * The dominant colours of pixels (three bytes each), the largest first; shares are whole and sum to at most 100. Pixels are counted in
 * cells of OKLab; the fullest cells that lie apart start the clusters (k-means over cells). Shades that run into each
 * other become one colour, flat colours that are as near stay two. A small colour keeps its own cluster where it lies far
 * from the others, so that a red dot on grey is found.
 */
export function palette(pixels: Uint8Array): Color[] {
  const cells = counted(pixels);
  let clusters = starts(cells).map((cell) => joined([cell]));
  for (let round = 0; round < KMEANS_ROUNDS; round++) clusters = regrouped(cells, clusters);
  return colorsOf(merged(clusters), pixels.length / 3);
}

/** The cells that hold pixels, fullest first. */
function counted(pixels: Uint8Array): Cell[] {
  const cells = new Map<number, Cell[]>();
  for (let i = 0; i < pixels.length; i += 3) {
    const rgb: Lab = [pixels[i], pixels[i + 1], pixels[i + 2]];
    const lab = oklab(...rgb);
    const [L, a, b] = lab.map((value) => Math.floor(value / LAB_CELL_SIDE) + 64);
    const key = (L * 256 + a) * 256 + b;
    const cell = cells.get(key);
    const pixel = { lab, rgb, count: 1 };
    if (cell) cell.push(pixel);
    else cells.set(key, [pixel]);
  }
  return [...cells.entries()]
    .sort(([p, one], [q, other]) => other.length - one.length || p - q)
    .map(([, pixels]) => middle(pixels));
}

function starts(cells: readonly Cell[]): Cell[] {
  const chosen: Cell[] = [];
  for (const cell of cells) {
    if (chosen.length === MAX_SEEDS) break;
    if (chosen.every(({ lab }) => apart(lab, cell.lab) >= SEED_DISTANCE)) chosen.push(cell);
  }
  return chosen;
}

function regrouped(cells: readonly Cell[], clusters: readonly Cluster[]): Cluster[] {
  const members = clusters.map((): Cell[] => []);
  for (const cell of cells) members[nearest(cell.lab, clusters)].push(cell);
  return members.filter(({ length }) => length > 0).map(joined);
}

function nearest(lab: Lab, clusters: readonly Cluster[]): number {
  let [best, least] = [0, Infinity];
  clusters.forEach((cluster, k) => {
    const d = distance(lab, cluster.lab);
    if (d < least) [best, least] = [k, d];
  });
  return best;
}

/** The two nearest become one as long as they are one colour. */
function merged(clusters: readonly Cluster[]): Cluster[] {
  const left = [...clusters];
  for (;;) {
    const pairs = left
      .flatMap((one, i) => left.slice(i + 1).map((other, k) => ({ i, j: i + 1 + k, d: apart(one.lab, other.lab) })))
      .filter(({ d }) => d < MAX_MERGE_DISTANCE)
      .sort((p, q) => p.d - q.d || p.i - q.i || p.j - q.j);
    const best = pairs.find(
      ({ i, j, d }) => d < MERGE_DISTANCE || (runsOver(left[i], left[j]) && isTight(left[i], left[j])),
    );
    if (!best) return left;
    left[best.i] = joined([...left[best.i].cells, ...left[best.j].cells]);
    left.splice(best.j, 1);
  }
}

function apart(p: Lab, q: Lab): number {
  return distance(stretched(p), stretched(q));
}

function stretched([L, a, b]: Lab): Lab {
  return [L, CHROMA_WEIGHT * a, CHROMA_WEIGHT * b];
}

/** Whether the colours between two clusters are about as frequent as those around their centres. */
function runsOver(one: Cluster, other: Cluster): boolean {
  const start = stretched(one.lab);
  const axis = stretched(other.lab).map((value, k) => value - start[k]);
  const length = axis.reduce((sum, value) => sum + value * value, 0);
  const [first, between, last] = [0, 0.5, 1].map((centre) => {
    let count = 0;
    for (const { cells } of [one, other]) {
      for (const cell of cells) {
        const at = stretched(cell.lab);
        const place = axis.reduce((sum, value, k) => sum + value * (at[k] - start[k]), 0) / length;
        if (Math.abs(place - centre) < 0.25) count += cell.count;
      }
    }
    return count;
  });
  return between >= MIN_DENSITY_BETWEEN * Math.min(first, last);
}

function isTight(one: Cluster, other: Cluster): boolean {
  const both = joined([...one.cells, ...other.cells]);
  const squares = both.cells.reduce((sum, { lab, count }) => {
    const d = apart(lab, both.lab);
    return sum + count * d * d;
  }, 0);
  return squares <= MAX_MERGED_RMS * MAX_MERGED_RMS * both.count;
}

function joined(cells: readonly Cell[]): Cluster {
  return { ...middle(cells), cells };
}

function middle(parts: readonly Cell[]): Cell {
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const mean = (of: (part: Cell) => Lab): Lab => {
    const at = (k: number): number => parts.reduce((sum, part) => sum + part.count * of(part)[k], 0) / count;
    return [at(0), at(1), at(2)];
  };
  return { lab: mean(({ lab }) => lab), rgb: mean(({ rgb }) => rgb), count };
}

/** Shares are rounded down, and what that leaves goes to the largest remainders. */
function colorsOf(clusters: readonly Cluster[], pixels: number): Color[] {
  const exact = clusters
    .map(({ rgb: [r, g, b], count }) => ({
      rgb: (Math.round(r) << 16) | (Math.round(g) << 8) | Math.round(b),
      share: (100 * count) / pixels,
    }))
    .filter(({ share }) => share >= MIN_SHARE_PERCENT)
    .sort((a, b) => b.share - a.share || a.rgb - b.rgb)
    .slice(0, MAX_COLORS);
  const spare = Math.floor(exact.reduce((sum, { share }) => sum + share - Math.floor(share), 0));
  const rounded = exact
    .sort((a, b) => (b.share % 1) - (a.share % 1) || a.rgb - b.rgb)
    .map(({ rgb, share }, i) => ({ rgb, share: Math.floor(share) + (i < spare ? 1 : 0) }));
  return rounded.sort((a, b) => b.share - a.share || a.rgb - b.rgb);
}
