import { means } from './means';
import { RECORD_BYTES, WEIGHT } from './normal-equations';
import { ranked } from './rank';
import { withinPixels } from './warp';

/**
 * Levels the brightness and the contrast of a plane: takes off the mean around each pixel and divides by the deviation there.
 *
 * @param plane    w × h floats, room for a multiple of four; replaced
 * @param floor    added to each deviation
 * @param scratch  twice the room
 */
export function level(plane: usize, w: i32, h: i32, radius: i32, floor: f64, scratch: usize): void {
  const bytes = ((<usize>(w * h) + 3) & ~3) << 2;
  means(plane, w, h, radius, scratch, scratch + bytes);
  for (let at: usize = 0; at < bytes; at += 16) {
    const centred = f32x4.sub(v128.load(plane + at), v128.load(scratch + at));
    v128.store(plane + at, centred);
    v128.store(scratch + at, f32x4.mul(centred, centred));
  }
  means(scratch, w, h, radius, scratch, scratch + bytes);
  const floors = f64x2.splat(floor);
  for (let at: usize = 0; at < bytes; at += 8) {
    const deviation = f64x2.sqrt(f64x2.promote_low_f32x4(v128.load64_zero(scratch + at)));
    const centred = f64x2.promote_low_f32x4(v128.load64_zero(plane + at));
    const levelled = f64x2.div(centred, f64x2.add(floors, deviation));
    v128.store64_lane(plane + at, f32x4.demote_f64x2_zero(levelled), 0);
  }
}

/** Places in a record of the normal equations. */
const ERROR: usize = 64;
const VALUE: usize = 72;
const X: usize = 88;
const Y: usize = 96;
/** Least square of twice the slope at a place. */
const MIN_STEEPNESS: f64 = 0.01;

/**
 * The steepest pixel of each cell of a grid, as records of the normal equations: eight columns say how its value changes with each number of
 * a homography between coordinates of about [-1, 1]; then its value, and its place in pixels.
 *
 * @param values  w × h floats
 * @param cell    side of a cell, in pixels
 * @param out     a record of 14 float64 for each cell
 * @returns the number of records: plain cells have none
 */
export function steepest(values: usize, w: i32, h: i32, cell: i32, out: usize): i32 {
  const pitch = (<usize>w) << 2;
  const half = <f64>max(w, h) / 2;
  let to = out;
  for (let top = 1; top < h - 1; top += cell) {
    for (let left = 1; left < w - 1; left += cell) {
      let best = MIN_STEEPNESS;
      let bestX = 0;
      let bestY = 0;
      for (let y = top; y < min(top + cell, h - 1); y++) {
        let at = values + <usize>y * pitch + ((<usize>left) << 2);
        for (let x = left; x < min(left + cell, w - 1); x++) {
          const gx = <f64>load<f32>(at, 4) - <f64>load<f32>(at - 4);
          const gy = <f64>load<f32>(at + pitch) - <f64>load<f32>(at - pitch);
          const steepness = gx * gx + gy * gy;
          if (steepness > best) {
            best = steepness;
            bestX = x;
            bestY = y;
          }
          at += 4;
        }
      }
      if (bestX == 0) continue;
      const at = values + <usize>bestY * pitch + ((<usize>bestX) << 2);
      const gx = ((<f64>load<f32>(at, 4) - <f64>load<f32>(at - 4)) / 2) * half;
      const gy = ((<f64>load<f32>(at + pitch) - <f64>load<f32>(at - pitch)) / 2) * half;
      const x = (<f64>bestX + 0.5 - <f64>w / 2) / half;
      const y = (<f64>bestY + 0.5 - <f64>h / 2) / half;
      const along = gx * x + gy * y;
      v128.store(to, f64x2.mul(f64x2.splat(gx), f64x2(x, y)));
      v128.store(to, f64x2(gx, gy * x), 16);
      v128.store(to, f64x2(gy * y, gy), 32);
      v128.store(to, f64x2.mul(f64x2(-x, -y), f64x2.splat(along)), 48);
      store<f64>(to + VALUE, <f64>load<f32>(at));
      store<f64>(to + X, <f64>bestX + 0.5);
      store<f64>(to + Y, <f64>bestY + 0.5);
      to += RECORD_BYTES;
    }
  }
  return <i32>((to - out) / RECORD_BYTES);
}

/**
 * Writes into the ninth column of records what another picture shows at their places, less what they have, NaN outside; and weights by it:
 * Tukey's biweight, which counts for nothing from `factor` times the median size on.
 *
 * @param records  n records of `steepest`
 * @param map      nine float64, from the records' places to pixels of the other picture
 * @param least    the least median
 * @param sizes    scratch: n float64
 * @returns how many are inside
 */
export function weighByDistance(records: usize, n: i32, other: usize, w: i32, h: i32, map: usize, factor: f64, least: f64, sizes: usize): i32 {
  const end = records + <usize>n * RECORD_BYTES;
  let inside = 0;
  for (let at = records; at < end; at += RECORD_BYTES) {
    const x = load<f64>(at, X);
    const y = load<f64>(at, Y);
    const scale = load<f64>(map, 48) * x + load<f64>(map, 56) * y + load<f64>(map, 64);
    const place = f64x2.div(placed(map, x, y), f64x2.splat(scale));
    const u = f64x2.extract_lane(place, 0);
    const v = f64x2.extract_lane(place, 1);
    const isInside = u >= 1 && v >= 1 && u < <f64>(w - 1) && v < <f64>(h - 1);
    const error = isInside ? sampled(other, w, h, place) - load<f64>(at, VALUE) : NaN;
    store<f64>(at, error, ERROR);
    if (isInside) store<f64>(sizes + ((<usize>inside) << 3), abs<f64>(error));
    inside += <i32>isInside;
  }
  if (inside == 0) return 0;
  const reach = factor * max<f64>(ranked<f64>(sizes, inside, inside >> 1), least);
  for (let at = records; at < end; at += RECORD_BYTES) {
    const off = load<f64>(at, ERROR) / reach;
    const rest = 1 - off * off;
    store<f64>(at, rest > 0 ? rest * rest : 0, WEIGHT);
  }
  return inside;
}

/**
 * Sums over the pixels of a plane that another one covers.
 *
 * @param map  nine float64, from pixels of the plane to pixels of the other
 * @param out  4 float64: the pixels, the squares of both values, their product
 */
export function likeness(plane: usize, w: i32, h: i32, other: usize, otherW: i32, otherH: i32, map: usize, out: usize): void {
  let count = 0;
  let squares: f64 = 0;
  let otherSquares: f64 = 0;
  let products: f64 = 0;
  for (let row = 0; row < h; row++) {
    const y = <f64>row + 0.5;
    for (let column = 0; column < w; column++, plane += 4) {
      const x = <f64>column + 0.5;
      const scale = load<f64>(map, 48) * x + load<f64>(map, 56) * y + load<f64>(map, 64);
      let place = placed(map, x, y);
      if (scale != 1) place = f64x2.div(place, f64x2.splat(scale));
      const u = f64x2.extract_lane(place, 0);
      const v = f64x2.extract_lane(place, 1);
      if (!(u >= 0 && v >= 0 && u < <f64>otherW && v < <f64>otherH)) continue;
      const value = <f64>load<f32>(plane);
      const there = sampled(other, otherW, otherH, place);
      count++;
      squares += value * value;
      otherSquares += there * there;
      products += value * there;
    }
  }
  store<f64>(out, <f64>count);
  store<f64>(out, squares, 8);
  store<f64>(out, otherSquares, 16);
  store<f64>(out, products, 24);
}

/** Where a map takes a place, before the division. */
// @ts-ignore: decorator
@inline
function placed(map: usize, x: f64, y: f64): v128 {
  const u = load<f64>(map) * x + load<f64>(map, 8) * y + load<f64>(map, 16);
  return f64x2(u, load<f64>(map, 24) * x + load<f64>(map, 32) * y + load<f64>(map, 40));
}

/** Bilinear, with the border pixel repeated. */
// @ts-ignore: decorator
@inline
function sampled(plane: usize, w: i32, h: i32, place: v128): f64 {
  const within = withinPixels(place, w, h);
  const whole = f64x2.floor(within);
  const pixel = i32x4.trunc_sat_f64x2_s_zero(whole);
  const left = i32x4.extract_lane(pixel, 0);
  const top = i32x4.extract_lane(pixel, 1);
  const right: usize = left < w - 1 ? 4 : 0;
  const down: usize = top < h - 1 ? (<usize>w) << 2 : 0;
  const at = plane + ((<usize>(top * w + left)) << 2);
  const shares = f64x2.sub(within, whole);
  const across = f64x2.extract_lane(shares, 0);
  const upper = mixed(at, right, across);
  return upper + f64x2.extract_lane(shares, 1) * (mixed(at + down, right, across) - upper);
}

// @ts-ignore: decorator
@inline
function mixed(at: usize, right: usize, share: f64): f64 {
  const first = <f64>load<f32>(at);
  return first + share * (<f64>load<f32>(at + right) - first);
}
