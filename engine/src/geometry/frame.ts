import { type Homography, project } from './homography.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export type Point = readonly [x: number, y: number];

/** The longest side of level 0, in pixels: the frame in which places are given. */
export const FRAME_SIDE_PIXELS = 512;

/** From pixels of one size of a picture to pixels of another. */
export function scaling(from: Size, to: Size): Homography {
  return [to.width / from.width, 0, 0, 0, to.height / from.height, 0, 0, 0, 1];
}

/**
 * Size of the frame: the picture fitted to a longest side of 512, the other rounded down, never enlarged beyond `least`.
 * @param least  the longest side that smaller pictures are enlarged to
 */
export function frameSize(width: number, height: number, least = 0): { width: number; height: number } {
  const longest = Math.max(width, height);
  const fitted = Math.min(FRAME_SIDE_PIXELS, Math.max(least, longest));
  if (longest === fitted) return { width, height };
  return {
    width: Math.max(1, Math.floor((width * fitted) / longest)),
    height: Math.max(1, Math.floor((height * fitted) / longest)),
  };
}

/** The corners of a frame from the upper left on, clockwise. */
export function cornersOf({ width, height }: Size): Point[] {
  return [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ];
}

/** Area of a polygon; positive when it runs clockwise on a screen. */
export function area(polygon: readonly Point[]): number {
  let twice = 0;
  polygon.forEach(([x, y], i) => {
    const [nextX, nextY] = polygon[(i + 1) % polygon.length];
    twice += x * nextY - nextX * y;
  });
  return twice / 2;
}

/**
 * Where a map puts a frame, if it could be a picture of it: in front of the viewer, convex, not seen from behind, neither
 * collapsed nor blown up, no side squeezed to nothing.
 * @param into  the frame the map leads into
 */
export function imageOf(map: Homography, frame: Size, into: Size): Point[] | undefined {
  const corners = cornersOf(frame);
  if (corners.some(([x, y]) => map[6] * x + map[7] * y + map[8] <= 0.05)) return undefined;
  const image = corners.map(([x, y]): Point => project(map, x, y));
  const sides = image.map(([x, y], i): Point => {
    const [nextX, nextY] = image[(i + 1) % 4];
    return [nextX - x, nextY - y];
  });
  const bendsRight = sides.every(([x, y], i) => {
    const [nextX, nextY] = sides[(i + 1) % 4];
    return x * nextY - y * nextX > 0;
  });
  if (!bendsRight) return undefined;
  const lengths = sides.map(([x, y]) => Math.sqrt(x * x + y * y));
  const opposite = (a: number, b: number): boolean => a < 5 * b && b < 5 * a;
  if (!opposite(lengths[0], lengths[2]) || !opposite(lengths[1], lengths[3])) return undefined;
  const stretch = (lengths[0] + lengths[2]) / frame.width / ((lengths[1] + lengths[3]) / frame.height);
  if (stretch > 5 || stretch < 1 / 5) return undefined;
  const covered = area(image) / (into.width * into.height);
  return covered > 0.002 && covered < 400 ? image : undefined;
}

/** The part of a convex polygon inside a frame. I. Sutherland, G. Hodgman, "Reentrant polygon clipping", CACM 17(1), 1974. */
export function clipped(polygon: readonly Point[], { width, height }: Size): Point[] {
  const sides: ((p: Point) => number)[] = [(p) => p[0], (p) => width - p[0], (p) => p[1], (p) => height - p[1]];
  return sides.reduce<Point[]>((points, inside) => {
    return points.flatMap((point, i) => {
      const next = points[(i + 1) % points.length];
      const [here, there] = [inside(point), inside(next)];
      const kept = here >= 0 ? [point] : [];
      if (here >= 0 === there >= 0) return kept;
      const t = here / (here - there);
      return [...kept, [point[0] + t * (next[0] - point[0]), point[1] + t * (next[1] - point[1])] as Point];
    });
  }, polygon.slice());
}

/** A share of a whole, in [0, 1] with 4 decimals. */
export function fraction(value: number, whole: number): number {
  return Math.round(10000 * Math.min(1, Math.max(0, value / whole))) / 10000;
}

/** Corners as fractions of width and height with 4 decimals. */
export interface Box {
  readonly topLeftPoint: Point;
  readonly bottomRightPoint: Point;
}

/** The smallest upright box around points. */
export function boxAround(points: readonly Point[], frame: Size): Box {
  const xs = points.map(([x]) => fraction(x, frame.width));
  const ys = points.map(([, y]) => fraction(y, frame.height));
  return { topLeftPoint: [Math.min(...xs), Math.min(...ys)], bottomRightPoint: [Math.max(...xs), Math.max(...ys)] };
}

/** Whether (x, y) lies in a convex polygon that runs clockwise on a screen. */
export function contains(polygon: readonly Point[], x: number, y: number): boolean {
  let from = polygon[polygon.length - 1];
  for (const to of polygon) {
    if ((to[0] - from[0]) * (y - from[1]) < (to[1] - from[1]) * (x - from[0])) return false;
    from = to;
  }
  return true;
}
