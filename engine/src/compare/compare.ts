import { area, type Box, boxAround, clipped, cornersOf, type Point, type Size } from '../geometry/frame.ts';
import { compose, type Homography, inverse, project } from '../geometry/homography.ts';
import { commonWorkspace, type Workspace } from '../kernels/workspace.ts';
import type { Picture } from '../pixels/picture.ts';
import { channelsOf, lumaAt, type PlanesAt, planesAt, resampleAt } from '../pixels/planes.ts';
import { comparableInColour, difference } from './difference.ts';
import { matchLighting } from './lighting.ts';
import { markQuery, markReference } from './marks.ts';
import { overlays } from './overlay.ts';
import { agreement, type Levelled, levelled, refine } from './refine.ts';
import { evened, markedIn, type Region, regionOf, regionsOf } from './regions.ts';
import { residue } from './residue.ts';
import { noStrips, rimStrips } from './rim.ts';
import { type Warped, warpOnto, without } from './warp.ts';

/** Pixels of the grid that pictures are compared on. */
const GRID_PIXELS = 400_000;
/** The least short side of the grid: smaller pictures are enlarged, so that a pixel's tolerance is less than a pixel. */
const MIN_GRID_SIDE_PIXELS = 64;
/** Pixels of the grids that the alignment is refined on, coarse to fine. */
const REFINEMENT_GRID_PIXELS = [24_000, 100_000];
/** Correlation below which pictures do not show the same. Unrelated ones stay below 0.1. */
const MIN_CORRELATION = 0.25;
/** From which on an alignment is right, and no other one is tried. */
const CERTAIN_ALIGNMENT = { correlation: 0.9, covered: 0.98 };
/** Least share of the reference that the query must cover. */
const MIN_COVERED_SHARE = 0.05;

/** A place where two pictures differ. */
export interface Difference {
  readonly reference: Box;
  readonly query: Box;
  /** How much it differs, in (0, 1]. */
  readonly strength: number;
}

export interface Comparison {
  /** 0 where nothing differs, towards 1 the more of the common part differs and the more strongly. */
  readonly score: number;
  readonly regions: readonly Difference[];
  /** Strips along the rim where the content of one picture ends, as in scans and frames: no differences of the picture. */
  readonly strips: readonly Difference[];
  /** From pixels of the reference to pixels of the query, row by row; the last number is 1. */
  readonly homography: Homography;
  /** The pictures with the differences marked, at their original size. */
  readonly reference: Picture;
  readonly query: Picture;
}

/** How often strips along the rim are looked for: without the first ones the light is known better. */
const MAX_RIM_PASSES = 3;
const IDENTITY: Homography = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/**
 * Aligns two pictures of the same thing and finds where they differ.
 * @returns undefined where they cannot be aligned
 */
export function compare(reference: Picture, query: Picture): Comparison | undefined {
  const space = commonWorkspace();
  const mark = space.mark();
  try {
    const overlay = aligned(reference, query, space);
    return overlay && compared(reference, query, overlay, space);
  } finally {
    space.release(mark);
  }
}

function compared(reference: Picture, query: Picture, overlay: Homography, space: Workspace): Comparison | undefined {
  const { grid, found, strips, onto } = differing(reference, query, overlay, space);
  const back = inverse(onto);
  if (!back) return undefined;
  const described = ({ left, top, right, bottom, strength }: Region): Difference => {
    const corners: Point[] = [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
    ];
    const there = corners.map(([x, y]): Point => project(onto, x, y));
    const rounded = Math.round(1e4 * (strength / 255)) / 1e4;
    return { reference: boxAround(corners, grid), query: boxAround(there, query), strength: rounded };
  };
  const mass = found.regions.reduce((sum, { area, strength }) => sum + area * strength, 0);
  const score = Math.round((1e6 * mass) / (255 * Math.max(1, grid.covered))) / 1e6;
  const marked = { ...grid, ...found, strips: strips.labels };
  return {
    score,
    regions: found.regions.map(described),
    strips: strips.found.filter(({ area }) => area > 0).map((strip) => described(regionOf(strip))),
    homography: compose(onto, scaling(grid, reference)).map((value, _, map) => value / map[8]),
    reference: markReference(reference, marked, onto, query),
    query: markQuery(query, marked, back),
  };
}

/** The differences on a grid of the reference's shape, and the map from that grid to the query's pixels. */
function differing(reference: Picture, query: Picture, overlay: Homography, space: Workspace) {
  const grid = gridOf(reference, GRID_PIXELS, fineness(reference, query, overlay));
  const onGrid = compose(overlay, scaling(reference, grid));
  const size = fitting(query, grid, onGrid);
  const onto = compose(scaling(query, size, true), onGrid);
  const enlarged = Math.max(1, grid.width / reference.width, size.width / query.width);
  const [planes, others] = [planesAt(reference, grid, space), planesAt(query, size, space)];
  const aligning = space.mark();
  const fine = refine(levelledLuma(planes, space), levelledLuma(others, space), onto, space);
  space.release(aligning);
  const warped = warpOnto(grid, others, fine, space);
  const there = inverse(fine);
  const frames = [{ ...grid, onto: IDENTITY, back: IDENTITY }];
  if (there) frames.push({ ...size, onto: there, back: fine });
  let strips = noStrips(grid.width * grid.height);
  for (let pass = 1; ; pass++) {
    const inner = strips.found.length > 0 ? without(warped, strips) : warped;
    const measuring = space.mark();
    const { even, sure, lumas } = measured(planes, inner, enlarged, space);
    const marked = markedIn(even);
    const pictures = { ...grid, marked: marked.values, compared: inner.compared, lumas };
    const more = pass < MAX_RIM_PASSES && marked.places.length > 0;
    const next = more ? rimStrips(pictures, frames, strips) : strips;
    space.release(measuring);
    if (next.found.length > strips.found.length) {
      strips = next;
      continue;
    }
    const found = regionsOf(even, grid.width, grid.height, { enlarged, sure, doubtful: strips.near, marked });
    return { grid: { ...grid, covered: inner.covered }, found, strips, onto: compose(scaling(query, size), fine) };
  }
}

function levelledLuma(planes: PlanesAt, space: Workspace): Levelled {
  const pixels = planes.width * planes.height;
  const at = space.take(4 * pixels);
  space.floats(at, pixels).set(space.floats(planes.at, pixels));
  return levelled(at, planes, space);
}

/** How much each pixel differs, after the light is evened out. */
function measured(planes: PlanesAt, warped: Warped, enlarged: number, space: Workspace) {
  const lit = matchLighting(planes, warped, space);
  const sure = residue(planes, lit, enlarged, space);
  const off = difference(planes, lit, comparableInColour(planes, warped, space), sure, space);
  const even = evened(off, planes.width, planes.height);
  return {
    even,
    sure,
    lumas: [channelsOf(planes, space)[0], channelsOf(lit, space)[0]] as const,
  };
}

/** The overlay under which the pictures agree best, refined; from the reference's pixels to the query's. */
function aligned(reference: Picture, query: Picture, space: Workspace): Homography | undefined {
  const lumas = [reference, query].map((picture) => {
    const size = gridOf(picture, REFINEMENT_GRID_PIXELS[1] * 1.5, 1);
    return { ...size, at: lumaAt(picture, size, space) };
  });
  let best: { overlay: Homography; alike: number } | undefined;
  for (const start of overlays(reference, query)) {
    let overlay = start;
    let judged = { alike: 0, covered: 0 };
    for (const pixels of REFINEMENT_GRID_PIXELS) {
      const grid = gridOf(reference, pixels, fineness(reference, query, overlay));
      const onGrid = compose(overlay, scaling(reference, grid));
      const size = fitting(query, grid, onGrid);
      const onto = compose(scaling(query, size, true), onGrid);
      const levels = space.mark();
      const [r, q] = [level(lumas[0], grid), level(lumas[1], size)];
      const before = agreement(r, q, onto, space);
      const fine = refine(r, q, onto, space);
      const after = agreement(r, q, fine, space);
      space.release(levels);
      judged = after.alike > before.alike ? after : before;
      const back = compose(scaling(query, size), after.alike > before.alike ? fine : onto);
      overlay = compose(back, inverse(scaling(reference, grid))!);
    }
    if (judged.alike < MIN_CORRELATION || judged.covered < MIN_COVERED_SHARE) continue;
    if (judged.alike > (best?.alike ?? 0)) best = { overlay, alike: judged.alike };
    if (judged.alike >= CERTAIN_ALIGNMENT.correlation && judged.covered >= CERTAIN_ALIGNMENT.covered) break;
  }
  return best?.overlay;

  function level(luma: Levelled, size: Size): Levelled {
    const at = space.take(4 * size.width * size.height);
    resampleAt(luma.at, luma, at, size, space);
    return levelled(at, size, space);
  }
}

/** A picture's shape with at most so many pixels, and no finer than `finest` times its own unless it is tiny. */
function gridOf({ width, height }: Size, pixels: number, finest: number): Size {
  const least = MIN_GRID_SIDE_PIXELS / Math.min(width, height);
  const scale = Math.min(Math.max(least, Math.min(1, finest)), Math.sqrt(pixels / (width * height)));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** How many pixels of the query a pixel of the reference is wide, on the whole. */
function fineness(reference: Size, query: Size, overlay: Homography): number {
  const seen = clipped(
    cornersOf(reference).map(([x, y]): Point => project(overlay, x, y)),
    query,
  );
  const back = inverse(overlay);
  if (!back || seen.length < 3) return 1;
  const there = Math.abs(area(seen.map(([x, y]): Point => project(back, x, y))));
  return there > 0 ? Math.sqrt(Math.abs(area(seen)) / there) : 1;
}

/** The size at which the query is about as fine as a grid, no larger than it is unless it is tiny. */
function fitting(query: Picture, grid: Size, onGrid: Homography): Size {
  const alike = 1 / Math.max(1e-3, fineness(grid, query, onGrid));
  const scale = Math.min(alike, Math.max(1, MIN_GRID_SIDE_PIXELS / Math.min(query.width, query.height)));
  return { width: Math.max(1, Math.round(query.width * scale)), height: Math.max(1, Math.round(query.height * scale)) };
}

/** From pixels of `to` to pixels of `from`, or back: the same picture at two sizes. */
function scaling(from: Size, to: Size, back = false): Homography {
  const [x, y] = [from.width / to.width, from.height / to.height];
  return back ? [1 / x, 0, 0, 0, 1 / y, 0, 0, 0, 1] : [x, 0, 0, 0, y, 0, 0, 0, 1];
}
