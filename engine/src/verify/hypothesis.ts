import type { Homography } from './homography.ts';
import type { Tentative } from './tentative.ts';
import { cosines, sine } from './turn.ts';

/** Correspondences that are tried as hypotheses, most alike first. */
const TRIED = 120;
/** A hypothesis that this many cells agree with ends the search. */
const CONVINCING = 40;
/** Turns may differ by this much, in 1/256: 28 degrees. */
const TURN = 20;
/** A feature's place may be off by this many pixels of its own level, in either picture … */
const OFF = 3;
/** … and by this share of its distance from the hypothesis, whose turn and scale are only roughly known. */
const DRIFT = 0.1;
/** Side of the cells in which support is counted, in pixels of the reference frame. */
const CELL = 12;
const CELLS = 44; // 512 / 12, and one for the far border

/** A similarity read off one correspondence, and those that agree with it. */
export interface Hypothesis {
  readonly similarity: Homography;
  readonly supporters: readonly number[];
  readonly cells: number;
}

/**
 * A feature has a place, a turn and a scale, so one correspondence tells a whole similarity transform. Every one is
 * tried, and the one wins that correspondences from the most distinct places of the reference agree with: no chance in it.
 * @returns undefined when nothing agrees with anything
 */
export function bestHypothesis(pairs: Tentative): Hypothesis | undefined {
  const turned = byTurn(pairs);
  const stamps = new Uint16Array(CELLS * CELLS);
  let best = -1;
  let bestCells = 1;
  for (let h = 0; h < Math.min(TRIED, pairs.count); h++) {
    const cells = cellsOf(pairs, h, turned, bestCells, stamps);
    if (cells <= bestCells) continue;
    best = h;
    bestCells = cells;
    if (cells >= CONVINCING) break;
  }
  if (best < 0) return undefined;
  const similarity = similarityOf(pairs, best);
  const supporters: number[] = [];
  for (let i = 0; i < pairs.count; i++) if (agrees(pairs, similarity, best, i)) supporters.push(i);
  return { similarity, supporters, cells: bestCells };
}

interface ByTurn {
  /** Numbers of the correspondences in the order of their turns. */
  readonly order: Uint16Array;
  /** Where each turn begins in `order`; 257 values. */
  readonly starts: Uint16Array;
}

function byTurn({ count, turn }: Tentative): ByTurn {
  const starts = new Uint16Array(257);
  for (let i = 0; i < count; i++) starts[turn[i] + 1]++;
  for (let t = 0; t < 256; t++) starts[t + 1] += starts[t];
  const next = starts.slice();
  const order = new Uint16Array(count);
  for (let i = 0; i < count; i++) order[next[turn[i]]++] = i;
  return { order, starts };
}

/**
 * How many cells of the reference hold a correspondence that agrees with number `h`; some number of at most `enough`
 * where it cannot be more.
 *
 * Benefit: where correspondences are there by chance their turns are anyhow, and one in six is looked at.
 * Correctness: only those within the window of turns can agree, and each fills one cell at most.
 */
function cellsOf(pairs: Tentative, h: number, { order, starts }: ByTurn, enough: number, stamps: Uint16Array): number {
  const similarity = similarityOf(pairs, h);
  const [low, high] = [pairs.turn[h] - TURN, pairs.turn[h] + TURN + 1];
  // the window, which may run over either end
  const first = starts[Math.max(0, low)];
  const last = starts[Math.min(256, high)];
  const before = low < 0 ? starts[256] - starts[256 + low] : 0;
  const after = high > 256 ? starts[high - 256] : 0;
  const all = before + last - first + after;
  let cells = 0;
  for (let k = 0; k < all; k++) {
    if (cells + all - k <= enough) break;
    const at = k < before ? starts[256] - before + k : k < all - after ? first + k - before : k - (all - after);
    const i = order[at];
    if (!agrees(pairs, similarity, h, i)) continue;
    const cell = CELLS * Math.floor(pairs.ry[i] / CELL) + Math.floor(pairs.rx[i] / CELL);
    if (stamps[cell] === h + 1) continue;
    stamps[cell] = h + 1;
    cells++;
  }
  return cells;
}

function similarityOf(pairs: Tentative, h: number): Homography {
  const scale = pairs.qScale[h] / pairs.rScale[h];
  const a = scale * cosines[pairs.turn[h]];
  const b = scale * sine(pairs.turn[h]);
  const x = pairs.qx[h] - a * pairs.rx[h] + b * pairs.ry[h];
  const y = pairs.qy[h] - b * pairs.rx[h] - a * pairs.ry[h];
  return [a, -b, x, b, a, y, 0, 0, 1];
}

/** Whether correspondence `i` agrees with the similarity that number `h` tells. */
function agrees(pairs: Tentative, map: Homography, h: number, i: number): boolean {
  const turned = (pairs.turn[i] - pairs.turn[h] + TURN) & 255;
  if (turned > 2 * TURN) return false;
  const scale = (pairs.qScale[h] / pairs.rScale[h]) * pairs.rScale[i];
  const qScale = pairs.qScale[i];
  if (qScale > 2 * scale || scale > 2 * qScale) return false;
  const rx = pairs.rx[i];
  const ry = pairs.ry[i];
  const ex = map[0] * rx + map[1] * ry + map[2] - pairs.qx[i];
  const ey = map[3] * rx + map[4] * ry + map[5] - pairs.qy[i];
  const dx = pairs.qx[i] - pairs.qx[h];
  const dy = pairs.qy[i] - pairs.qy[h];
  const reach = OFF * (1 + Math.max(scale, qScale));
  return ex * ex + ey * ey <= reach * reach + DRIFT * DRIFT * (dx * dx + dy * dy);
}
