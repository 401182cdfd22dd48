/**
 * Takes RGB pixels apart: luma, 0 to 255, and the blue and the red difference of Rec. 601, about -128 to 128.
 * @param out  three planes of n floats
 */
export function channels(rgb: usize, n: i32, out: usize): void {
  const plane = (<usize>n) << 2;
  const end = out + plane;
  let to = out;
  // four at once, of 16 bytes that are read
  for (; to + 24 <= end; to += 16) {
    const four = v128.load(rgb);
    const zero = i32x4.splat(0);
    const red = levels(v128.shuffle<u8>(four, zero, 0, 16, 16, 16, 3, 16, 16, 16, 6, 16, 16, 16, 9, 16, 16, 16));
    const green = levels(v128.shuffle<u8>(four, zero, 1, 16, 16, 16, 4, 16, 16, 16, 7, 16, 16, 16, 10, 16, 16, 16));
    const blue = levels(v128.shuffle<u8>(four, zero, 2, 16, 16, 16, 5, 16, 16, 16, 8, 16, 16, 16, 11, 16, 16, 16));
    v128.store(to, f32x4.add(f32x4.add(times(red, 0.299), times(green, 0.587)), times(blue, 0.114)));
    v128.store(to + plane, f32x4.sub(f32x4.sub(times(blue, 0.5), times(red, 0.169)), times(green, 0.331)));
    v128.store(to + 2 * plane, f32x4.sub(f32x4.sub(times(red, 0.5), times(green, 0.419)), times(blue, 0.081)));
    rgb += 12;
  }
  for (; to < end; to += 4) {
    const red = <f32>load<u8>(rgb);
    const green = <f32>load<u8>(rgb, 1);
    const blue = <f32>load<u8>(rgb, 2);
    store<f32>(to, <f32>0.299 * red + <f32>0.587 * green + <f32>0.114 * blue);
    store<f32>(to + plane, <f32>0.5 * blue - <f32>0.169 * red - <f32>0.331 * green);
    store<f32>(to + 2 * plane, <f32>0.5 * red - <f32>0.419 * green - <f32>0.081 * blue);
    rgb += 3;
  }
}

// @ts-ignore: decorator
@inline
function levels(integers: v128): v128 {
  return f32x4.convert_i32x4_s(integers);
}

// @ts-ignore: decorator
@inline
function times(values: v128, factor: f32): v128 {
  return f32x4.mul(values, f32x4.splat(factor));
}
