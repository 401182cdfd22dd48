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
  for (let i = 0; i < n; i++) {
    const p = points + <usize>(12 * i);
    const x = load<f32>(p);
    const y = load<f32>(p, 4);
    const response = load<f32>(p, 8);
    while (stronger < i && load<f32>(points + <usize>(12 * stronger), 8) * <f32>0.9 > response) stronger++;
    let best: f32 = f32.MAX_VALUE;
    for (let j = 0; j < stronger; j++) {
      const q = points + <usize>(12 * j);
      const dx: f32 = load<f32>(q) - x;
      const dy: f32 = load<f32>(q, 4) - y;
      best = min<f32>(best, dx * dx + dy * dy);
    }
    store<f32>(out + ((<usize>i) << 2), best);
  }
}
