/**
 * The angle of (x, y) as a fraction of a turn in [0, 1), from +x towards +y; (0, 0) gives 0. Error below 2e-6 turns.
 * A minimax polynomial for atan on [0, 1] of the kind in Abramowitz and Stegun, "Handbook of Mathematical Functions",
 * 4.4.49, whose coefficients divided by 2π give turns.
 */
export function turns(y: f32, x: f32): f32 {
  const ax = abs<f32>(x);
  const ay = abs<f32>(y);
  const big = max<f32>(ax, ay);
  if (big == 0) return 0;
  const a: f32 = min<f32>(ax, ay) / big;
  const s: f32 = a * a;
  let t: f32 =
    a * (<f32>0.15913367 + s * (<f32>-0.05256966 + s * (<f32>0.02867333 + s * (<f32>-0.01355319 + s * <f32>0.00331767))));
  if (ay > ax) t = <f32>0.25 - t;
  if (x < 0) t = <f32>0.5 - t;
  if (y < 0) t = <f32>1 - t;
  return t >= 1 ? 0 : t;
}
