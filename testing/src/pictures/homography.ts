/** Nine numbers, row-major: (x, y, 1) goes to (x', y', w'), a point to (x'/w', y'/w'). */
export type Homography = readonly number[];
export type Point = readonly [x: number, y: number];

export function project(h: Homography, [x, y]: Point): Point {
  const w = h[6]! * x + h[7]! * y + h[8]!;
  return [(h[0]! * x + h[1]! * y + h[2]!) / w, (h[3]! * x + h[4]! * y + h[5]!) / w];
}

/** First `second`, then `first`: the product of the matrices. */
export function compose(first: Homography, second: Homography): Homography {
  const cell = (row: number, column: number) =>
    [0, 1, 2].reduce((sum, k) => sum + first[row * 3 + k]! * second[k * 3 + column]!, 0);
  return Array.from({ length: 9 }, (_, i) => cell(Math.floor(i / 3), i % 3));
}

export function scaling(x: number, y: number): Homography {
  return [x, 0, 0, 0, y, 0, 0, 0, 1];
}

export function moving(x: number, y: number): Homography {
  return [1, 0, x, 0, 1, y, 0, 0, 1];
}

/** A turn about (0, 0), from +x towards +y. */
export function turning(radians: number): Homography {
  const [c, s] = [Math.cos(radians), Math.sin(radians)];
  return [c, -s, 0, s, c, 0, 0, 0, 1];
}

/** The inverse up to a factor (the adjugate), which for points is the same. */
export function inverse([a, b, c, d, e, f, g, h, i]: Homography): Homography {
  return [
    e! * i! - f! * h!,
    c! * h! - b! * i!,
    b! * f! - c! * e!,
    f! * g! - d! * i!,
    a! * i! - c! * g!,
    c! * d! - a! * f!,
    d! * h! - e! * g!,
    b! * g! - a! * h!,
    a! * e! - b! * d!,
  ];
}

/** The corners of a frame of this size, in the order of its outline. */
export function corners(width: number, height: number): Point[] {
  return [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ];
}

/** The area inside an outline (shoelace formula). */
export function area(outline: readonly Point[]): number {
  const twice = outline.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = outline[(i + 1) % outline.length]!;
    return sum + x * nextY - nextX * y;
  }, 0);
  return Math.abs(twice) / 2;
}
