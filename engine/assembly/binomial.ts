/** (1 4 6 4 1) / 16 of five values, four columns at a time: close to a Gaussian of sigma 1. */
// @ts-ignore: decorator
@inline
export function binomial(a: v128, b: v128, c: v128, d: v128, e: v128): v128 {
  const outer = f32x4.mul(f32x4.add(a, e), f32x4.splat(1 / 16));
  const inner = f32x4.mul(f32x4.add(b, d), f32x4.splat(4 / 16));
  return f32x4.add(f32x4.add(outer, inner), f32x4.mul(c, f32x4.splat(6 / 16)));
}
