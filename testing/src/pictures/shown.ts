import sharp from 'sharp';
import { drawing, lettersIn, line } from './lettering.ts';
import { between, oneOf, type Random } from './random.ts';
import { rasterOf, resized, sharpOf, type Raster } from './raster.ts';

/** A desktop with windows full of text, one of which shows the picture at 20 to 35 % of the desktop's width. */
export async function desktop(original: Raster, random: Random): Promise<Raster> {
  const [width, height] = [1440, 900];
  const factor = Math.min((width * between(random, 0.2, 0.35)) / original.width, (0.6 * height) / original.height);
  const shown = await resized(original, original.width * factor, original.height * factor);
  const left = Math.round(between(random, 60, width - shown.width - 60));
  const top = Math.round(between(random, 110, height - shown.height - 60));
  let content = `<rect width="${width}" height="${height}" fill="${oneOf(random, ['#e8e8ec', '#26323a', '#3a6ea5'])}"/>`;
  const windows = [window(random, 20, 40, 680, 820), window(random, 660, 60, 760, 800)];
  content += windows.join('');
  content += `<rect x="${left - 6}" y="${top - 30}" width="${shown.width + 12}" height="${shown.height + 36}" fill="#d0d4da"/>`;
  content += line(random, 14, left, top - 22, 11, '#222');
  for (let x = 40; x < width - 60; x += 70)
    content += `<rect x="${x}" y="866" width="26" height="26" rx="5" fill="#c60"/>`;
  return composed(drawing(width, height, content), shown, left, top);
}

function window(random: Random, x: number, y: number, width: number, height: number): string {
  const size = between(random, 8, 12);
  let content = `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="#fdfdfd" stroke="#999"/>`;
  content += `<rect x="${x}" y="${y}" width="${width}" height="26" fill="#c8ccd4"/>`;
  for (let row = y + 44; row < y + height - size; row += size * 1.9) {
    if (random() < 0.08) continue;
    content += line(random, lettersIn((width - 40) * between(random, 0.5, 1), size), x + 20, row, size, '#222');
  }
  return content;
}

/** The picture with two lines of large outlined letters above and one or two below. */
export async function meme(original: Raster, random: Random): Promise<Raster> {
  const { width, height } = original;
  const size = height * between(random, 0.085, 0.12);
  const rows = [0.02, 0.17, ...(random() < 0.5 ? [0.7] : []), 0.85];
  const content = rows.map((row) => {
    const length = lettersIn(width * 0.94, size);
    const seed = random() * 2 ** 30;
    const twice = ['#000', '#fff'].map((ink, k) => {
      const text = line(stream(seed), length, width * 0.03, height * row, size, ink);
      return k ? text : text.replace('stroke-width="1.1"', 'stroke-width="2.2"');
    });
    return twice.join('');
  });
  const input = drawing(width, height, content.join(''));
  return rasterOf(sharpOf(await rasterOf(sharpOf(original).composite([{ input }]))));
}

/** The same letters twice: once wide and black, once narrow and white. */
function stream(seed: number): Random {
  let state = seed;
  return () => (state = (state * 16807) % 2147483647) / 2147483647;
}

async function composed(ground: Buffer, shown: Raster, left: number, top: number): Promise<Raster> {
  const input = await sharpOf(shown).png({ compressionLevel: 0 }).toBuffer();
  const blank = await rasterOf(sharp(ground));
  return rasterOf(sharpOf(blank).composite([{ input, left, top }]));
}
