import { smooth } from './smooth';

/**
 * How much of a corner each pixel is: the smaller eigenvalue of the structure tensor, gathered with a binomial window.
 *
 *     M = Σ w · (Ix²  IxIy)      response = (M11 + M22)/2 - sqrt(((M11 - M22)/2)² + M12²)
 *               (IxIy  Iy²)      Ix = I(x+1, y) - I(x-1, y), in grey levels per two pixels
 *
 * J. Shi, C. Tomasi, "Good features to track", CVPR 1994, section 4. The outermost pixels have no gradient and give 0
 * before smoothing.
 *
 * @param scratch  4 * w * h floats
 */
export function corners(src: usize, w: i32, h: i32, dst: usize, scratch: usize): void {
  const plane = (<usize>(w * h)) << 2;
  const pitch = (<usize>w) << 2;
  const xx = scratch;
  const yy = scratch + plane;
  const xy = yy + plane;
  memory.fill(scratch, 0, 3 * plane);
  for (let y = 1; y < h - 1; y++) {
    const row = <usize>y * pitch;
    let x = 1;
    for (; x + 5 <= w; x += 4) {
      const at = src + row + ((<usize>x) << 2);
      const ix = f32x4.sub(v128.load(at, 4), v128.load(at - 4));
      const iy = f32x4.sub(v128.load(at + pitch), v128.load(at - pitch));
      const to = row + ((<usize>x) << 2);
      v128.store(xx + to, f32x4.mul(ix, ix));
      v128.store(yy + to, f32x4.mul(iy, iy));
      v128.store(xy + to, f32x4.mul(ix, iy));
    }
    for (; x < w - 1; x++) {
      const at = src + row + ((<usize>x) << 2);
      const ix: f32 = load<f32>(at, 4) - load<f32>(at - 4);
      const iy: f32 = load<f32>(at + pitch) - load<f32>(at - pitch);
      const to = row + ((<usize>x) << 2);
      store<f32>(xx + to, ix * ix);
      store<f32>(yy + to, iy * iy);
      store<f32>(xy + to, ix * iy);
    }
  }
  const spare = xy + plane;
  smooth(xx, w, h, xx, spare);
  smooth(yy, w, h, yy, spare);
  smooth(xy, w, h, xy, spare);
  const n = w * h;
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    const at = (<usize>i) << 2;
    const a = v128.load(xx + at);
    const b = v128.load(yy + at);
    const c = v128.load(xy + at);
    const half = f32x4.splat(0.5);
    const mean = f32x4.mul(f32x4.add(a, b), half);
    const diff = f32x4.mul(f32x4.sub(a, b), half);
    const root = f32x4.sqrt(f32x4.add(f32x4.mul(diff, diff), f32x4.mul(c, c)));
    v128.store(dst + at, f32x4.sub(mean, root));
  }
  for (; i < n; i++) {
    const at = (<usize>i) << 2;
    const a = load<f32>(xx + at);
    const b = load<f32>(yy + at);
    const c = load<f32>(xy + at);
    const mean: f32 = (a + b) * 0.5;
    const diff: f32 = (a - b) * 0.5;
    store<f32>(dst + at, mean - sqrt<f32>(diff * diff + c * c));
  }
}
