/**
 * For each point the squared distance to the nearest one that is clearly stronger: how far around it is the best.
 * Taking points by falling clearance spreads them evenly.
 *
 * M. Brown, R. Szeliski, S. Winder, "Multi-image matching using multi-scale oriented patches", CVPR 2005, section 3,
 * with their robustness factor of 0.9.
 *
 * @param points  n × (x, y, response) floats, strongest first
 * @param out     n floats; the largest float where none is stronger
 */
export function clearance(points: usize, n: i32, out: usize): void {
  let stronger = 0;
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    // four points at once, with those that are stronger than the first of them; then what only the others have
    const p = points + <usize>(12 * i);
    const x = gathered(p);
    const y = gathered(p + 4);
    stronger = strongerThan(points, p, stronger, i);
    let best = f32x4.splat(f32.MAX_VALUE);
    for (let q = points, end = points + <usize>(12 * stronger); q < end; q += 12) {
      const dx = f32x4.sub(v128.load32_splat(q), x);
      const dy = f32x4.sub(v128.load32_splat(q, 4), y);
      best = f32x4.pmin(best, f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy)));
    }
    v128.store(out + ((<usize>i) << 2), best);
    for (let k = 1; k < 4; k++) {
      const further = strongerThan(points, p + <usize>(12 * k), stronger, i + k);
      nearest(points, p + <usize>(12 * k), stronger, further, out + ((<usize>(i + k)) << 2));
    }
  }
  for (; i < n; i++) {
    const p = points + <usize>(12 * i);
    const to = out + ((<usize>i) << 2);
    stronger = strongerThan(points, p, stronger, i);
    store<f32>(to, f32.MAX_VALUE);
    nearest(points, p, 0, stronger, to);
  }
}

/** How many points are clearly stronger than number `i`, at `p`; at least `known`. */
function strongerThan(points: usize, p: usize, known: i32, i: i32): i32 {
  const response = load<f32>(p, 8);
  while (known < i && load<f32>(points + <usize>(12 * known), 8) * <f32>0.9 > response) known++;
  return known;
}

/** Lowers the number at `to` to the squared distance from `p` to the nearest of the points from `first` to `end`. */
function nearest(points: usize, p: usize, first: i32, end: i32, to: usize): void {
  let best = load<f32>(to);
  for (let j = first; j < end; j++) {
    const q = points + <usize>(12 * j);
    const dx: f32 = load<f32>(q) - load<f32>(p);
    const dy: f32 = load<f32>(q, 4) - load<f32>(p, 4);
    best = min<f32>(best, dx * dx + dy * dy);
  }
  store<f32>(to, best);
}

/** One number of each of four points. */
// @ts-ignore: decorator
@inline
function gathered(at: usize): v128 {
  return v128.load32_lane(at + 36, v128.load32_lane(at + 24, v128.load32_lane(at + 12, v128.load32_zero(at), 1), 2), 3);
}
