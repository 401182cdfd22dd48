import { inverse, project } from '../../geometry/homography.ts';
import type { Shown } from '../verify/coverage.ts';
import type { Placement } from './match-pair.ts';

/** The share of a picture's features that agree, in a part of the picture and in the rest of it. */
export interface Densities {
  readonly part: number;
  readonly rest: number;
}

/**
 * Of the query's features in the place of a reference.
 * @param isPart  whether a place belongs to the part, as shares of the reference's width and height; everywhere unless given
 */
export function densities(
  { agreements }: Pick<Placement, 'agreements'>,
  { map, reference, keypoints }: Shown,
  isPart: (x: number, y: number) => boolean = () => true,
): Densities {
  const back = inverse(map);
  if (!back) return { part: 0, rest: 0 };
  const agree = new Uint8Array(keypoints.x.length);
  for (const { feature } of agreements) agree[feature] = 1;
  const [all, agreeing] = [
    [0, 0],
    [0, 0],
  ];
  for (let i = 0; i < agree.length; i++) {
    const [px, py] = project(back, keypoints.x[i], keypoints.y[i]);
    const [x, y] = [px / reference.width, py / reference.height];
    if (!(x >= 0 && y >= 0 && x <= 1 && y <= 1)) continue;
    const at = isPart(x, y) ? 0 : 1;
    all[at]++;
    agreeing[at] += agree[i];
  }
  const [part, rest] = all.map((count, at) => agreeing[at] / Math.max(1, count));
  return { part, rest };
}
