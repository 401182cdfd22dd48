import { normalEquations, RECORD_BYTES, ROW_BYTES, WEIGHT } from './normal-equations';

/** What explains a difference: motion across and down, softening, contrast, brightness. */
const REGRESSORS: usize = 5;
/** How a square's brightness counts: plain places are about light, not structure. */
const BRIGHTNESS: f64 = 16;

/**
 * How much of the difference of two planes motion, softening and light leave in squares, each fitted by least squares. Squares lie `radius`
 * apart, row by row, from radius + 1 on; they and a pixel around them lie in the planes.
 *
 * @param one       w × h floats, room for a multiple of four; becomes the mean of both
 * @param other     as many; becomes what they differ, 0 where they are not compared
 * @param compared  as many, above 0 where they are
 * @param noise     mean square up to which a difference needs no explanation
 * @param ridge     variance of each cause that is never believed
 * @param out       2 float64 a square: the mean square that is left, and the variance of the mean
 * @param scratch   room for (2 radius + 1)² records, and 400 bytes
 * @returns how many squares there are
 */
export function residue(one: usize, other: usize, compared: usize, w: i32, h: i32, radius: i32, noise: f64, ridge: f64, out: usize, scratch: usize): i32 {
  for (let at: usize = 0; at < (<usize>(w * h)) << 2; at += 16) {
    const a = v128.load(one + at);
    const b = v128.load(other + at);
    v128.store(one + at, f32x4.mul(f32x4.add(a, b), f32x4.splat(0.5)));
    const isCompared = f32x4.gt(v128.load(compared + at), f32x4.splat(0));
    v128.store(other + at, v128.and(f32x4.sub(a, b), isCompared));
  }
  const side = 2 * radius + 1;
  const pixels = <f64>(side * side);
  const records = scratch + REGRESSORS * ROW_BYTES;
  memory.fill(scratch, 0, REGRESSORS * ROW_BYTES + <usize>(side * side) * RECORD_BYTES);
  const pitch = (<usize>w) << 2;
  let count = 0;
  for (let y = radius + 1; y < h - radius - 1; y += radius) {
    for (let x = radius + 1; x < w - radius - 1; x += radius, count++) {
      const first = (<usize>((y - radius) * w + x - radius)) << 2;
      let sum: f64 = 0;
      let squares: f64 = 0;
      let energy: f64 = 0;
      for (let row = 0, line = first; row < side; row++, line += pitch) {
        for (let at = line; at < line + ((<usize>side) << 2); at += 4) {
          const mean = <f64>load<f32>(one + at);
          const off = <f64>load<f32>(other + at);
          sum += mean;
          squares += mean * mean;
          energy += off * off;
        }
      }
      const level = sum / pixels;
      if (energy > pixels * noise) energy -= explained(one, other, pitch, first, side, level, ridge * pixels, records, scratch);
      const to = out + ((<usize>count) << 4);
      store<f64>(to, energy / pixels);
      store<f64>(to, squares / pixels - level * level, 8);
    }
  }
  return count;
}

/** How much of the energy the causes explain: the normal equations by Gauss's elimination, which the upper half is enough for. */
function explained(one: usize, other: usize, pitch: usize, first: usize, side: i32, level: f64, ridge: f64, records: usize, sums: usize): f64 {
  let to = records;
  for (let row = 0, line = first; row < side; row++, line += pitch) {
    for (let at = line; at < line + ((<usize>side) << 2); at += 4) {
      const here = <f64>load<f32>(one + at);
      const west = <f64>load<f32>(one + at - 4);
      const east = <f64>load<f32>(one + at, 4);
      const north = <f64>load<f32>(one + at - pitch);
      const south = <f64>load<f32>(one + at + pitch);
      store<f64>(to, (east - west) / 2);
      store<f64>(to, (south - north) / 2, 8);
      store<f64>(to, west + east + north + south - 4 * here, 16);
      store<f64>(to, here - level, 24);
      store<f64>(to, BRIGHTNESS, 32);
      store<f64>(to, <f64>load<f32>(other + at), 40);
      store<f64>(to + WEIGHT, 1);
      to += RECORD_BYTES;
    }
  }
  normalEquations(records, side * side, <i32>REGRESSORS, sums);
  for (let a: usize = 0; a < REGRESSORS; a++) {
    const diagonal = sums + a * (ROW_BYTES + 8);
    store<f64>(diagonal, load<f64>(diagonal) + ridge);
  }
  let sum: f64 = 0;
  for (let a: usize = 0; a < REGRESSORS; a++) {
    const row = sums + a * ROW_BYTES;
    const pivot = load<f64>(row + (a << 3));
    const right = load<f64>(row, 40);
    sum += (right * right) / pivot;
    for (let b = a + 1; b < REGRESSORS; b++) {
      const factor = load<f64>(row + (b << 3)) / pivot;
      for (let c = b << 3; c <= 40; c += 8) {
        const to = sums + b * ROW_BYTES + c;
        store<f64>(to, load<f64>(to) - factor * load<f64>(row + c));
      }
    }
  }
  return sum;
}
