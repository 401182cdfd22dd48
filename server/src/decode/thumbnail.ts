import type { Picture } from '@sosia/engine';
import sharp from 'sharp';
import { THUMBNAIL } from './limits.ts';

/** The first suits photographs; pictures of noise need a later one. */
const qualities = [65, 50, 40, 25, 12];

/**
 * A small JPEG of a picture, for people. It is made of pixels alone, so that nothing else of the file is in it: no place,
 * no camera, no profile.
 */
export async function thumbnailOf({ width, height, rgb }: Picture): Promise<Uint8Array> {
  for (let { side }: { side: number } = THUMBNAIL; ; side = Math.ceil(side / 2)) {
    for (const quality of qualities) {
      const jpeg = await sharp(rgb, { raw: { width, height, channels: 3 } })
        .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
        .jpeg({ quality })
        .toBuffer();
      if (jpeg.length <= THUMBNAIL.bytes) return jpeg;
    }
  }
}
