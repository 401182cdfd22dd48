import type { Workspace } from '../kernels/workspace.ts';
import { smallest } from './neighbourhood.ts';
import type { Planes } from './planes.ts';
import type { Laid } from './warp.ts';

/** How one channel is looked at. */
interface Look {
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

const LUMA: Look = { blur: 1, reach: 1, free: 5, share: 0.2, weight: 1 };
const COLOUR: Look = { blur: 2, reach: 2, free: 4, share: 0.25, weight: 1.6 };

/**
 * How much each pixel differs, 0 to 255 and mostly 0: what the values around it in the other picture do not explain,
 * asked both ways, so that edges may be a pixel off and sharper or softer.
 */
export function difference(reference: Planes, laid: Laid, workspace: Workspace): Float32Array {
  const { width, height } = reference;
  const pixels = width * height;
  const mark = workspace.mark();
  const room = (pixels + 3) & ~3; // kernels go by fours
  const out = workspace.take(4 * room);
  workspace.floats(out, room).fill(0);
  const [one, other] = [workspace.take(12 * room), workspace.take(12 * room)];
  const scratch = workspace.take(4 * room);
  [LUMA, COLOUR, COLOUR].forEach((look, c) => {
    ranges(reference.channels[c], one, look);
    ranges(laid.channels[c], other, look);
    workspace.kernels.unexplained(one, other, room, look.free, look.share, look.weight, out);
  });
  const squares = workspace.floats(out, pixels).slice();
  workspace.release(mark);
  const compared = smallest(Float32Array.from(laid.inside), width, height, 3); // the rim of the laid picture is mixed
  const whole = laid.covered === laid.inside.length;
  for (let i = 0; i < pixels; i++) squares[i] = whole || compared[i] > 0 ? Math.min(255, Math.sqrt(squares[i])) : 0;
  return squares;

  /** A channel evened, then the largest and the smallest values around each of its pixels. */
  function ranges(values: Float32Array, at: number, { blur, reach }: Look): void {
    const { kernels } = workspace;
    workspace.floats(at, pixels).set(values);
    kernels.means(at, width, height, blur, at, scratch);
    kernels.extremes(at, width, height, reach, 1, at + 4 * room, scratch);
    kernels.extremes(at, width, height, reach, -1, at + 8 * room, scratch);
  }
}
