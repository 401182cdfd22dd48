import type { Sharp } from 'sharp';
import type { Homography } from '@sosia/engine/geometry/homography';
import type { Random } from './random.ts';
import type { Raster } from './raster.ts';

/** What one attack made of a picture. */
export interface Attacked {
  readonly picture: Raster;
  /** Where the original went: from fractions of its width and height to fractions of the attacked picture's. */
  readonly truth: Homography;
}

export interface AttackContext {
  readonly random: Random;
  /** Another picture, none of the references, to paste into or to photograph over. */
  readonly host: Raster;
}

/** A way to change a picture so that people still see the same one. */
export interface Attack {
  readonly name: string;
  /** Whether it is one of the fourteen that design figures are given for. */
  readonly classic: boolean;
  readonly apply: (original: Raster, context: AttackContext) => Promise<Attacked>;
  encode(image: Sharp): Sharp;
}
