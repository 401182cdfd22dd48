import type { Planes } from './planes.ts';
import type { Laid } from './warp.ts';

/** Pixels a tone is told from. */
const SAMPLES = 20_000;
/** Scales, in grey levels, at which a difference begins to count as a real one while the tone is fitted. */
const SCALES = [30, 15, 10, 8, 8];
const [LEAST_GAIN, MOST_GAIN] = [0.4, 2.5];
/** Light that differs from place to place is followed in squares of this share of the long side … */
const SQUARE = 1 / 6;
/** … as far as this many grey levels; more is a difference. */
const MOST_OFFSET = 6;

/** The laid picture in the light of the reference: each channel through a line fitted to what is the same in both. */
export function inTheLightOf(reference: Planes, laid: Laid): Laid {
  const channels = laid.channels.map((values, c) => {
    const target = reference.channels[c];
    const { gain, offset } = tone(values, target, laid.inside);
    const toned = new Float32Array(values.length);
    for (let i = 0; i < values.length; i++) toned[i] = gain * values[i] + offset;
    shade(toned, target, laid);
    return toned;
  });
  return { ...laid, channels: [channels[0], channels[1], channels[2]] };
}

interface Tone {
  readonly gain: number;
  readonly offset: number;
}

/** The line that leads from one channel to the other where they show the same: least squares, reweighted (Cauchy). */
function tone(from: Float32Array, to: Float32Array, inside: Uint8Array): Tone {
  const step = Math.max(1, Math.floor(from.length / SAMPLES)) | 1;
  const xs = new Float32Array(Math.ceil(from.length / step));
  const ys = new Float32Array(xs.length);
  let count = 0;
  for (let i = 0; i < from.length; i += step) {
    if (!inside[i]) continue;
    xs[count] = from[i];
    ys[count++] = to[i];
  }
  let fitted: Tone = { gain: 1, offset: 0 };
  for (const scale of [Infinity, ...SCALES]) fitted = fittedTo(xs.subarray(0, count), ys, fitted, scale);
  return fitted;
}

/** @param scale  in grey levels; what lies further from the line counts less and less */
function fittedTo(xs: Float32Array, ys: Float32Array, { gain, offset }: Tone, scale: number): Tone {
  let n = 0;
  let sx = 0;
  let sy = 0;
  let sxx = 0;
  let sxy = 0;
  for (let i = 0; i < xs.length; i++) {
    const x = xs[i];
    const y = ys[i];
    const off = (y - gain * x - offset) / scale;
    const likely = 1 + off * off;
    const weight = 1 / (likely * likely);
    n += weight;
    sx += weight * x;
    sy += weight * y;
    sxx += weight * x * x;
    sxy += weight * x * y;
  }
  if (n === 0) return { gain, offset };
  const spread = sxx - (sx * sx) / n;
  // a channel without contrast tells no gain: the prior of 1 decides
  const free = (sxy - (sx * sy) / n + 4 * n) / (spread + 4 * n);
  const bounded = Math.min(MOST_GAIN, Math.max(LEAST_GAIN, free));
  return { gain: bounded, offset: (sy - bounded * sx) / n };
}

/** Takes off what is left of the light: the median difference of squares, even between their centres. */
function shade(values: Float32Array, target: Float32Array, { width, height, inside }: Laid): void {
  const side = Math.max(8, Math.ceil(Math.max(width, height) * SQUARE));
  const [columns, rows] = [Math.ceil(width / side), Math.ceil(height / side)];
  const offsets = new Float32Array(columns * rows);
  const found = new Float32Array(Math.ceil(side / 3) * Math.ceil(side / 3));
  for (let square = 0; square < offsets.length; square++) {
    const left = (square % columns) * side;
    const top = Math.floor(square / columns) * side;
    let count = 0;
    for (let y = top; y < Math.min(top + side, height); y += 3) {
      for (let x = left; x < Math.min(left + side, width); x += 3) {
        const i = y * width + x;
        if (inside[i]) found[count++] = target[i] - values[i];
      }
    }
    const median = count > 0 ? found.subarray(0, count).sort()[count >> 1] : 0;
    offsets[square] = Math.min(MOST_OFFSET, Math.max(-MOST_OFFSET, median));
  }
  for (let y = 0; y < height; y++) {
    const [row, nextRow, down] = between((y + 0.5) / side, rows);
    const line = Float32Array.from({ length: columns }, (_, column) =>
      mix(offsets[row * columns + column], offsets[nextRow * columns + column], down),
    );
    for (let x = 0; x < width; x++) {
      const place = (x + 0.5) / side - 0.5;
      const column = Math.floor(place);
      const here = line[Math.max(0, column)];
      values[y * width + x] += here + (place - column) * (line[Math.min(columns - 1, column + 1)] - here);
    }
  }
}

/** Between which two squares a place lies, and how far along. */
function between(place: number, squares: number): [first: number, second: number, along: number] {
  const first = Math.floor(place - 0.5);
  return [Math.max(0, first), Math.min(squares - 1, first + 1), place - 0.5 - first];
}

function mix(a: number, b: number, along: number): number {
  return a + along * (b - a);
}
