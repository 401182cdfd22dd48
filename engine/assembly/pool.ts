const MAX_AXES = 64;
const MAX_COMPONENTS = 128;
const place = memory.data(4 * MAX_AXES, 16);
const square = memory.data(4 * MAX_AXES, 16);
const shares = memory.data(8 * MAX_COMPONENTS, 8);

/** A component this much less likely than the likeliest one, in natural logarithms, has no share. */
const MAX_LOG_LIKELIHOOD_GAP: f32 = 9;

/**
 * Projects vectors and adds up how they lie about the components of a mixture of Gaussians, each vector once as it is
 * and once as the mirrored picture has it, with the odd axes negated. A vector is shared among the components in
 * proportion to how likely it is under each.
 *
 * @param size     numbers of a vector, a multiple of 4
 * @param axes     dims × size floats, the even axes first; both kinds a multiple of 4
 * @param mean     dims floats, taken off after projecting
 * @param mixture  for each component the factors of the places and of their squares in the logarithm of its
 *                 likelihood, dims floats each, and the constant
 * @param sums     for each component dims sums of the places, dims of their squares, and the sum of the shares
 */
export function pool(
  vectors: usize,
  n: i32,
  size: i32,
  axes: usize,
  mean: usize,
  even: i32,
  dims: i32,
  mixture: usize,
  count: i32,
  sums: usize,
): void {
  const pitch = (<usize>size) << 2;
  const wide = (<usize>dims) << 2;
  const half = (<usize>even) << 2;
  const entry = 2 * wide + 4;
  for (let i = 0; i < n; i++) {
    project(vectors + <usize>i * pitch, pitch, axes, mean, wide);
    share(mixture, entry, half, wide, count);
    for (let k = 0; k < count; k++) {
      const as: f32 = load<f32>(shares + ((<usize>k) << 3));
      const mirrored: f32 = load<f32>(shares + ((<usize>k) << 3), 4);
      if (as + mirrored == 0) continue;
      const sum = sums + <usize>k * entry;
      const both = f32x4.splat(as + mirrored);
      const apart = f32x4.splat(as - mirrored);
      for (let j: usize = 0; j < half; j += 16) add(sum + j, place + j, both);
      for (let j: usize = half; j < wide; j += 16) add(sum + j, place + j, apart);
      for (let j: usize = 0; j < wide; j += 16) add(sum + wide + j, square + j, both);
      store<f32>(sum + 2 * wide, load<f32>(sum + 2 * wide) + as + mirrored);
    }
  }
}

// @ts-ignore: decorator
@inline
function add(to: usize, from: usize, factor: v128): void {
  v128.store(to, f32x4.add(v128.load(to), f32x4.mul(v128.load(from), factor)));
}

function project(vector: usize, pitch: usize, axes: usize, mean: usize, wide: usize): void {
  for (let j: usize = 0; j < wide; j += 4) {
    let dot = f32x4.splat(0);
    for (let at: usize = 0; at < pitch; at += 16) {
      dot = f32x4.add(dot, f32x4.mul(v128.load(vector + at), v128.load(axes + at)));
    }
    axes += pitch;
    const value: f32 = total(dot) - load<f32>(mean + j);
    store<f32>(place + j, value);
    store<f32>(square + j, value * value);
  }
}

/** Fills `shares`, two a component: those of the vector as it is and those of the mirrored one, each summing to 1. */
function share(mixture: usize, entry: usize, half: usize, wide: usize, count: i32): void {
  let best: f32 = -Infinity;
  let bestMirrored: f32 = -Infinity;
  for (let k = 0; k < count; k++) {
    let evenSum = f32x4.splat(0);
    let oddSum = f32x4.splat(0);
    for (let j: usize = 0; j < half; j += 16) {
      evenSum = f32x4.add(evenSum, f32x4.mul(v128.load(place + j), v128.load(mixture + j)));
    }
    for (let j: usize = half; j < wide; j += 16) {
      oddSum = f32x4.add(oddSum, f32x4.mul(v128.load(place + j), v128.load(mixture + j)));
    }
    for (let j: usize = 0; j < wide; j += 16) {
      evenSum = f32x4.add(evenSum, f32x4.mul(v128.load(square + j), v128.load(mixture + wide + j)));
    }
    const middle: f32 = load<f32>(mixture + 2 * wide) + total(evenSum);
    const odd: f32 = total(oddSum);
    best = max(best, middle + odd);
    bestMirrored = max(bestMirrored, middle - odd);
    store<f32>(shares + ((<usize>k) << 3), middle + odd);
    store<f32>(shares + ((<usize>k) << 3), middle - odd, 4);
    mixture += entry;
  }
  spread(shares, best, count);
  spread(shares + 4, bestMirrored, count);
}

function spread(at: usize, best: f32, count: i32): void {
  let whole: f32 = 0;
  for (let k = 0; k < count; k++) {
    const slot = at + ((<usize>k) << 3);
    const likely = exponential(load<f32>(slot) - best);
    store<f32>(slot, likely);
    whole += likely;
  }
  for (let k = 0; k < count; k++) {
    const slot = at + ((<usize>k) << 3);
    store<f32>(slot, load<f32>(slot) / whole);
  }
}

/** e to the x for x <= 0, as the power of 2^20 of 1 + x / 2^20; 0 below -MAX_LOG_LIKELIHOOD_GAP. */
function exponential(x: f32): f32 {
  if (x < -MAX_LOG_LIKELIHOOD_GAP) return 0;
  let power: f64 = 1 + <f64>x / 1048576;
  for (let i = 0; i < 20; i++) power *= power;
  return <f32>power;
}

// @ts-ignore: decorator
@inline
function total(v: v128): f32 {
  return f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3));
}
