/**
 * The angle of (x, y) as a fraction of a circle in [0, 1), from +x towards +y; (0, 0) gives 0. Four at a time. Error below
 * 2e-6 of a circle: a minimax polynomial for atan on [0, 1] of the kind in M. Abramowitz, I. Stegun, "Handbook of
 * mathematical functions", 4.4.49, its coefficients divided by 2π.
 */
export function angleOf(y: v128, x: v128): v128 {
  const zero = f32x4.splat(0);
  const one = f32x4.splat(1);
  const ax = f32x4.abs(x);
  const ay = f32x4.abs(y);
  const big = f32x4.max(f32x4.max(ax, ay), f32x4.splat(1e-30));
  const a = f32x4.div(f32x4.min(ax, ay), big);
  const s = f32x4.mul(a, a);
  let t = f32x4.splat(0.00331767);
  t = f32x4.add(f32x4.mul(t, s), f32x4.splat(-0.01355319));
  t = f32x4.add(f32x4.mul(t, s), f32x4.splat(0.02867333));
  t = f32x4.add(f32x4.mul(t, s), f32x4.splat(-0.05256966));
  t = f32x4.add(f32x4.mul(t, s), f32x4.splat(0.15913367));
  t = f32x4.mul(t, a);
  t = v128.bitselect(f32x4.sub(f32x4.splat(0.25), t), t, f32x4.gt(ay, ax));
  t = v128.bitselect(f32x4.sub(f32x4.splat(0.5), t), t, f32x4.lt(x, zero));
  t = v128.bitselect(f32x4.sub(one, t), t, f32x4.lt(y, zero));
  return v128.bitselect(zero, t, f32x4.ge(t, one));
}
