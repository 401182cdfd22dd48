/** The CSS transform that lays the reference, at its frame's size, on the query at `scale` times its frame's. */
export function layOn(homography: readonly number[], scale: number): string {
  const [a, b, c, d, e, f, g, h, i] = homography;
  return `scale(${scale}) matrix3d(${[a, d, 0, g, b, e, 0, h, 0, 0, 1, 0, c, f, 0, i].join()})`;
}
