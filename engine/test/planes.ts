import fc from 'fast-check';
import { drawn, type Plane } from './oracles/plane.ts';

/** Sizes that are awkward for four pixels at a time: 1 x n, n x 1, every remainder. */
export function sizes(least: number, most: number): fc.Arbitrary<{ width: number; height: number }> {
  const side = fc.integer({ min: least, max: most });
  return fc.record({ width: side, height: side });
}

/** Planes of grey levels, 0 to 255. */
export function planes(least: number, most: number): fc.Arbitrary<Plane> {
  return sizes(least, most).chain(({ width, height }) =>
    fc
      .uint8Array({ minLength: width * height, maxLength: width * height })
      .map((bytes) => ({ width, height, values: Float32Array.from(bytes) })),
  );
}

/** Rotated clockwise by a right angle: what was left is on top. */
export function rotated({ width, height, values }: Plane): Plane {
  return drawn(height, width, (x, y) => values[(height - 1 - x) * width + y]);
}

/** Left and right exchanged. */
export function mirrored({ width, height, values }: Plane): Plane {
  return drawn(width, height, (x, y) => values[y * width + width - 1 - x]);
}
