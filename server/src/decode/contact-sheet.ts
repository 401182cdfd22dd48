import sharp, { type OverlayOptions } from 'sharp';
import type { Decoder } from './decoder.ts';

const CELL = 200;
const COLUMNS = 6;
/** Of the frame around a picture and of the gap between frames, in pixels. */
const FRAME = 4;
const GAP = 2;

export interface Cell {
  readonly file: Uint8Array;
  /** A colour. */
  readonly frame: string;
}

/** Pictures in frames, side by side in rows of six, as one JPEG. They are decoded in a child, as all pictures are. */
export async function contactSheet(decoder: Decoder, cells: readonly Cell[]): Promise<Uint8Array> {
  const laid: OverlayOptions[] = [];
  for (const [i, { file, frame }] of cells.entries()) {
    const { width, height, rgb } = await decoder.decode(file, CELL - 2 * (FRAME + GAP));
    const picture = sharp(rgb, { raw: { width, height, channels: 3 } });
    const sides = { top: FRAME, bottom: FRAME, left: FRAME, right: FRAME };
    const input = await picture
      .extend({ ...sides, background: frame })
      .png()
      .toBuffer();
    const left = (i % COLUMNS) * CELL + Math.floor((CELL - width) / 2) - FRAME;
    const top = Math.floor(i / COLUMNS) * CELL + Math.floor((CELL - height) / 2) - FRAME;
    laid.push({ input, left, top });
  }
  const size = { width: COLUMNS * CELL, height: Math.ceil(cells.length / COLUMNS) * CELL };
  const page = sharp({ create: { ...size, channels: 3, background: '#fff' } });
  return page.composite(laid).jpeg({ quality: 80, chromaSubsampling: '4:4:4' }).toBuffer();
}
