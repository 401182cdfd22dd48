import type { Homography } from '../../geometry/homography.ts';
import { cosines, sine } from '../../geometry/angle.ts';
import { Effort } from './effort.ts';
import type { Tentative } from './tentative.ts';
import { verifyMemory } from './verify-memory.ts';

/** Correspondences that are tried as hypotheses, most alike first. */
const MAX_HYPOTHESES = 120;
/** VerifyMemory that the search takes a correspondence, in bytes. */
const SCRATCH_BYTES_PER_CORRESPONDENCE = 128;

/** A similarity read off one correspondence, and those that agree with it. */
export interface Hypothesis {
  readonly similarity: Homography;
  readonly supporters: readonly number[];
  readonly cells: number;
}

/**
 * A feature has a place, an angle and a scale, so one correspondence determines a whole similarity transform. Every one is
 * tried, and the one wins that correspondences from the most distinct places of the reference agree with: no chance in it.
 * @param drift  by what share of its distance from the hypothesis a place may be off
 * @returns undefined when nothing agrees with anything
 */
export function bestHypothesis(pairs: Tentative, drift: number, effort = new Effort()): Hypothesis | undefined {
  const { workspace, tables } = verifyMemory();
  const { count } = pairs;
  const mark = workspace.mark();
  const columns = workspace.take(48 * count);
  const angles = workspace.put(pairs.angle);
  const out = workspace.take(8 + count);
  const scratch = workspace.take(SCRATCH_BYTES_PER_CORRESPONDENCE * count);
  const { rx, ry, qx, qy, rScale, qScale } = pairs;
  [rx, ry, qx, qy, rScale, qScale].forEach((column, k) =>
    workspace.doubles(columns + 8 * k * count, count).set(column),
  );
  const best = workspace.kernels.consensus(columns, angles, count, MAX_HYPOTHESES, drift, tables, scratch, out);
  const [cells, compared] = workspace.integers(out, 2);
  effort.spend(compared);
  const agree = workspace.bytes(out + 8, count);
  const supporters: number[] = [];
  for (let i = 0; i < count; i++) if (agree[i] === 1) supporters.push(i);
  workspace.release(mark);
  return best < 0 ? undefined : { similarity: similarityOf(pairs, best), supporters, cells };
}

function similarityOf(pairs: Tentative, h: number): Homography {
  const scale = pairs.qScale[h] / pairs.rScale[h];
  const a = scale * cosines[pairs.angle[h]];
  const b = scale * sine(pairs.angle[h]);
  const x = pairs.qx[h] - a * pairs.rx[h] + b * pairs.ry[h];
  const y = pairs.qy[h] - b * pairs.rx[h] - a * pairs.ry[h];
  return [a, -b, x, b, a, y, 0, 0, 1];
}
