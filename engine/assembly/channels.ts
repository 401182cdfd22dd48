/**
 * Takes RGB pixels apart: luma, 0 to 255, and the blue and the red difference of Rec. 601, about -128 to 128.
 * @param out  three planes of n floats
 */
export function channels(rgb: usize, n: i32, out: usize): void {
  const plane = (<usize>n) << 2;
  for (let to = out; to < out + plane; to += 4) {
    const red = <f32>load<u8>(rgb);
    const green = <f32>load<u8>(rgb, 1);
    const blue = <f32>load<u8>(rgb, 2);
    store<f32>(to, <f32>0.299 * red + <f32>0.587 * green + <f32>0.114 * blue);
    store<f32>(to + plane, <f32>0.5 * blue - <f32>0.169 * red - <f32>0.331 * green);
    store<f32>(to + 2 * plane, <f32>0.5 * red - <f32>0.419 * green - <f32>0.081 * blue);
    rgb += 3;
  }
}
