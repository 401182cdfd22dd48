/** A grey picture of floats, row-major: what the twins of the kernels work on. */
export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly values: Float32Array;
}

/** A plane drawn pixel by pixel. */
export function drawn(width: number, height: number, value: (x: number, y: number) => number): Plane {
  const values = Float32Array.from({ length: width * height }, (_, i) => value(i % width, Math.floor(i / width)));
  return { width, height, values };
}

/** The pixel at (x, y); beyond the border the nearest one. */
export function valueAt({ width, height, values }: Plane, x: number, y: number): number {
  const column = Math.min(Math.max(x, 0), width - 1);
  const row = Math.min(Math.max(y, 0), height - 1);
  return values[row * width + column];
}
