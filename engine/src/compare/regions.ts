import { largest, means } from '../pixels/neighbourhood.ts';

/** A place where the pictures differ, in pixels of the grid; right and bottom are exclusive. */
export interface Region {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** Pixels that differ. */
  readonly area: number;
  /** Their mean difference, 0 to 255. */
  readonly strength: number;
}

export interface Regions {
  /** In the order of area times strength, the largest first. */
  readonly regions: readonly Region[];
  /** For each pixel the place of its region in `regions` plus one; 0 where the pictures are the same. */
  readonly labels: Uint16Array;
}

/** A region begins where the evened difference is this large … */
const SEED = 14;
/** … and goes as far as it is this large. */
const EDGE = 5;
/** Differences closer than twice this share of the long side are one. */
const GAP = 0.012;
/** Least mass of a region (difference times pixels) as a share of the picture's area, and at least. */
const MASS = 0.012;
const LEAST_MASS = 120;
/** Most regions in a result. */
const MOST = 100;

/**
 * Groups what differs and drops what noise explains: specks, and differences no stronger than those around them.
 * @param difference  0 to 255 a pixel, row-major
 * @param enlarged    how many of these pixels a pixel of the pictures is wide, where it is more than one
 * @param sure        not 0 where a difference counts, however small it is
 */
export function regionsOf(
  difference: Float32Array,
  width: number,
  height: number,
  enlarged = 1,
  sure?: Float32Array,
): Regions {
  const long = Math.max(width, height);
  const even = means(difference, width, height, long >= 200 ? 2 : long >= 60 ? 1 : 0);
  const gap = Math.max(1, Math.round(GAP * long));
  const marked = even.map((value) => (value >= EDGE ? 1 : 0));
  const groups = connected(largest(marked, width, height, gap), width, height);
  const least = Math.max(LEAST_MASS * enlarged * enlarged, MASS * width * height);
  const grown = Array.from({ length: groups.count }, () => new Growing());
  for (let i = 0; i < even.length; i++) {
    if (marked[i])
      grown[groups.labels[i] - 1].add(i % width, Math.floor(i / width), even[i], sure !== undefined && sure[i] > 0);
  }
  const kept = grown
    .map((region, group) => ({ region, group }))
    .filter(({ region }) => region.sure || (region.peak >= SEED && region.mass >= least))
    .sort((a, b) => b.region.mass - a.region.mass || a.group - b.group)
    .slice(0, MOST);
  const places = new Uint16Array(groups.count + 1);
  kept.forEach(({ group }, place) => (places[group + 1] = place + 1));
  const labels = new Uint16Array(even.length);
  for (let i = 0; i < even.length; i++) if (marked[i]) labels[i] = places[groups.labels[i]];
  return { regions: kept.map(({ region }) => region.region()), labels };
}

class Growing {
  left = Infinity;
  top = Infinity;
  right = 0;
  bottom = 0;
  area = 0;
  mass = 0;
  peak = 0;
  sure = false;

  add(x: number, y: number, value: number, sure: boolean): void {
    if (sure) this.sure = true;
    this.left = Math.min(this.left, x);
    this.top = Math.min(this.top, y);
    this.right = Math.max(this.right, x + 1);
    this.bottom = Math.max(this.bottom, y + 1);
    this.area++;
    this.mass += value;
    this.peak = Math.max(this.peak, value);
  }

  region(): Region {
    const { left, top, right, bottom, area, mass } = this;
    return { left, top, right, bottom, area, strength: mass / area };
  }
}

/** Numbers the connected groups of pixels that are not 0, from 1 on in the order of their first pixel. */
function connected(marked: Float32Array, width: number, height: number): { count: number; labels: Uint32Array } {
  const labels = new Uint32Array(marked.length);
  const open: number[] = [];
  let count = 0;
  for (let start = 0; start < marked.length; start++) {
    if (!marked[start] || labels[start]) continue;
    labels[start] = ++count;
    open.push(start);
    while (open.length > 0) {
      const i = open.pop()!;
      const x = i % width;
      if (x > 0) visit(i - 1);
      if (x < width - 1) visit(i + 1);
      if (i >= width) visit(i - width);
      if (i < width * (height - 1)) visit(i + width);
    }
  }
  return { count, labels };

  function visit(i: number): void {
    if (!marked[i] || labels[i]) return;
    labels[i] = count;
    open.push(i);
  }
}
