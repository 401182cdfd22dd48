/** 1e-30, the coefficients of the polynomial, and fractions of a circle. */
const terms: StaticArray<f32> = [
  1e-30, 0.00331767, -0.01355319, 0.02867333, -0.05256966, 0.15913367, 0.25, 0.5, 1,
];

// @ts-ignore: decorator
@inline
function term(k: usize): v128 {
  return v128.load32_splat(changetype<usize>(terms) + 4 * k);
}

/**
 * The angle of (x, y) as a fraction of a circle in [0, 1), from +x towards +y; (0, 0) gives 0. Four at a time. Error below
 * 2e-6 of a circle: a minimax polynomial for atan on [0, 1] of the kind in M. Abramowitz, I. Stegun, "Handbook of
 * mathematical functions", 4.4.49, its coefficients divided by 2π.
 */
// @ts-ignore: decorator
@inline
export function angleOf(y: v128, x: v128): v128 {
  const zero = f32x4.splat(0);
  const one = term(8);
  const ax = f32x4.abs(x);
  const ay = f32x4.abs(y);
  const big = f32x4.pmax(f32x4.pmax(ax, ay), term(0));
  const a = f32x4.div(f32x4.pmin(ax, ay), big);
  const s = f32x4.mul(a, a);
  let t = term(1);
  t = f32x4.add(f32x4.mul(t, s), term(2));
  t = f32x4.add(f32x4.mul(t, s), term(3));
  t = f32x4.add(f32x4.mul(t, s), term(4));
  t = f32x4.add(f32x4.mul(t, s), term(5));
  t = f32x4.mul(t, a);
  t = v128.bitselect(f32x4.sub(term(6), t), t, f32x4.gt(ay, ax));
  t = v128.bitselect(f32x4.sub(term(7), t), t, f32x4.lt(x, zero));
  t = v128.bitselect(f32x4.sub(one, t), t, f32x4.lt(y, zero));
  return v128.andnot(t, f32x4.ge(t, one));
}

// @ts-ignore: decorator
@inline
export function lengthOf(x: v128, y: v128): v128 {
  return f32x4.sqrt(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)));
}
