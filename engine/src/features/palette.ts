import { distance, type Lab, oklab } from './oklab.ts';

/** A colour, 0xrrggbb, and how much of the picture it fills, in per cent. */
export interface Color {
  readonly rgb: number;
  readonly share: number;
}

/** A colour that fills less than this, in per cent, is not told. */
const LEAST = 1;
export const MOST_COLORS = 16;
/** Starting points of clusters lie this far apart, in OKLab, and clusters nearer than this are one. */
const APART = 0.1;
const SAME = 0.075;
/** Side of the cells that pixels are counted in first. */
const STEP = 0.03;
const ROUNDS = 8;

interface Cluster {
  readonly lab: Lab;
  readonly rgb: Lab;
  readonly count: number;
}

/**
 * The dominant colours of pixels (three bytes each), the largest first; shares are whole and sum to at most 100. Pixels are counted in
 * cells of OKLab; the fullest cells that lie apart start the clusters (k-means over cells), near ones become one. A
 * small colour keeps its own cluster where it lies far from the others, so that a red dot on grey is told.
 */
export function palette(pixels: Uint8Array): Color[] {
  const cells = counted(pixels);
  let clusters = starts(cells);
  for (let round = 0; round < ROUNDS; round++) clusters = regrouped(cells, clusters);
  return told(merged(clusters), pixels.length / 3);
}

/** The cells that hold pixels, fullest first. */
function counted(pixels: Uint8Array): Cluster[] {
  const cells = new Map<number, Cluster[]>();
  for (let i = 0; i < pixels.length; i += 3) {
    const rgb: Lab = [pixels[i], pixels[i + 1], pixels[i + 2]];
    const lab = oklab(...rgb);
    const [L, a, b] = lab.map((value) => Math.floor(value / STEP) + 64);
    const key = (L * 128 + a) * 128 + b;
    const cell = cells.get(key);
    const pixel = { lab, rgb, count: 1 };
    if (cell) cell.push(pixel);
    else cells.set(key, [pixel]);
  }
  return [...cells.entries()]
    .sort(([p, one], [q, other]) => other.length - one.length || p - q)
    .map(([, pixels]) => joined(pixels));
}

function starts(cells: readonly Cluster[]): Cluster[] {
  const chosen: Cluster[] = [];
  for (const cell of cells) {
    if (chosen.length === MOST_COLORS) break;
    if (chosen.every(({ lab }) => distance(lab, cell.lab) >= APART)) chosen.push(cell);
  }
  return chosen;
}

function regrouped(cells: readonly Cluster[], clusters: readonly Cluster[]): Cluster[] {
  const members = clusters.map((): Cluster[] => []);
  for (const cell of cells) members[nearest(cell.lab, clusters)].push(cell);
  return members.filter(({ length }) => length > 0).map(joined);
}

function nearest(lab: Lab, clusters: readonly Cluster[]): number {
  let best = 0;
  for (let k = 1; k < clusters.length; k++) {
    if (distance(lab, clusters[k].lab) < distance(lab, clusters[best].lab)) best = k;
  }
  return best;
}

/** The two nearest become one as long as they are nearly the same. */
function merged(clusters: readonly Cluster[]): Cluster[] {
  const left = [...clusters];
  for (;;) {
    let best: { i: number; j: number; d: number } | undefined;
    for (let i = 0; i < left.length; i++) {
      for (let j = i + 1; j < left.length; j++) {
        const d = distance(left[i].lab, left[j].lab);
        if (d < SAME && (!best || d < best.d)) best = { i, j, d };
      }
    }
    if (!best) return left;
    left[best.i] = joined([left[best.i], left[best.j]]);
    left.splice(best.j, 1);
  }
}

function joined(parts: readonly Cluster[]): Cluster {
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const mean = (of: (part: Cluster) => Lab): Lab => {
    const at = (k: number): number => parts.reduce((sum, part) => sum + part.count * of(part)[k], 0) / count;
    return [at(0), at(1), at(2)];
  };
  return { lab: mean(({ lab }) => lab), rgb: mean(({ rgb }) => rgb), count };
}

/** Shares are rounded down, and what that leaves goes to the largest remainders. */
function told(clusters: readonly Cluster[], pixels: number): Color[] {
  const exact = clusters
    .map(({ rgb: [r, g, b], count }) => ({
      rgb: (Math.round(r) << 16) | (Math.round(g) << 8) | Math.round(b),
      share: (100 * count) / pixels,
    }))
    .filter(({ share }) => share >= LEAST);
  const spare = Math.floor(exact.reduce((sum, { share }) => sum + share - Math.floor(share), 0));
  const rounded = exact
    .sort((a, b) => (b.share % 1) - (a.share % 1) || a.rgb - b.rgb)
    .map(({ rgb, share }, i) => ({ rgb, share: Math.floor(share) + (i < spare ? 1 : 0) }));
  return rounded.sort((a, b) => b.share - a.share || a.rgb - b.rgb);
}
