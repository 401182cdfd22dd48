import type { Workspace } from '../kernels/workspace.ts';
import type { Planes } from '../pixels/planes.ts';
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

/** Distance from grey, in grey levels, from which on a pixel is coloured … */
const COLOURED = 10;
/** … the most that may be so in a picture without colours, and the least in one with them, as shares. */
const [GREY, COLOURFUL] = [0.002, 0.3];

/**
 * How much each pixel differs, 0 to 255 and mostly 0: what the values around it in the other picture do not explain,
 * asked both ways, so that edges may be a pixel off and sharper or softer.
 */
export function difference(reference: Planes, laid: Laid, inColour: boolean, workspace: Workspace): Float32Array {
  const { width, height } = reference;
  const pixels = width * height;
  const mark = workspace.mark();
  const room = (pixels + 3) & ~3; // kernels go by fours
  const out = workspace.take(4 * room);
  workspace.floats(out, room).fill(0);
  const [one, other] = [workspace.take(12 * room), workspace.take(12 * room)];
  const scratch = workspace.take(4 * room);
  (inColour ? [LUMA, COLOUR, COLOUR] : [LUMA]).forEach((look, c) => {
    ranges(reference.channels[c], one, look);
    ranges(laid.channels[c], other, look);
    workspace.kernels.unexplained(one, other, room, look.free, look.share, look.weight, out);
  });
  const squares = workspace.floats(out, pixels).slice();
  workspace.release(mark);
  for (let i = 0; i < pixels; i++) squares[i] = laid.compared[i] > 0 ? Math.min(255, Math.sqrt(squares[i])) : 0;
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

/** Whether colours can be compared: a picture in grey says nothing of those in the other, unless they are few and stand out. */
export function comparableInColour(reference: Planes, laid: Laid): boolean {
  const [one, other] = [colourfulness(reference, laid), colourfulness(laid, laid)];
  return Math.min(one, other) > GREY || Math.max(one, other) < COLOURFUL;
}

function colourfulness({ channels: [, blue, red] }: Planes, { compared }: Laid): number {
  let [coloured, all] = [0, 0];
  for (let i = 0; i < blue.length; i += 7) {
    if (!compared[i]) continue;
    all++;
    if (Math.max(Math.abs(blue[i]), Math.abs(red[i])) > COLOURED) coloured++;
  }
  return all > 0 ? coloured / all : 0;
}
