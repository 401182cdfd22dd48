import { binomial } from './binomial';

/**
 * How much of a corner each pixel is: the smaller eigenvalue of the structure tensor, gathered with a binomial window,
 * (1 4 6 4 1) / 16 along both axes.
 *
 *     M = Σ w · (Ix²  IxIy)      response = (M11 + M22)/2 - sqrt(((M11 - M22)/2)² + M12²)
 *               (IxIy  Iy²)      Ix = I(x+1, y) - I(x-1, y), in grey levels per two pixels
 *
 * J. Shi, C. Tomasi, "Good features to track", CVPR 1994, section 4. The outermost pixels have no gradient; what lies
 * beyond the border has none either.
 *
 * @param scratch  30 * (w + 8) + 3 floats
 */
export function corners(src: usize, w: i32, h: i32, dst: usize, scratch: usize): void {
  // six lines of gradient products and the next two go round, two more hold their sums down the columns, of two lines at once;
  // four floats of room on either side
  const length = (<usize>(w + 8)) << 2;
  const size: usize = 3 * length;
  const down = scratch + 8 * size;
  memory.fill(scratch, 0, 10 * size);
  let l0 = scratch;
  let l1 = l0 + size;
  let l2 = l1 + size;
  let l3 = l2 + size;
  let l4 = l3 + size;
  let l5 = l4 + size;
  let next = l5 + size;
  let after = next + size;
  for (let y = -2; y < h; y += 2) {
    products(src, w, h, y + 2, next, length);
    products(src, w, h, y + 3, after, length);
    const oldest = l0;
    const old = l1;
    l0 = l2;
    l1 = l3;
    l2 = l4;
    l3 = l5;
    l4 = next;
    l5 = after;
    next = oldest;
    after = old;
    if (y < 0) continue;
    for (let at: usize = 0; at < size; at += 16) {
      const a = v128.load(l0 + at);
      const b = v128.load(l1 + at);
      const c = v128.load(l2 + at);
      const d = v128.load(l3 + at);
      const e = v128.load(l4 + at);
      const f = v128.load(l5 + at);
      v128.store(down + at, binomial(a, b, c, d, e));
      v128.store(down + size + at, binomial(b, c, d, e, f));
    }
    const out = dst + ((<usize>(y * w)) << 2);
    responses(down, w, length, out);
    if (y + 1 < h) responses(down + size, w, length, out + ((<usize>w) << 2));
  }
}

/** A line of responses from sums down the columns, whose first four floats it uses. */
function responses(down: usize, w: i32, length: usize, out: usize): void {
  let x = 0;
  let at = down + 8;
  for (; x + 4 <= w; x += 4) {
    v128.store(out, smaller(across(at), across(at + length), across(at + 2 * length)));
    at += 16;
    out += 16;
  }
  if (x == w) return;
  v128.store(down, smaller(across(at), across(at + length), across(at + 2 * length)));
  memory.copy(out, down, (<usize>(w - x)) << 2);
  v128.store(down, f32x4.splat(0));
}

/** Ix², Iy² and IxIy of line `y`, one after the other; zeros beyond the picture and on its border. */
function products(src: usize, w: i32, h: i32, y: i32, out: usize, length: usize): void {
  if (y < 1 || y >= h - 1) {
    memory.fill(out, 0, 3 * length);
    return;
  }
  const pitch = (<usize>w) << 2;
  const row = src + <usize>y * pitch;
  let x = 1;
  for (; x + 5 <= w; x += 4) {
    const at = row + ((<usize>x) << 2);
    const ix = f32x4.sub(v128.load(at, 4), v128.load(at - 4));
    const iy = f32x4.sub(v128.load(at + pitch), v128.load(at - pitch));
    const to = out + 16 + ((<usize>x) << 2);
    v128.store(to, f32x4.mul(ix, ix));
    v128.store(to + length, f32x4.mul(iy, iy));
    v128.store(to + 2 * length, f32x4.mul(ix, iy));
  }
  for (; x < w - 1; x++) {
    const at = row + ((<usize>x) << 2);
    const ix: f32 = load<f32>(at, 4) - load<f32>(at - 4);
    const iy: f32 = load<f32>(at + pitch) - load<f32>(at - pitch);
    const to = out + 16 + ((<usize>x) << 2);
    store<f32>(to, ix * ix);
    store<f32>(to + length, iy * iy);
    store<f32>(to + 2 * length, ix * iy);
  }
}

// @ts-ignore: decorator
@inline
function across(at: usize): v128 {
  return binomial(v128.load(at), v128.load(at, 4), v128.load(at, 8), v128.load(at, 12), v128.load(at, 16));
}

/** The smaller eigenvalue of (xx xy; xy yy). */
// @ts-ignore: decorator
@inline
function smaller(xx: v128, yy: v128, xy: v128): v128 {
  const half = f32x4.splat(0.5);
  const mean = f32x4.mul(f32x4.add(xx, yy), half);
  const diff = f32x4.mul(f32x4.sub(xx, yy), half);
  return f32x4.sub(mean, f32x4.sqrt(f32x4.add(f32x4.mul(diff, diff), f32x4.mul(xy, xy))));
}
