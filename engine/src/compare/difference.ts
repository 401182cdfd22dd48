import type { Workspace } from '../kernels/workspace.ts';
import { channelsOf, type PlanesAt } from '../pixels/planes.ts';
import type { Warped } from './warp.ts';

/** How differences in one channel are measured. */
interface Sensitivity {
  /** Radius of the mean taken first: what is finer is resampling and compression. */
  readonly blur: number;
  /** A value is the same when it shows within this radius in the other picture. */
  readonly reach: number;
  /** Grey levels that are always forgiven. */
  readonly free: number;
  /** Share of the contrast around a pixel that is forgiven on top. */
  readonly share: number;
  readonly weight: number;
}

const LUMA_SENSITIVITY: Sensitivity = { blur: 1, reach: 1, free: 5, share: 0.2, weight: 1 };
const COLOUR_SENSITIVITY: Sensitivity = { blur: 2, reach: 2, free: 4, share: 0.25, weight: 1.6 };

/** Distance from grey, in grey levels, from which on a pixel is coloured … */
const MIN_CHROMA = 10;
/** … the most that may be so in a picture without colours, and the least in one with them, as shares. */
const COLOURED_SHARE = { maxInGrey: 0.002, minInColour: 0.3 };

/**
 * How much each pixel differs, 0 to 255 and mostly 0: what the values around it in the other picture do not explain,
 * measured both ways, so that edges may be a pixel off and sharper or softer. Structural similarity (SSIM) would be low in plain
 * places for no visible reason.
 * @param least  what each pixel differs at least
 */
export function difference(
  reference: PlanesAt,
  warped: Warped,
  inColour: boolean,
  least: Float32Array,
  workspace: Workspace,
): Float32Array {
  const { width, height } = reference;
  const pixels = width * height;
  const mark = workspace.mark();
  const padded = (pixels + 3) & ~3; // kernels go by fours
  const out = workspace.take(4 * padded);
  workspace.floats(out, padded).fill(0);
  const [one, other] = [workspace.take(12 * padded), workspace.take(12 * padded)];
  const scratch = workspace.take(4 * padded);
  (inColour ? [LUMA_SENSITIVITY, COLOUR_SENSITIVITY, COLOUR_SENSITIVITY] : [LUMA_SENSITIVITY]).forEach((channel, c) => {
    ranges(reference.at + 4 * pixels * c, one, channel);
    ranges(warped.at + 4 * pixels * c, other, channel);
    workspace.kernels.unexplained(one, other, padded, channel.free, channel.share, channel.weight, out);
  });
  workspace.floats(one, pixels).set(warped.compared);
  workspace.floats(other, pixels).set(least);
  workspace.kernels.strengths(out, one, other, padded);
  const off = workspace.floats(out, pixels).slice();
  workspace.release(mark);
  return off;

  /** A channel evened, then the largest and the smallest values around each of its pixels. */
  function ranges(plane: number, at: number, { blur, reach }: Sensitivity): void {
    const { kernels } = workspace;
    kernels.means(plane, width, height, blur, at, scratch);
    kernels.extremes(at, width, height, reach, 1, at + 4 * padded, scratch);
    kernels.extremes(at, width, height, reach, -1, at + 8 * padded, scratch);
  }
}

/** Whether colours can be compared: a grey picture is not compared in colour with another, unless that has few colours. */
export function comparableInColour(reference: PlanesAt, warped: Warped, workspace: Workspace): boolean {
  const [one, other] = [reference, warped].map((planes) => colourfulness(channelsOf(planes, workspace), warped));
  return Math.min(one, other) > COLOURED_SHARE.maxInGrey || Math.max(one, other) < COLOURED_SHARE.minInColour;
}

function colourfulness([, blue, red]: readonly Float32Array[], { compared }: Warped): number {
  let [coloured, all] = [0, 0];
  for (let i = 0; i < blue.length; i += 7) {
    if (!compared[i]) continue;
    all++;
    if (Math.max(Math.abs(blue[i]), Math.abs(red[i])) > MIN_CHROMA) coloured++;
  }
  return all > 0 ? coloured / all : 0;
}
