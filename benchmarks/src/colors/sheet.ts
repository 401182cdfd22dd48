import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Color } from '@sosia/engine';
import sharp, { type OverlayOptions } from 'sharp';

const [WIDTH, HEIGHT, BAR, COLUMNS] = [210, 150, 34, 6];

/** Pictures with their palettes below them, each colour as wide as its share; what no colour was told of stays grey. */
export async function paletteSheet(
  pictures: readonly { readonly path: string; readonly colors: readonly Color[] }[],
  file: string,
): Promise<void> {
  const cells: OverlayOptions[] = [];
  for (const [i, { path, colors }] of pictures.entries()) {
    const [left, top] = [(i % COLUMNS) * WIDTH, Math.floor(i / COLUMNS) * (HEIGHT + BAR)];
    const fit = { width: WIDTH - 8, height: HEIGHT - 8, fit: 'contain', background: '#808080' } as const;
    cells.push({ input: await sharp(path).autoOrient().resize(fit).png().toBuffer(), left: left + 4, top: top + 4 });
    cells.push({ input: Buffer.from(barOf(colors)), left: left + 4, top: top + HEIGHT - 2 });
  }
  const height = Math.ceil(pictures.length / COLUMNS) * (HEIGHT + BAR);
  mkdirSync(dirname(file), { recursive: true });
  const page = sharp({ create: { width: COLUMNS * WIDTH, height, channels: 3, background: '#808080' } });
  await page.composite(cells).png().toFile(file);
}

function barOf(colors: readonly Color[]): string {
  let x = 0;
  const bars = colors.map(({ rgb, share }) => {
    const width = (share / 100) * (WIDTH - 8);
    const bar = `<rect x="${x}" width="${width}" height="${BAR - 8}" fill="#${rgb.toString(16).padStart(6, '0')}"/>`;
    x += width;
    return bar;
  });
  return `<svg width="${WIDTH - 8}" height="${BAR - 8}">${bars.join('')}</svg>`;
}
