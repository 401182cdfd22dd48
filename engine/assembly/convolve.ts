/**
 * Weighs and adds up the pixels at the same places around each one; the border pixel repeats.
 *
 * @param taps     n × (dx, dy int32; weight float32), neither farther than `reach`
 * @param scratch  (w + 2 * reach + 4) * (h + 2 * reach) floats
 */
export function convolve(src: usize, w: i32, h: i32, taps: usize, n: i32, reach: i32, dst: usize, scratch: usize): void {
  const wide = w + 2 * reach + 4;
  const pitch = (<usize>wide) << 2;
  for (let y = 0; y < h + 2 * reach; y++) {
    const row = src + <usize>(w * min(max(y - reach, 0), h - 1)) * 4;
    const out = scratch + <usize>y * pitch;
    for (let x = 0; x < reach; x++) store<f32>(out + ((<usize>x) << 2), load<f32>(row));
    memory.copy(out + ((<usize>reach) << 2), row, (<usize>w) << 2);
    const last = load<f32>(row + ((<usize>(w - 1)) << 2));
    for (let x = reach + w; x < wide; x++) store<f32>(out + ((<usize>x) << 2), last);
  }
  // where each tap's pixel lies from the upper left corner of what is around a pixel
  for (let i = 0; i < n; i++) {
    const tap = taps + <usize>(12 * i);
    store<i32>(tap, 4 * (wide * (load<i32>(tap, 4) + reach) + load<i32>(tap) + reach));
  }
  for (let y = 0; y < h; y++) {
    const out = dst + ((<usize>(w * y)) << 2);
    let x = 0;
    for (; x + 16 <= w; x += 16) {
      const from = scratch + <usize>y * pitch + ((<usize>x) << 2);
      let a = f32x4.splat(0);
      let b = f32x4.splat(0);
      let c = f32x4.splat(0);
      let d = f32x4.splat(0);
      for (let i = 0; i < n; i++) {
        const tap = taps + <usize>(12 * i);
        const at = from + <usize>load<i32>(tap);
        const weight = v128.load32_splat(tap, 8);
        a = f32x4.add(a, f32x4.mul(weight, v128.load(at)));
        b = f32x4.add(b, f32x4.mul(weight, v128.load(at, 16)));
        c = f32x4.add(c, f32x4.mul(weight, v128.load(at, 32)));
        d = f32x4.add(d, f32x4.mul(weight, v128.load(at, 48)));
      }
      const to = out + ((<usize>x) << 2);
      v128.store(to, a);
      v128.store(to, b, 16);
      v128.store(to, c, 32);
      v128.store(to, d, 48);
    }
    for (; x < w; x++) {
      const from = scratch + <usize>y * pitch + ((<usize>x) << 2);
      let sum: f32 = 0;
      for (let i = 0; i < n; i++) {
        const tap = taps + <usize>(12 * i);
        sum += load<f32>(tap, 8) * load<f32>(from + <usize>load<i32>(tap));
      }
      store<f32>(out + ((<usize>x) << 2), sum);
    }
  }
}
