import type { Difference } from '@sosia/engine';
import type { Patch } from '@sosia/testing/pictures/planted-change';
import type { Raster } from '@sosia/testing/pictures/raster';

/** The intersection over union of a region and a place of the reference. */
export function overlap({ reference }: Difference, place: Patch, { width, height }: Raster): number {
  const [left, top] = [reference.topLeftPoint[0] * width, reference.topLeftPoint[1] * height];
  const [right, bottom] = [reference.bottomRightPoint[0] * width, reference.bottomRightPoint[1] * height];
  const across = Math.min(right, place.left + place.width) - Math.max(left, place.left);
  const down = Math.min(bottom, place.top + place.height) - Math.max(top, place.top);
  const common = Math.max(0, across) * Math.max(0, down);
  return common / ((right - left) * (bottom - top) + place.width * place.height - common);
}
