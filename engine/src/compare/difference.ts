import { largest, means, smallest } from './neighbourhood.ts';
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
export function difference(reference: Planes, laid: Laid): Float32Array {
  const { width, height } = reference;
  const out = new Float32Array(width * height);
  [LUMA, COLOUR, COLOUR].forEach((look, c) => {
    const off = unexplained(reference.channels[c], laid.channels[c], width, height, look);
    for (let i = 0; i < out.length; i++) out[i] += off[i] * off[i];
  });
  const compared = smallest(Float32Array.from(laid.inside), width, height, 3); // the rim of the laid picture is mixed
  const whole = laid.covered === laid.inside.length;
  for (let i = 0; i < out.length; i++) out[i] = whole || compared[i] > 0 ? Math.min(255, Math.sqrt(out[i])) : 0;
  return out;
}

function unexplained(a: Float32Array, b: Float32Array, width: number, height: number, look: Look): Float32Array {
  const { blur, reach, free, share, weight } = look;
  const [one, other] = [means(a, width, height, blur), means(b, width, height, blur)];
  const [oneTop, oneBottom] = [largest(one, width, height, reach), smallest(one, width, height, reach)];
  const [otherTop, otherBottom] = [largest(other, width, height, reach), smallest(other, width, height, reach)];
  const out = new Float32Array(one.length);
  for (let i = 0; i < out.length; i++) {
    const there = Math.max(one[i] - otherTop[i], otherBottom[i] - one[i]);
    const back = Math.max(other[i] - oneTop[i], oneBottom[i] - other[i]);
    const off = Math.max(there, back) - free;
    if (off <= 0) continue;
    const contrast = Math.min(oneTop[i] - oneBottom[i], otherTop[i] - otherBottom[i]);
    out[i] = weight * Math.max(0, off - share * contrast);
  }
  return out;
}
