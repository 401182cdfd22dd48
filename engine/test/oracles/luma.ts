/** Twin of assembly/luma.ts. */
export function luma(rgb: Uint8Array): Float32Array {
  return Float32Array.from({ length: rgb.length / 3 }, (_, i) => {
    const [red, green, blue] = rgb.subarray(3 * i);
    return (77 * red + 150 * green + 29 * blue) / 256;
  });
}
