/** The CSS transform that maps the reference, at the size of its frame, onto the query at `scale` times its frame. */
export function overlayTransform(homography: readonly number[], scale: number): string {
  const [a, b, c, d, e, f, g, h, i] = homography;
  return `scale(${scale}) matrix3d(${[a, d, 0, g, b, e, 0, h, 0, 0, 1, 0, c, f, 0, i].join()})`;
}
