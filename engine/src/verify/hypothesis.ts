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
  const stamps = new Uint16Array(CELLS * CELLS);
  let best = -1;
  let bestCells = 1;
  for (let h = 0; h < Math.min(TRIED, pairs.count); h++) {
    const cells = support(pairs, h, stamps, h + 1);
    if (cells <= bestCells) continue;
    best = h;
    bestCells = cells;
    if (cells >= CONVINCING) break;
  }
  if (best < 0) return undefined;
  const supporters: number[] = [];
  support(pairs, best, stamps.fill(0), 1, supporters);
  return { similarity: similarityOf(pairs, best), supporters, cells: bestCells };
}

function similarityOf(pairs: Tentative, h: number): Homography {
  const scale = pairs.qScale[h] / pairs.rScale[h];
  const a = scale * cosines[pairs.turn[h]];
  const b = scale * sine(pairs.turn[h]);
  const x = pairs.qx[h] - a * pairs.rx[h] + b * pairs.ry[h];
  const y = pairs.qy[h] - b * pairs.rx[h] - a * pairs.ry[h];
  return [a, -b, x, b, a, y, 0, 0, 1];
}

/** How many cells of the reference hold a correspondence that agrees with number `h`. */
function support(pairs: Tentative, h: number, stamps: Uint16Array, stamp: number, supporters?: number[]): number {
  const [a, minusB, x, b, , y] = similarityOf(pairs, h);
  const ratio = pairs.qScale[h] / pairs.rScale[h];
  const turn = pairs.turn[h];
  const [hx, hy] = [pairs.qx[h], pairs.qy[h]];
  let cells = 0;
  for (let i = 0; i < pairs.count; i++) {
    const turned = (pairs.turn[i] - turn + TURN) & 255;
    if (turned > 2 * TURN) continue;
    const scale = ratio * pairs.rScale[i];
    const qScale = pairs.qScale[i];
    if (qScale > 2 * scale || scale > 2 * qScale) continue;
    const rx = pairs.rx[i];
    const ry = pairs.ry[i];
    const ex = a * rx + minusB * ry + x - pairs.qx[i];
    const ey = b * rx + a * ry + y - pairs.qy[i];
    const dx = pairs.qx[i] - hx;
    const dy = pairs.qy[i] - hy;
    const reach = OFF * (1 + Math.max(scale, qScale));
    if (ex * ex + ey * ey > reach * reach + DRIFT * DRIFT * (dx * dx + dy * dy)) continue;
    supporters?.push(i);
    const cell = CELLS * Math.floor(ry / CELL) + Math.floor(rx / CELL);
    if (stamps[cell] === stamp) continue;
    stamps[cell] = stamp;
    cells++;
  }
  return cells;
}
