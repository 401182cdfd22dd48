import type { Size } from '../geometry/frame.ts';
import type { Homography } from '../geometry/homography.ts';
import { RegionTotals } from './groups.ts';

/** A picture's frame: its size, and the maps from its pixels to those of the grid and back. */
export interface Frame extends Size {
  readonly onto: Homography;
  readonly back: Homography;
}

/** What is compared near the rim. */
export interface Compared extends Size {
  /** How much the pictures differ; 0 where they are the same. */
  readonly marked: Float32Array;
  /** Not 0 where both pictures show something. */
  readonly compared: Float32Array;
  /** Brightness of both pictures, in the same light. */
  readonly lumas: readonly [Float32Array, Float32Array];
}

/** Depth up to which a strip is looked for, as a share of the extent: along one side, and around a whole frame. */
const MAX_DEPTH_SHARE = { side: 0.09, frame: 0.16 };
/** The same for a strip with a pattern along one side: a deeper one may be a caption. */
const NARROW_DEPTH_SHARE = 0.05;
/** Distance of the places along a side, in pixels. */
const PLACE_STRIDE_PIXELS = 2;
/** Steepest strip, depth by length, and the difference of two slopes that are tried. */
const SLOPE = { max: 0.06, step: 0.004 };
/** Pixels by which a difference may end before or beyond the line. */
const LINE_TOLERANCE_PIXELS = 2;
/** A picture ends where its brightness changes by so much; within a strip it changes less along the side. */
const BRIGHTNESS_CHANGE = { minAcross: 15, maxAlong: 14 };
/** Pixels before the line that smoothing and compression mix with what lies beyond. */
const MIXED_PIXELS_BEFORE = 6;
/** Pixels beyond the line that compression may change. */
const CHANGED_PIXELS_BEYOND = 10;
/** Grey levels by which a strip may differ from its median along the side. */
const MAX_MEDIAN_DEVIATION = 48;
/** Most places of a line at which a difference goes on beyond the line. */
const MAX_CONTINUED_SHARE = 0.3;
/** A change that has the same sign along a side: its mean by the mean of its size. */
const MIN_SIGN_COHERENCE = 0.7;
/** Sections of a side; a strip ends in so many of them at least. */
const SIDE_SECTIONS = { count: 10, min: 3 };
/** Strips on one side, at most: a dark one may lie within a light one. */
const MAX_STRIPS_PER_SIDE = 3;

/** The strips along the rim. */
export interface Strips {
  /** What differs in each strip. */
  readonly found: readonly RegionTotals[];
  /** For each pixel of the grid the number of its strip, from 1 on; 0 where there is none. */
  readonly labels: Uint8Array;
  /** 1 in a strip and beside it, where compression mixes the strip with the picture. */
  readonly near: Uint8Array;
}

/** Strips of no picture yet. */
export function noStrips(pixels: number): Strips {
  return { found: [], labels: new Uint8Array(pixels), near: new Uint8Array(pixels) };
}

/**
 * Adds the strips along the rim where the content of one picture ends, as in scans and frames: the differences there end
 * at a straight line along a side of the picture, at which the picture changes, and between the line and the side it is plain. A
 * narrow strip may have a pattern. A deep one counts where three sides have a strip.
 */
export function rimStrips(pictures: Compared, frames: readonly Frame[], before: Strips): Strips {
  const { width, marked } = pictures;
  const [labels, near] = [before.labels.slice(), before.near.slice()];
  const strips = [...before.found];
  const open = marked.slice();
  for (const frame of frames) {
    const doubtful: Strip[] = [];
    const sides = new Set<Side>();
    for (const side of sidesOf(frame)) {
      const table = tableOf(side, pictures);
      for (let round = 0; round < MAX_STRIPS_PER_SIDE; round++) {
        const found = stripAlong(side, table, { ...pictures, marked: open });
        if (found) sides.add(side);
        if (found?.sure) take(found);
        else {
          if (found) doubtful.push(found);
          break;
        }
      }
    }
    const around = new Set([...sides].map(({ upright }) => upright)).size === 2;
    for (const strip of doubtful) if (sides.size >= 3 || (strip.narrow && (strips.length > 0 || around))) take(strip);
  }
  return { found: strips, labels, near };

  function take({ side, depthAt }: Strip): void {
    const totals = new RegionTotals();
    strips.push(totals);
    const { back, upright, end } = side;
    for (let i = 0; i < open.length; i++) {
      if (labels[i]) continue;
      const x = i % width;
      const y = Math.floor(i / width);
      // not by `project`, which makes an array for each pixel
      const w = back[6] * (x + 0.5) + back[7] * (y + 0.5) + back[8];
      const u = (back[0] * (x + 0.5) + back[1] * (y + 0.5) + back[2]) / w;
      const v = (back[3] * (x + 0.5) + back[4] * (y + 0.5) + back[5]) / w;
      const beyond = inwards(end, upright ? u : v) - depthAt(upright ? v : u);
      if (beyond > CHANGED_PIXELS_BEYOND) continue;
      near[i] = 1;
      if (beyond > LINE_TOLERANCE_PIXELS) continue;
      if (open[i]) totals.add(x, y, open[i], false);
      open[i] = 0;
      labels[i] = strips.length;
    }
  }
}

/** One side of a frame, in pixels along it and into the picture. */
interface Side {
  readonly length: number;
  readonly extent: number;
  readonly upright: boolean;
  /** Where it lies across the picture. */
  readonly end: number;
  readonly onto: Homography;
  readonly back: Homography;
}

function sidesOf({ width, height, onto, back }: Frame): Side[] {
  const upright = { length: height, extent: width, upright: true, onto, back };
  const level = { length: width, extent: height, upright: false, onto, back };
  return [
    { ...upright, end: 0 },
    { ...level, end: 0 },
    { ...upright, end: width },
    { ...level, end: height },
  ];
}

/** From the place across the picture to the depth from this end, or back. */
function inwards(end: number, place: number): number {
  return end > 0 ? end - place : place;
}

interface Strip {
  readonly side: Side;
  /** Whether it counts by itself. */
  readonly sure: boolean;
  /** Whether it counts beside another one. */
  readonly narrow: boolean;
  readonly depthAt: (along: number) => number;
}

/** For each place along a side and each depth the pixel of the grid, or -1 where nothing is compared. */
interface Table {
  readonly places: number;
  readonly depths: number;
  readonly pixels: Int32Array;
}

function tableOf({ length, extent, upright, end, onto }: Side, { width, height, compared }: Compared): Table {
  const places = Math.floor(length / PLACE_STRIDE_PIXELS);
  const depths = Math.ceil(MAX_DEPTH_SHARE.frame * extent);
  const pixels = new Int32Array(places * depths).fill(-1);
  for (let place = 0; place < places; place++) {
    const along = PLACE_STRIDE_PIXELS * (place + 0.5);
    for (let depth = 0; depth < depths; depth++) {
      const across = inwards(end, depth + 0.5);
      const u = upright ? across : along;
      const v = upright ? along : across;
      const w = onto[6] * u + onto[7] * v + onto[8];
      const x = (onto[0] * u + onto[1] * v + onto[2]) / w;
      const y = (onto[3] * u + onto[4] * v + onto[5]) / w;
      if (!(x >= 0 && y >= 0 && x < width && y < height)) continue;
      const pixel = Math.floor(y) * width + Math.floor(x);
      if (compared[pixel]) pixels[place * depths + depth] = pixel;
    }
  }
  return { places, depths, pixels };
}

function stripAlong(side: Side, table: Table, pictures: Compared): Strip | undefined {
  const ends = endsOf(table, pictures.marked);
  const line = strongestLine(table, ends);
  if (!line) return undefined;
  const found = judged(table, ends, line, side, pictures);
  return found && { side, ...found, depthAt: (along) => depthOf(line, along / PLACE_STRIDE_PIXELS - 0.5, table) };
}

/** 1 where a difference ends towards the middle of the picture. */
function endsOf({ places, depths, pixels }: Table, marked: Float32Array): Uint8Array {
  const ends = new Uint8Array(places * depths);
  for (let place = 0; place < places; place++) {
    for (let depth = 0; depth + 1 < depths; depth++) {
      const at = place * depths + depth;
      if (pixels[at] >= 0 && pixels[at + 1] >= 0 && marked[pixels[at]] && !marked[pixels[at + 1]]) ends[at] = 1;
    }
  }
  return ends;
}

interface Line {
  /** Depth in the middle of the side. */
  readonly depth: number;
  readonly slope: number;
}

function depthOf({ depth, slope }: Line, place: number, { places }: Table): number {
  return depth + slope * PLACE_STRIDE_PIXELS * (place + 0.5 - places / 2);
}

/** The line at which most differences end (P. Hough, 1962). */
function strongestLine(table: Table, ends: Uint8Array): Line | undefined {
  const { places, depths } = table;
  const slopes = 2 * Math.round(SLOPE.max / SLOPE.step) + 1;
  const votes = new Uint32Array(slopes * depths);
  for (let at = 0; at < ends.length; at++) {
    if (!ends[at]) continue;
    for (let s = 0; s < slopes; s++) {
      const slope = SLOPE.step * s - SLOPE.max;
      const middle = Math.round(
        (at % depths) - slope * PLACE_STRIDE_PIXELS * (Math.floor(at / depths) + 0.5 - places / 2),
      );
      if (middle >= 0 && middle < depths) votes[s * depths + middle]++;
    }
  }
  let [best, most] = [-1, 0];
  for (let i = 0; i < votes.length; i++) {
    const depth = i % depths;
    const sum = 2 * votes[i] + (depth > 0 ? votes[i - 1] : 0) + (depth + 1 < depths ? votes[i + 1] : 0);
    if (sum > most) [best, most] = [i, sum];
  }
  return best < 0 ? undefined : { depth: best % depths, slope: SLOPE.step * Math.floor(best / depths) - SLOPE.max };
}

/** How one picture looks along a line. */
interface LineProfile {
  /** Places at which a difference ends and the picture changes. */
  readonly hits: number;
  /** Sections of the side with such a place. */
  readonly sections: number;
  /** The change across the line: its mean, and the mean of its size, in grey levels. */
  readonly step: number;
  readonly size: number;
  /** Whether the picture is the same along the side, between the side and the line. */
  readonly plain: boolean;
}

/** Whether a strip of one of the pictures ends at the line, and whether there is no doubt. */
function judged(table: Table, ends: Uint8Array, line: Line, side: Side, { marked, lumas }: Compared) {
  const { places, depths, pixels } = table;
  const shown: number[] = [];
  let [differing, through, ending] = [0, 0, 0];
  for (let place = 0; place < places; place++) {
    const depth = Math.round(depthOf(line, place, table));
    if (
      depth < 1 ||
      depth + 2 * LINE_TOLERANCE_PIXELS >= depths ||
      pixels[place * depths + depth + LINE_TOLERANCE_PIXELS] < 0
    )
      continue;
    shown.push(place);
    const row = pixels.subarray(place * depths, place * depths + depths);
    if (row.subarray(0, depth + LINE_TOLERANCE_PIXELS + 1).some((pixel) => pixel >= 0 && marked[pixel])) differing++;
    const [at, beyond] = [row[depth], row[depth + 2 * LINE_TOLERANCE_PIXELS]];
    if (at >= 0 && beyond >= 0 && marked[at] && marked[beyond]) through++;
    if (endsNear(ends, table, place, depth)) ending++;
  }
  const profiles = lumas.map((luma) => lineProfileOf(luma, table, ends, line, shown));
  const share = line.depth / side.extent;
  const continued = through > MAX_CONTINUED_SHARE * differing;
  const found = profiles.map(({ hits, sections, plain, size }, k) => {
    const other = profiles[1 - k];
    // what is removed or added along the whole side ends in the picture that has it, too
    const object = !other.plain && Math.abs(other.step) > MIN_SIGN_COHERENCE * other.size && other.size > size / 2;
    const strip = plain && sections >= SIDE_SECTIONS.min && hits >= differing / 2;
    return { strip, alone: strip && !object && share <= MAX_DEPTH_SHARE.side, object };
  });
  if (continued || !(ending >= shown.length / 2 || found.some(({ strip }) => strip))) return undefined;
  const narrow = share <= NARROW_DEPTH_SHARE && found.some(({ object }) => !object);
  return { sure: found.some(({ alone }) => alone), narrow };
}

function endsNear(ends: Uint8Array, { depths }: Table, place: number, depth: number): boolean {
  return ends
    .subarray(
      place * depths + Math.max(0, depth - LINE_TOLERANCE_PIXELS),
      place * depths + depth + LINE_TOLERANCE_PIXELS + 1,
    )
    .includes(1);
}

function lineProfileOf(
  luma: Float32Array,
  table: Table,
  ends: Uint8Array,
  line: Line,
  shown: readonly number[],
): LineProfile {
  const { places, depths, pixels } = table;
  const sections = new Set<number>();
  const columns: number[] = [];
  let [hits, step, size, cells, jumps] = [0, 0, 0, 0, 0];
  for (const place of shown) {
    const depth = Math.round(depthOf(line, place, table));
    const row = place * depths;
    let first = 0;
    while (pixels[row + first] < 0) first++;
    let [low, high] = [Infinity, -Infinity];
    for (
      let d = Math.max(first, depth - MIXED_PIXELS_BEFORE - LINE_TOLERANCE_PIXELS);
      d <= depth + LINE_TOLERANCE_PIXELS;
      d++
    ) {
      low = Math.min(low, luma[pixels[row + d]]);
      high = Math.max(high, luma[pixels[row + d]]);
    }
    if (high - low > BRIGHTNESS_CHANGE.minAcross && endsNear(ends, table, place, depth)) {
      hits++;
      sections.add(Math.floor((SIDE_SECTIONS.count * place) / places));
    }
    const change =
      luma[pixels[row + depth + LINE_TOLERANCE_PIXELS]] -
      luma[pixels[row + Math.max(first, depth - MIXED_PIXELS_BEFORE)]];
    step += change / shown.length;
    size += Math.abs(change) / shown.length;
    let [sum, count] = [0, 0];
    for (let d = first; d < Math.max(first + 1, depth - MIXED_PIXELS_BEFORE); d++) {
      const [here, before] = [pixels[row + d], place > 0 ? pixels[row - depths + d] : -1];
      sum += luma[here];
      count++;
      if (before < 0) continue;
      cells++;
      if (Math.abs(luma[here] - luma[before]) > BRIGHTNESS_CHANGE.maxAlong) jumps++;
    }
    columns.push(sum / count);
  }
  const median = columns.slice().sort((a, b) => a - b)[columns.length >> 1];
  const along = columns.filter((value) => Math.abs(value - median) <= MAX_MEDIAN_DEVIATION).length;
  return { hits, sections: sections.size, step, size, plain: jumps <= 0.02 * cells && along >= 0.85 * columns.length };
}
