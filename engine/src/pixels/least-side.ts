import { PlainPictureError } from '../errors.ts';
import type { Picture } from './picture.ts';

/** @throws PlainPictureError for a picture with fewer pixels than `least` on its shorter side */
export function expectSide({ width, height, originalWidth, originalHeight }: Picture, least: number): void {
  if (Math.min(width, height) >= least) return;
  const reduction = originalWidth > width ? ` after the reduction from ${originalWidth} x ${originalHeight}` : '';
  throw new PlainPictureError(
    `it is ${width} x ${height} pixels${reduction}, expected at least ${least} on the shorter side`,
  );
}
