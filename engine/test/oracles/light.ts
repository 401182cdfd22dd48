/** Brightness and both colour differences of a pixel. */
export type Pixel = readonly [luma: number, blue: number, red: number];

/** A pixel in another light. @param u, v  its place, -1 to 1 */
export function relit(pixel: Pixel, u: number, v: number, laws: readonly number[]): Pixel {
  const [c0, c1, c2, c3, u1, v1, uu, uv, vv, ...colours] = laws;
  const [y, blue, red] = [pixel[0] / 255, pixel[1] / 128, pixel[2] / 128];
  const slope = c1 + c2 * y + c3 * y * y + u * (u1 + uu * u + uv * v) + v * (v1 + vv * v);
  const colour = ([one, b, r, light, lightB, lightR]: readonly number[]): number =>
    one + b * blue + r * red + y * (light + lightB * blue + lightR * red);
  return [c0 + y * slope, colour(colours.slice(0, 6)), colour(colours.slice(6))];
}

/** The offset at a place: bilinear between the centres of squares. */
export function shadeAt(x: number, y: number, side: number, columns: number, offsets: readonly number[]): number {
  const last = [columns - 1, offsets.length / columns - 1];
  const within = (place: number, axis: number): number => Math.min(Math.max(place, 0), last[axis]);
  const [u, v] = [(x + 0.5) / side - 0.5, (y + 0.5) / side - 0.5];
  const [left, top] = [Math.floor(u), Math.floor(v)];
  const at = (column: number, row: number): number => offsets[within(row, 1) * columns + within(column, 0)];
  const row = (row: number): number => at(left, row) + (u - left) * (at(left + 1, row) - at(left, row));
  return row(top) + (v - top) * (row(top + 1) - row(top));
}

/** A value in the light of the other, by what is clipped in either. */
export function unclipped(lit: number, own: number, other: number, black: number, white: number): number {
  if (own >= white && other > lit) return other;
  if (other >= white && lit > other) return other;
  if (own <= black && other < lit) return other;
  return other <= black && lit < other ? other : lit;
}
