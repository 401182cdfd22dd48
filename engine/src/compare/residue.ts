import type { Workspace } from '../kernels/workspace.ts';
import type { PlanesAt } from '../pixels/planes.ts';
import { ranked } from '../pixels/rank.ts';
import type { Warped } from './warp.ts';

/** Radius of the squares, and their distance, in pixels of the pictures. */
const WINDOW_RADIUS_PIXELS = 4;
/** Squared grey levels a pixel that noise and compression leave. */
const NOISE_VARIANCE = 40;
/** Share of the contrast in a square that they leave on top … */
const NOISE_CONTRAST_SHARE = 0.1;
/** … and how much more than most squares of the picture must be left, for a blurred copy leaves something everywhere. */
const USUAL_RESIDUE = { quantile: 0.8, factor: 2 };
/** Least variance of a square that serves as a measure for the others. */
const MIN_TEXTURE_VARIANCE = 100;
/** Variance of each cause that is never believed, so that plain squares explain nothing. */
const RIDGE_VARIANCE = 4;

/**
 * Where the pictures differ by more than a motion of less than a pixel, softening and light explain: small squares, each
 * fitted by least squares. Finds thin strokes that changed beside others, which tolerance of a pixel swallows.
 *
 * @param enlarged  how many of these pixels a pixel of the pictures is wide
 * @returns         grey levels by which each pixel differs in such squares, 0 elsewhere
 */
export function residue(reference: PlanesAt, warped: Warped, enlarged: number, space: Workspace): Float32Array {
  const { width, height } = reference;
  const pixels = width * height;
  const radius = Math.round(WINDOW_RADIUS_PIXELS * enlarged);
  const out = new Float32Array(pixels);
  const mark = space.mark();
  const [one, other] = [space.take(4 * pixels), space.take(4 * pixels)];
  const room = space.take(Math.max(4 * pixels, 112 * (2 * radius + 1) * (2 * radius + 1) + 400));
  space.kernels.means(reference.at, width, height, Math.round(enlarged), one, room);
  space.kernels.means(warped.at, width, height, Math.round(enlarged), other, room);
  const compared = space.put(warped.compared);
  const squares = space.take(16 * Math.ceil(width / radius) * Math.ceil(height / radius));
  const count = space.kernels.residue(
    one,
    other,
    compared,
    width,
    height,
    radius,
    NOISE_VARIANCE,
    RIDGE_VARIANCE,
    squares,
    room,
  );
  paint(space.doubles(squares, 2 * count), space.floats(other, pixels), width, radius, out);
  space.release(mark);
  return out;
}

/**
 * Writes the size of the difference into squares in which too much is left.
 * @param squares  for each square what is left and the contrast, row by row
 */
function paint(squares: Float64Array, off: Float32Array, width: number, radius: number, out: Float32Array): void {
  const shares = new Float64Array(squares.length / 2);
  let [textured, doubtful] = [0, 0];
  for (let k = 0; k < squares.length; k += 2) {
    const left = squares[k];
    const contrast = squares[k + 1];
    if (contrast >= MIN_TEXTURE_VARIANCE) shares[textured++] = left / contrast;
    if (left > NOISE_VARIANCE + NOISE_CONTRAST_SHARE * contrast) doubtful++;
  }
  if (doubtful === 0) return;
  const place = Math.floor(USUAL_RESIDUE.quantile * textured);
  const usual = textured > 0 ? ranked(shares.subarray(0, textured), place) : 0;
  const share = Math.max(NOISE_CONTRAST_SHARE, USUAL_RESIDUE.factor * usual);
  const columns = Math.ceil((width - 2 * radius - 2) / radius);
  for (let k = 0; k < squares.length / 2; k++) {
    if (squares[2 * k] <= NOISE_VARIANCE + share * squares[2 * k + 1]) continue;
    const left = 1 + radius * (k % columns);
    const top = 1 + radius * Math.floor(k / columns);
    for (let y = top; y <= top + 2 * radius; y++) {
      for (let i = y * width + left; i <= y * width + left + 2 * radius; i++) out[i] = Math.abs(off[i]);
    }
  }
}
