import type { Report } from '@sosia/engine';
import sharp, { type OverlayOptions } from 'sharp';
import type { Decoder } from './decoder.ts';

const CELL = 200;
const COLUMNS = 6;
/** Of the frame around a picture and of the gap between frames, in pixels. */
const FRAME = 4;
const GAP = 2;

/** Mistakes on a sheet. */
export const MISTAKES_ON_SHEET = 24;
/** Distinguishable with every kind of colour vision. */
const ORANGE = '#e69f00';
const BLUE = '#0072b2';

/**
 * The worst mistakes of a profile in frames, side by side in rows of six, as one JPEG; empty without any. Orange is around
 * pictures that were missed, blue around those that do not fit. They are decoded in a child, as all pictures are.
 * @param fileOf  the file of a picture by its place among the examples
 */
export async function sheetOfMistakes(
  decoder: Pick<Decoder, 'decode'>,
  mistakes: Report['mistakes'],
  fileOf: (picture: number) => Uint8Array,
): Promise<Uint8Array> {
  const shown = mistakes.slice(0, MISTAKES_ON_SHEET);
  if (shown.length === 0) return new Uint8Array();
  const laid: OverlayOptions[] = [];
  for (const [i, { picture: example, score }] of shown.entries()) {
    const { width, height, rgb } = await decoder.decode(fileOf(example), CELL - 2 * (FRAME + GAP));
    const picture = sharp(rgb, { raw: { width, height, channels: 3 } });
    const sides = { top: FRAME, bottom: FRAME, left: FRAME, right: FRAME };
    const input = await picture
      .extend({ ...sides, background: score > 0 ? BLUE : ORANGE })
      .png()
      .toBuffer();
    const left = (i % COLUMNS) * CELL + Math.floor((CELL - width) / 2) - FRAME;
    const top = Math.floor(i / COLUMNS) * CELL + Math.floor((CELL - height) / 2) - FRAME;
    laid.push({ input, left, top });
  }
  const size = { width: COLUMNS * CELL, height: Math.ceil(shown.length / COLUMNS) * CELL };
  const page = sharp({ create: { ...size, channels: 3, background: '#fff' } });
  return page.composite(laid).jpeg({ quality: 80, chromaSubsampling: '4:4:4' }).toBuffer();
}
