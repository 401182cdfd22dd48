import { largest, means } from '../pixels/neighbourhood.ts';
import { connected, RegionTotals } from './groups.ts';
import { separated } from './separate.ts';

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
const SEED_DIFFERENCE = 14;
/** … and goes as far as it is this large. */
const EDGE_DIFFERENCE = 5;
/** Differences closer than twice this share of the long side are one. */
const GAP_SHARE = 0.012;
/** Least mass of a region (difference times pixels) as a share of the picture's area, and at least. */
const MIN_MASS_SHARE = 0.012;
const MIN_MASS = 120;
/** Most regions in a result. */
const MAX_REGIONS = 100;

/** The difference of a pixel by those around it, so that single pixels do not count. */
export function evened(difference: Float32Array, width: number, height: number): Float32Array {
  const long = Math.max(width, height);
  return means(difference, width, height, long >= 200 ? 2 : long >= 60 ? 1 : 0);
}

/** The evened differences that may belong to a region. */
export interface MarkedPixels {
  /** 0 elsewhere. */
  readonly values: Float32Array;
  /** Where they are not 0, in order. */
  readonly places: Uint32Array;
}

export function markedIn(even: Float32Array): MarkedPixels {
  const [values, places] = [new Float32Array(even.length), new Uint32Array(even.length)];
  let count = 0;
  for (let i = 0; i < even.length; i++) {
    if (even[i] < EDGE_DIFFERENCE) continue;
    values[i] = even[i];
    places[count++] = i;
  }
  return { values, places: places.subarray(0, count) };
}

/** What decides besides the differences. */
export interface RegionOptions {
  /** How many pixels of the grid a pixel of the pictures is wide, where it is more than one. */
  readonly enlarged?: number;
  /** Not 0 where a difference counts, however small it is. */
  readonly sure?: Float32Array;
  /** Not 0 where a region is noise if no pixel of it lies elsewhere. */
  readonly doubtful?: Uint8Array;
  /** What may belong to a region. */
  readonly marked?: MarkedPixels;
}

/**
 * Groups what differs and drops what noise explains: specks, and differences no stronger than those around them.
 * @param even  evened differences, 0 to 255 a pixel, row-major
 */
export function regionsOf(
  even: Float32Array,
  width: number,
  height: number,
  { enlarged = 1, sure, doubtful, marked = markedIn(even) }: RegionOptions = {},
): Regions {
  const gap = Math.max(1, Math.round(GAP_SHARE * Math.max(width, height)));
  const { values, places: at } = marked;
  const labels = new Uint16Array(even.length);
  if (at.length === 0) return { regions: [], labels };
  const least = Math.max(MIN_MASS * enlarged * enlarged, MIN_MASS_SHARE * width * height);
  const counts = (group: RegionTotals): boolean => group.sure || (group.peak >= SEED_DIFFERENCE && group.mass >= least);
  const joined = connected(largest(values, width, height, gap), width, height);
  const own = new Uint32Array(even.length);
  for (let k = 0; k < at.length; k++) own[at[k]] = joined.labels[at[k]];
  const groups = separated({ count: joined.count, labels: own }, at, {
    width,
    height,
    even,
    gap,
    edge: EDGE_DIFFERENCE,
    counts,
  });
  const totals = Array.from({ length: groups.count }, () => new RegionTotals());
  const elsewhere = new Uint8Array(groups.count);
  for (let k = 0; k < at.length; k++) {
    const i = at[k];
    const group = groups.labels[i] - 1;
    totals[group].add(i % width, Math.floor(i / width), even[i], sure !== undefined && sure[i] > 0);
    if (!doubtful?.[i]) elsewhere[group] = 1;
  }
  const kept = totals
    .map((region, group) => ({ region, group }))
    .filter(({ group }) => elsewhere[group])
    .filter(({ region }) => counts(region))
    .sort((a, b) => b.region.mass - a.region.mass || a.group - b.group)
    .slice(0, MAX_REGIONS);
  const places = new Uint16Array(groups.count + 1);
  kept.forEach(({ group }, place) => (places[group + 1] = place + 1));
  for (let k = 0; k < at.length; k++) labels[at[k]] = places[groups.labels[at[k]]];
  return { regions: kept.map(({ region }) => regionOf(region)), labels };
}

/** The region of what was added up. */
export function regionOf({ left, top, right, bottom, area, mass }: RegionTotals): Region {
  return { left, top, right, bottom, area, strength: mass / area };
}
