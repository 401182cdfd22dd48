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
  let side: number = THUMBNAIL.side;
  for (;;) {
    const { data, info } = await sharp(rgb, { raw: { width, height, channels: 3 } })
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .raw()
      .toBuffer({ resolveWithObject: true });
    for (const quality of qualities) {
      const small = sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } });
      const jpeg = await small.jpeg({ quality }).toBuffer();
      if (jpeg.length <= THUMBNAIL.bytes) return jpeg;
    }
    side = Math.ceil(side / 2);
  }
}
