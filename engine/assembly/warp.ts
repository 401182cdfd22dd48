/** So many pixels of a row go through each step at once. */
const BLOCK_PIXELS = 64;
/** For each of them the pixel up and left of its place, across and down, and the distance from it: two int32, two float32. */
const places = memory.data(16 * 64, 16);

/**
 * Lays a picture of three planes onto a grid through a homography; bilinear between the four pixels around a place, the
 * border pixel repeated.
 *
 * @param planes  the three planes of sw × sh floats one after another
 * @param map     nine float64, row by row, from pixels of the grid to pixels of the picture
 * @param out     three planes of w × h floats; zeros where the picture does not reach
 * @param inside  w × h bytes, 1 where it reaches
 * @returns how many pixels of the grid it reaches
 */
export function warp(planes: usize, sw: i32, sh: i32, map: usize, w: i32, h: i32, out: usize, inside: usize): i32 {
  const plane = (<usize>(sw * sh)) << 2;
  const grid = (<usize>(w * h)) << 2;
  const first = f64x2(load<f64>(map), load<f64>(map, 24));
  const size = f64x2(<f64>sw, <f64>sh);
  let covered = 0;
  for (let row = 0; row < h; row++) {
    const py = <f64>row + 0.5;
    const start = f64x2(load<f64>(map, 8) * py + load<f64>(map, 16), load<f64>(map, 32) * py + load<f64>(map, 40));
    const w0 = load<f64>(map, 56) * py + load<f64>(map, 64);
    for (let from = 0; from < w; from += BLOCK_PIXELS) {
      const end = min(from + BLOCK_PIXELS, w);
      // first where they lie: the processor goes on to the next pixel while it waits for one
      for (let column = from; column < end; column++) {
        const px = <f64>column + 0.5;
        const scale = load<f64>(map, 48) * px + w0;
        let place = f64x2.add(f64x2.mul(first, f64x2.splat(px)), start);
        if (scale != 1) place = f64x2.div(place, f64x2.splat(scale));
        const beyond = v128.or(f64x2.lt(place, f64x2.splat(0)), f64x2.gt(place, size));
        const isInside = scale > 0 && !v128.any_true(beyond);
        store<u8>(inside + <usize>(row * w + column), <u8>isInside);
        const at = withinPixels(place, sw, sh);
        const whole = f64x2.floor(at);
        const shares = f32x4.demote_f64x2_zero(f64x2.sub(at, whole));
        const pixel = i32x4.trunc_sat_f64x2_s_zero(whole);
        v128.store(places + ((<usize>(column - from)) << 4), v128.shuffle<i32>(pixel, shares, 0, 1, 4, 5));
      }
      for (let column = from; column < end; column++) {
        const to = out + ((<usize>(row * w + column)) << 2);
        if (!load<u8>(inside + <usize>(row * w + column))) {
          store<f32>(to, 0);
          store<f32>(to + grid, 0);
          store<f32>(to + 2 * grid, 0);
          continue;
        }
        covered++;
        const place = places + ((<usize>(column - from)) << 4);
        const left = load<i32>(place);
        const top = load<i32>(place, 4);
        const across = load<f32>(place, 8);
        const below = load<f32>(place, 12);
        const right: usize = left < sw - 1 ? 4 : 0;
        const down: usize = top < sh - 1 ? (<usize>sw) << 2 : 0;
        let source = planes + ((<usize>(top * sw + left)) << 2);
        for (let c = 0; c < 3; c++) {
          const upper = mix(load<f32>(source), load<f32>(source + right), across);
          const lower = mix(load<f32>(source + down), load<f32>(source + down + right), across);
          store<f32>(to + <usize>c * grid, mix(upper, lower, below));
          source += plane;
        }
      }
    }
  }
  return covered;
}

/** A place, less half a pixel, so that it lies between the centres of pixels. */
// @ts-ignore: decorator
@inline
export function withinPixels(place: v128, w: i32, h: i32): v128 {
  const last = f64x2(<f64>(w - 1), <f64>(h - 1));
  return f64x2.pmin(f64x2.pmax(f64x2.sub(place, f64x2.splat(0.5)), f64x2.splat(0)), last);
}

// @ts-ignore: decorator
@inline
function mix(a: f32, b: f32, share: f32): f32 {
  return a + share * (b - a);
}
