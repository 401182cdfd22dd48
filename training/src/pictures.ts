import { readdirSync } from 'node:fs';
import sharp from 'sharp';
import type { Picture } from '@sosia/engine/pixels/picture';

/** The paths of all JPEG and PNG files in a folder and below, in order. */
export function picturesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /\.(jpe?g|png)$/i.test(name))
    .sort()
    .map((name) => `${folder}/${name}`);
}

/** @param longest  the side that a larger picture is reduced to; as it is unless given */
export async function decoded(source: string | Buffer, longest?: number): Promise<Picture> {
  const upright = sharp(source).autoOrient();
  const sized = longest ? upright.resize(longest, longest, { fit: 'inside', withoutEnlargement: true }) : upright;
  const opaque = sized.toColourspace('srgb').flatten({ background: '#fff' }).removeAlpha();
  const { data, info } = await opaque.raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return { width, height, rgb: new Uint8Array(data), originalWidth: width, originalHeight: height };
}
