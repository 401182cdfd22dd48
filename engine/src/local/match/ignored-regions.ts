import { keypointsOf, localKinds, openLocalDna, writeLocalDna } from '../../dna/local.ts';
import { area, contains, cornersOf, type Point } from '../../geometry/frame.ts';
import { project } from '../../geometry/homography.ts';
import type { BoxMatch, QuadMatch, ResultInfo } from '../../partition/result-info.ts';
import { levelScale } from '../features/pyramid.ts';

/** A part of a query, clockwise, in fractions of its width and height. */
export type QueryRegion = readonly Point[];

/** Radius in pixels of a level in which a feature depends on the picture: half of its patch. */
const PATCH_RADIUS_PIXELS = 10;

/** The parts of the query that a reference covers; none where the pictures do not match. */
export function matchedRegions(resultInfo: ResultInfo | null): QueryRegion[] {
  if (resultInfo?.category !== 'LOCALMATCHING') return [];
  const { decision } = resultInfo;
  if (decision !== 'Clone' && decision !== 'Match') return [];
  const { instances = [] } = 'instances' in resultInfo ? resultInfo : {};
  return [coveredBy(resultInfo), ...instances.map(({ points }) => clockwise(points))];
}

function coveredBy({ homography, query, reference }: BoxMatch | QuadMatch): QueryRegion {
  const [width, height] = query.resizedDimensions;
  const frame = { width: reference.resizedDimensions[0], height: reference.resizedDimensions[1] };
  const corners = cornersOf(frame).map(([x, y]): Point => {
    const [u, v] = project(homography.coefficients, x, y);
    return [u / width, v / height];
  });
  return clockwise(corners);
}

function clockwise(polygon: readonly Point[]): QueryRegion {
  return area(polygon) < 0 ? polygon.toReversed() : polygon;
}

/**
 * The DNA without the features that depend on any of these parts of the picture. Undefined where none of its core is left.
 * @param dna  of a type whose pictures match in parts
 */
export function withoutRegions(dna: Uint8Array, regions: readonly QueryRegion[]): Uint8Array | undefined {
  const opened = openLocalDna(dna, localKinds);
  const { x, y, angle, level } = keypointsOf(opened);
  const polygons = regions.map((region) => region.map(([u, v]): Point => [u * opened.width, v * opened.height]));
  const features = Array.from(x, (_, i) => ({
    core: i < opened.core,
    x: x[i],
    y: y[i],
    angle: angle[i],
    level: level[i],
    code: opened.codes.subarray(32 * i, 32 * i + 32),
  }));
  const left = features.filter((feature) => {
    const margin = PATCH_RADIUS_PIXELS * levelScale(feature.level);
    return !polygons.some((polygon) => reaches(polygon, feature.x, feature.y, margin));
  });
  if (!left.some(({ core }) => core)) return undefined;
  return writeLocalDna(opened.kind, opened.originalWidth, opened.originalHeight, left, opened.miniature);
}

/** Whether a point is inside a convex polygon, or closer to it than `margin`. */
function reaches(polygon: readonly Point[], x: number, y: number, margin: number): boolean {
  if (contains(polygon, x, y)) return true;
  return polygon.some((from, i) => distance(from, polygon[(i + 1) % polygon.length], x, y) < margin);
}

/** From a point to the line between two others. */
function distance([ax, ay]: Point, [bx, by]: Point, x: number, y: number): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length));
  const [ex, ey] = [x - ax - t * dx, y - ay - t * dy];
  return Math.sqrt(ex * ex + ey * ey);
}
