const BLOCK_SIDE = 128;
const ROW_BYTES: usize = 4 * BLOCK_SIDE;

/**
 * The discrete Fourier transform of 128 × 128 complex numbers in place, forward, with rows and columns exchanged: a second
 * call exchanges them back.
 *
 * J. Cooley, J. Tukey, "An algorithm for the machine calculation of complex Fourier series", Mathematics of Computation 19, 1965.
 *
 * @param re       128 × 128 floats, and so `im`
 * @param cosines  of i/256 of a circle, 256 float64
 */
export function fourier(re: usize, im: usize, cosines: usize): void {
  columns(re, im, BLOCK_SIDE, cosines);
  transpose(re);
  transpose(im);
  columns(re, im, BLOCK_SIDE, cosines);
}

/** Of each of 128 columns, four at once. @param length  numbers of a column, a power of 2 up to 128 */
export function columns(re: usize, im: usize, length: i32, cosines: usize): void {
  for (let i = 0; i < length; i++) {
    const j = reversed(i, length);
    if (i >= j) continue;
    exchange(re, i, j);
    exchange(im, i, j);
  }
  for (let half = 1; half < length; half <<= 1) {
    for (let k = 0; k < half; k++) {
      const angle = (k * 128) / half;
      const cos = f32x4.splat(<f32>load<f64>(cosines + ((<usize>angle) << 3)));
      const sin = f32x4.splat(<f32>load<f64>(cosines + ((<usize>((angle + 64) & 255)) << 3)));
      for (let i = k; i < length; i += 2 * half) {
        const one = <usize>i * ROW_BYTES;
        const other = one + <usize>half * ROW_BYTES;
        for (let x: usize = 0; x < ROW_BYTES; x += 16) {
          const a = v128.load(re + other + x);
          const b = v128.load(im + other + x);
          // times e^(-angle), whose imaginary part is cos(angle + a quarter)
          const u = f32x4.sub(f32x4.mul(a, cos), f32x4.mul(b, sin));
          const v = f32x4.add(f32x4.mul(a, sin), f32x4.mul(b, cos));
          const c = v128.load(re + one + x);
          const d = v128.load(im + one + x);
          v128.store(re + other + x, f32x4.sub(c, u));
          v128.store(im + other + x, f32x4.sub(d, v));
          v128.store(re + one + x, f32x4.add(c, u));
          v128.store(im + one + x, f32x4.add(d, v));
        }
      }
    }
  }
}

function reversed(i: i32, length: i32): i32 {
  let bits = 0;
  for (; length > 1; length >>= 1, i >>= 1) bits = (bits << 1) | (i & 1);
  return bits;
}

function exchange(plane: usize, i: i32, j: i32): void {
  const one = plane + <usize>i * ROW_BYTES;
  const other = plane + <usize>j * ROW_BYTES;
  for (let x: usize = 0; x < ROW_BYTES; x += 16) {
    const held = v128.load(one + x);
    v128.store(one + x, v128.load(other + x));
    v128.store(other + x, held);
  }
}

function transpose(plane: usize): void {
  for (let y: usize = 1; y < <usize>BLOCK_SIDE; y++) {
    for (let x: usize = 0; x < y; x++) {
      const one = plane + y * ROW_BYTES + (x << 2);
      const other = plane + x * ROW_BYTES + (y << 2);
      const held = load<f32>(one);
      store<f32>(one, load<f32>(other));
      store<f32>(other, held);
    }
  }
}
