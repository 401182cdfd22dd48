import type { Size } from '../geometry/frame.ts';
import { largest } from '../pixels/neighbourhood.ts';
import { connected, RegionTotals, type Groups } from './groups.ts';

/** Share of the picture from which on the box of a group is taken apart, and from which on stronger differences are enough. */
const BOX_SHARE = { splitByGap: 0.015, splitByThreshold: 0.05 };
/** Share of the box from which on a group fills it, and is one. */
const MIN_FILLED_SHARE = 0.5;
/** Most that the boxes of the parts may cover of the group's box. */
const MAX_COVERED_SHARE = 0.95;
/** Least mass of a part, as a share of the heaviest one's. */
const MIN_PART_MASS_SHARE = 0.15;
/** How parts are looked for, in this order: the share of the gap they are joined over, and the least difference in edges. */
const SPLIT_LEVELS = [
  [0.5, 1],
  [0.25, 1],
  [0.1, 1],
  [0, 1],
  [0, 2],
  [0, 4],
  [0, 8],
] as const;

/** The differences that groups consist of. */
export interface Differences extends Size {
  readonly even: Float32Array;
  /** Pixels over which differences are joined. */
  readonly gap: number;
  /** The least difference of a group. */
  readonly edge: number;
  /** Whether a group is more than noise. */
  readonly counts: (group: RegionTotals) => boolean;
}

/**
 * Takes apart large groups that are mostly empty: many small differences run together over small gaps and faint bridges. The
 * heavy parts at a smaller gap or a higher threshold become groups, and each other pixel joins the nearest of them. Changes the labels.
 * @param places  the pixels that have a label
 */
export function separated({ count, labels: parts }: Groups, places: Uint32Array, differences: Differences): Groups {
  const { width, height, even } = differences;
  const boxes = Array.from({ length: count }, () => new RegionTotals());
  for (let k = 0; k < places.length; k++) {
    const i = places[k];
    boxes[parts[i] - 1].add(i % width, Math.floor(i / width), even[i], false);
  }
  const open = boxes.map((box, i) => ({ box, label: i + 1, level: 0 }));
  for (let group = open.pop(); group; group = open.pop()) {
    if (group.box.box < BOX_SHARE.splitByGap * width * height) continue;
    for (let level = group.level; level < SPLIT_LEVELS.length; level++) {
      const { area, box } = group.box;
      if (
        SPLIT_LEVELS[level][1] > 1 &&
        (box < BOX_SHARE.splitByThreshold * width * height || area > MIN_FILLED_SHARE * box)
      )
        break;
      const found = takenApart(parts, group.label, group.box, SPLIT_LEVELS[level], differences);
      if (!found) continue;
      for (const [k, box] of relabelled(parts, group.label, group.box, found, count, differences).entries())
        open.push({ box, label: k === 0 ? group.label : count + k, level });
      count += found.count - 1;
      break;
    }
  }
  return { count, labels: parts };
}

/** The seeds of the parts of a group, labelled within its box; undefined where it is one. */
function takenApart(
  labels: Uint32Array,
  label: number,
  { left, top, right, bottom, box }: RegionTotals,
  [share, edges]: (typeof SPLIT_LEVELS)[number],
  { width, even, gap, edge, counts }: Differences,
): Groups | undefined {
  const [across, down] = [right - left, bottom - top];
  const plane = new Float32Array(across * down);
  for (let y = 0; y < down; y++) {
    for (let x = 0; x < across; x++) {
      const i = (top + y) * width + left + x;
      if (labels[i] === label && even[i] >= edges * edge) plane[y * across + x] = 1;
    }
  }
  const radius = Math.round(share * gap);
  const groups = connected(radius > 0 ? largest(plane, across, down, radius) : plane, across, down);
  const totals = Array.from({ length: groups.count }, () => new RegionTotals());
  for (let i = 0; i < plane.length; i++) {
    if (!plane[i]) continue;
    const [x, y] = [i % across, Math.floor(i / across)];
    totals[groups.labels[i] - 1].add(x, y, even[(top + y) * width + left + x], false);
  }
  const heaviest = Math.max(...totals.map(({ mass }) => mass));
  const heavy = totals.map((part) => counts(part) && part.mass >= MIN_PART_MASS_SHARE * heaviest);
  const covered = totals.reduce((sum, part, i) => sum + (heavy[i] ? part.box : 0), 0);
  let count = 0;
  const numbers = heavy.map((is) => (is ? ++count : 0));
  if (count < 2 || covered > MAX_COVERED_SHARE * box) return undefined;
  return { count, labels: groups.labels.map((group, i) => (plane[i] ? numbers[group - 1] : 0)) };
}

/** Gives each pixel of a group to the nearest part; returns the parts. */
function relabelled(
  labels: Uint32Array,
  label: number,
  { left, top, right, bottom }: RegionTotals,
  { count, labels: seeds }: Groups,
  before: number,
  { width, even }: Differences,
): RegionTotals[] {
  const [across, down] = [right - left, bottom - top];
  const queue = new Uint32Array(seeds.length);
  let end = 0;
  for (let i = 0; i < seeds.length; i++) if (seeds[i]) queue[end++] = i;
  for (let next = 0; next < end; next++) {
    const i = queue[next];
    const x = i % across;
    const reach = (j: number, within: boolean): void => {
      if (!within || seeds[j]) return;
      seeds[j] = seeds[i];
      queue[end++] = j;
    };
    reach(i - 1, x > 0);
    reach(i + 1, x < across - 1);
    reach(i - across, i >= across);
    reach(i + across, i < across * (down - 1));
  }
  const parts = Array.from({ length: count }, () => new RegionTotals());
  for (let k = 0; k < seeds.length; k++) {
    const [x, y] = [left + (k % across), top + Math.floor(k / across)];
    const i = y * width + x;
    if (labels[i] !== label) continue;
    parts[seeds[k] - 1].add(x, y, even[i], false);
    if (seeds[k] > 1) labels[i] = before + seeds[k] - 1;
  }
  return parts;
}
