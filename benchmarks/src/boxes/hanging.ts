import {
  area,
  compose,
  corners,
  moving,
  project,
  scaling,
  type Homography,
  type Point,
} from '@sosia/testing/pictures/homography';
import type { Random } from '@sosia/testing/pictures/random';
import { resized, type Raster } from '@sosia/testing/pictures/raster';
import { view } from '@sosia/testing/pictures/scenes';
import { warpOnto } from '@sosia/testing/pictures/warp';

/** How a picture hangs in a scene. */
export interface Hanging {
  /** Degrees that it is turned away from the camera, about an axis by chance. */
  readonly tilt: number;
  /** Degrees that it is turned about the line of sight. */
  readonly turn: number;
  /** Share of the scene that it covers, as seen. */
  readonly share: number;
}

/** The scene with the picture in it, and where its corners went, in pixels of the scene. */
export interface Hung {
  readonly scene: Raster;
  readonly outline: readonly Point[];
}

/**
 * Hangs a picture in a part of a scene, wholly inside it; smaller than asked for where it does not fit.
 * @param part  left, top, width and height in pixels of the scene
 */
export async function hung(
  random: Random,
  scene: Raster,
  picture: Raster,
  { tilt, turn, share }: Hanging,
  part: readonly [number, number, number, number],
): Promise<Hung> {
  const frame = corners(picture.width, picture.height);
  const seen = view(picture, tilt, 2 * Math.PI * random(), (turn * Math.PI) / 180);
  const plain = frame.map((corner) => project(seen, corner));
  const [xs, ys] = [plain.map(([x]) => x), plain.map(([, y]) => y)];
  const [wide, high] = [Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)];
  const [left, top, width, height] = part;
  const wanted = Math.sqrt((share * scene.width * scene.height) / area(plain));
  const zoom = Math.min(wanted, width / wide, height / high);
  const at = (room: number, low: number) => random() * room - zoom * low;
  const put = moving(left + at(width - zoom * wide, Math.min(...xs)), top + at(height - zoom * high, Math.min(...ys)));
  const toScene = compose(put, compose(scaling(zoom, zoom), seen));
  const shown = await resized(picture, picture.width * zoom, picture.height * zoom);
  const fromShown: Homography = compose(toScene, scaling(picture.width / shown.width, picture.height / shown.height));
  return { scene: warpOnto(scene, shown, fromShown), outline: frame.map((corner) => project(toScene, corner)) };
}
