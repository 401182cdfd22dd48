import sharp, { type OverlayOptions } from 'sharp';
import type { Decoder } from './decoder.ts';

const CELL = 200;
const COLUMNS = 6;

/** Pictures side by side in rows of six, as one JPEG. They are decoded in a child, as all pictures are. */
export async function contactSheet(decoder: Decoder, files: readonly Uint8Array[]): Promise<Uint8Array> {
  const cells: OverlayOptions[] = [];
  for (const [i, file] of files.entries()) {
    const { width, height, rgb } = await decoder.decode(file, CELL);
    const input = Buffer.from(rgb.buffer, rgb.byteOffset, rgb.length);
    const [left, top] = [(i % COLUMNS) * CELL, Math.floor(i / COLUMNS) * CELL];
    cells.push({ input, raw: { width, height, channels: 3 }, left, top });
  }
  const size = { width: COLUMNS * CELL, height: Math.ceil(files.length / COLUMNS) * CELL };
  const page = sharp({ create: { ...size, channels: 3, background: '#fff' } });
  return page.composite(cells).jpeg({ quality: 80 }).toBuffer();
}
