import sharp, { type Sharp } from 'sharp';
import { type Raster, rasterOf, sharpOf } from './raster.ts';

/** What a picture went through besides; none of it is a difference. */
export const edits: Readonly<Record<string, (picture: Raster) => Promise<Raster>>> = {
  'recompressed (JPEG 70)': (picture) => throughJpeg(sharpOf(picture), 70),
  'resized to 90 %': (picture) => throughJpeg(sharpOf(picture).resize(Math.round(0.9 * picture.width)), 85),
  'turned by 3 degrees': (picture) => throughJpeg(sharpOf(picture).rotate(3, { background: '#888' }), 85),
  'cropped by 10 %': (picture) => throughJpeg(sharpOf(picture).extract(inner(picture)), 85),
  'turned, cropped, resized, recompressed': async (picture) => {
    const turned = await rasterOf(sharpOf(picture).rotate(3, { background: '#888' }));
    const cropped = await rasterOf(sharpOf(turned).extract(inner(turned)));
    return throughJpeg(sharpOf(cropped).resize(Math.round(0.9 * cropped.width)), 70);
  },
};

async function throughJpeg(picture: Sharp, quality: number): Promise<Raster> {
  return rasterOf(sharp(await picture.jpeg({ quality }).toBuffer()));
}

/** The middle: 95 % of either side. */
function inner({ width, height }: Raster) {
  return {
    left: Math.round(0.025 * width),
    top: Math.round(0.025 * height),
    width: Math.round(0.95 * width),
    height: Math.round(0.95 * height),
  };
}
