import { ranked } from './rank';

/**
 * Puts a picture of three planes into another light: brightness by a cubic curve times light that falls off over the picture, each colour
 * difference by brightness and both of them.
 *
 * @param planes  w × h floats each, one after another: brightness, then the colour differences
 * @param laws    nine float64 for brightness: a cubic curve, then how much light falls off across, down, and by their products; six for each colour
 *                difference: a constant, by blue, by red, by brightness, by its products with them
 * @param out     as many floats
 */
export function relight(planes: usize, w: i32, h: i32, laws: usize, out: usize): void {
  const plane = (<usize>(w * h)) << 2;
  const blueLaw = laws + 72;
  const redLaw = laws + 120;
  for (let row = 0; row < h; row++) {
    const v = <f64>(2 * row + 1) / <f64>h - 1;
    const down = f64x2.splat(v * (load<f64>(laws, 40) + load<f64>(laws, 64) * v));
    const uv = f64x2.splat(load<f64>(laws, 56) * v);
    for (let column = 0; column < w; column += 2) {
      const at = (<usize>(row * w + column)) << 2;
      const both = column + 1 < w;
      const y = f64x2.div(two(planes + at), f64x2.splat(255));
      const blue = f64x2.mul(two(planes + plane + at), f64x2.splat(1 / 128));
      const red = f64x2.mul(two(planes + 2 * plane + at), f64x2.splat(1 / 128));
      const x = f64x2.div(f64x2(<f64>(2 * column + 1), <f64>(2 * column + 3)), f64x2.splat(<f64>w));
      const u = f64x2.sub(x, f64x2.splat(1));
      const across = f64x2.mul(u, f64x2.add(plus(laws, 32, 48, u), uv));
      const curve = f64x2.add(v128.load64_splat(laws, 8), f64x2.mul(y, plus(laws, 16, 24, y)));
      const slope = f64x2.add(f64x2.add(curve, across), down);
      storeTwo(out + at, f64x2.add(v128.load64_splat(laws), f64x2.mul(y, slope)), both);
      storeTwo(out + plane + at, recoloured(blueLaw, y, blue, red), both);
      storeTwo(out + 2 * plane + at, recoloured(redLaw, y, blue, red), both);
    }
  }
}

// @ts-ignore: decorator
@inline
function recoloured(law: usize, y: v128, blue: v128, red: v128): v128 {
  const byBlue = f64x2.mul(plus(law, 8, 32, y), blue);
  return f64x2.add(f64x2.add(plus(law, 0, 24, y), byBlue), f64x2.mul(plus(law, 16, 40, y), red));
}

/** A factor of a law plus another one times something. */
// @ts-ignore: decorator
@inline
function plus(law: usize, one: usize, other: usize, times: v128): v128 {
  return f64x2.add(v128.load64_splat(law + one), f64x2.mul(v128.load64_splat(law + other), times));
}

// @ts-ignore: decorator
@inline
function two(at: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(at));
}

// @ts-ignore: decorator
@inline
function storeTwo(at: usize, values: v128, both: bool): void {
  const floats = f32x4.demote_f64x2_zero(values);
  if (both) v128.store64_lane(at, floats, 0);
  else v128.store32_lane(at, floats, 0);
}

/** Only one of so many pixels counts, across and down. */
const STRIDE = 3;

/**
 * The median of how much a plane lies below another one, in squares.
 *
 * @param values, target  w × h floats
 * @param inside          as many bytes, not 0 where pixels count
 * @param side            of a square, in pixels
 * @param limit           the largest size of a median; beyond it this is taken
 * @param out             a float for each square, row by row; 0 where no pixel counts
 * @param scratch         side × side floats
 */
export function squareMedians(values: usize, target: usize, inside: usize, w: i32, h: i32, side: i32, limit: f32, out: usize, scratch: usize): void {
  for (let top = 0; top < h; top += side) {
    for (let left = 0; left < w; left += side) {
      let count = 0;
      for (let y = top; y < min(top + side, h); y += STRIDE) {
        for (let x = left; x < min(left + side, w); x += STRIDE) {
          const i = <usize>(y * w + x);
          if (!load<u8>(inside + i)) continue;
          store<f32>(scratch + ((<usize>count) << 2), load<f32>(target + (i << 2)) - load<f32>(values + (i << 2)));
          count++;
        }
      }
      const middle = count > 0 ? ranked<f32>(scratch, count, count >> 1) : 0;
      store<f32>(out, min<f32>(limit, max<f32>(-limit, middle)));
      out += 4;
    }
  }
}

/**
 * Adds to each pixel an offset that is even between the centres of squares.
 *
 * @param values   w × h floats
 * @param side     of a square, in pixels
 * @param offsets  a float for each square, row by row
 * @param line     as many floats as a row has squares
 */
export function shade(values: usize, w: i32, h: i32, side: i32, offsets: usize, line: usize): void {
  const columns = (w + side - 1) / side;
  const rows = (h + side - 1) / side;
  const size = <f64>side;
  for (let y = 0; y < h; y++, values += (<usize>w) << 2) {
    const place = (<f64>y + 0.5) / size;
    const above = <i32>floor<f64>(place - 0.5);
    const down = place - 0.5 - <f64>above;
    const upper = offsets + ((<usize>(max(0, above) * columns)) << 2);
    const lower = offsets + ((<usize>(min(rows - 1, above + 1) * columns)) << 2);
    for (let at: usize = 0; at < (<usize>columns) << 2; at += 4) {
      const here = <f64>load<f32>(upper + at);
      store<f32>(line + at, <f32>(here + down * (<f64>load<f32>(lower + at) - here)));
    }
    for (let column = -1; column < columns; column++) {
      const here = <f64>load<f32>(line + ((<usize>max(0, column)) << 2));
      const rise = <f64>load<f32>(line + ((<usize>min(columns - 1, column + 1)) << 2)) - here;
      const first = max(0, <i32>ceil<f64>((<f64>column + 0.5) * size - 0.5));
      const end = min(w, <i32>ceil<f64>((<f64>column + 1.5) * size - 0.5));
      for (let x = first; x < end; x++) {
        const at = values + ((<usize>x) << 2);
        const along = (<f64>x + 0.5) / size - 0.5 - <f64>column;
        store<f32>(at, <f32>(<f64>load<f32>(at) + (here + along * rise)));
      }
    }
  }
}

/**
 * What one picture holds at its end of the scale may be as far beyond it as the other one shows: there the value becomes the other's.
 *
 * @param lit     n floats, 4 at least, of the first picture in the light of the other
 * @param before  the same in its own light
 * @param target  of the other
 */
export function unclip(lit: usize, before: usize, target: usize, n: i32, black: f32, white: f32): void {
  const darkest = f32x4.splat(black);
  const lightest = f32x4.splat(white);
  for (let i = 0; i < n; i += 4) {
    const at = (<usize>min(i, n - 4)) << 2; // the last four may be in the four before
    const value = v128.load(lit + at);
    const own = v128.load(before + at);
    const other = v128.load(target + at);
    const above = v128.and(f32x4.ge(own, lightest), f32x4.gt(other, value));
    const below = v128.and(f32x4.le(own, darkest), f32x4.lt(other, value));
    const otherAbove = v128.and(f32x4.ge(other, lightest), f32x4.gt(value, other));
    const otherBelow = v128.and(f32x4.le(other, darkest), f32x4.lt(value, other));
    const within = v128.or(v128.or(above, below), v128.or(otherAbove, otherBelow));
    v128.store(lit + at, v128.bitselect(other, value, within));
  }
}
