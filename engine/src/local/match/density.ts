import { inverse, project } from '../../geometry/homography.ts';
import type { Shown } from '../verify/coverage.ts';
import type { Placement } from './match-pair.ts';

/**
 * The share of the query's features in the place of a reference, or in a part of it, that agree.
 * @param isPart  whether a place belongs to the part, as shares of the reference's width and height; everywhere unless given
 */
export function density(
  { agreements }: Pick<Placement, 'agreements'>,
  { map, reference, keypoints }: Shown,
  isPart: (x: number, y: number) => boolean = () => true,
): number {
  const back = inverse(map);
  if (!back) return 0;
  const agree = new Set(agreements.map(({ feature }) => feature));
  let [all, agreeing] = [0, 0];
  for (let i = 0; i < keypoints.x.length; i++) {
    const [px, py] = project(back, keypoints.x[i], keypoints.y[i]);
    const [x, y] = [px / reference.width, py / reference.height];
    if (!(x >= 0 && y >= 0 && x <= 1 && y <= 1 && isPart(x, y))) continue;
    all++;
    if (agree.has(i)) agreeing++;
  }
  return agreeing / Math.max(1, all);
}
