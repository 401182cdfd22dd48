import { basename, join } from 'node:path';
import sharp from 'sharp';
import { mean } from '../statistics.ts';
import { corporaFolder, corpusTable } from './corpus.ts';

/** Most references of a brand; those with the most pixels are taken. */
const OF_A_BRAND = 12;

interface Marked {
  readonly brand: string;
  readonly box: readonly [left: number, top: number, right: number, bottom: number];
}

export interface Logo {
  readonly brand: string;
  readonly path: string;
}

/** Logos cut out of the training pictures, as files in a folder. */
export async function cutOut(folder: string): Promise<Logo[]> {
  const boxes = Object.entries(corpusTable('logos/training_boxes.json') as Record<string, Marked[]>).sort();
  const marked = boxes.flatMap(([picture, list]) => list.map(({ brand, box }, i) => ({ picture, brand, box, i })));
  const area = ({ box: [left, top, right, bottom] }: Marked) => (right - left) * (bottom - top);
  const logos: Logo[] = [];
  for (const brand of new Set(marked.map((one) => one.brand))) {
    const largest = marked.filter((one) => one.brand === brand).sort((a, b) => area(b) - area(a));
    for (const { picture, box, i } of largest.slice(0, OF_A_BRAND)) {
      const [left, top, right, bottom] = box;
      const size = { width: right - left, height: bottom - top };
      const crop = sharp(join(corporaFolder, 'logos', picture)).extract({ left, top, ...size });
      const path = join(folder, `${brand}-${basename(picture, '.jpg')}-${i}.png`);
      await crop.png().toFile(path);
      logos.push({ brand, path });
    }
  }
  return logos;
}

/** By brand the cleanest of the logos that `cutOut` gives. */
const CLEANEST: Readonly<Record<string, number>> = {
  Adidas: 11,
  BMW: 10,
  Cocacola: 11,
  Fedex: 10,
  Ford: 3,
  HP: 6,
  Intel: 6,
  Mini: 11,
  Nike: 6,
  Porsche: 7,
  RedBull: 4,
  Starbucks: 3,
  Unicef: 11,
  Yahoo: 2,
};

/** One drawing of each brand, black on a transparent ground: the cleanest logo, enlarged and parted from its ground by a threshold. */
export async function drawn(logos: readonly Logo[], folder: string): Promise<Logo[]> {
  const sorted = logos.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const drawings: Logo[] = [];
  for (const [brand, place] of Object.entries(CLEANEST)) {
    const { path } = sorted.filter((logo) => logo.brand === brand)[place]!;
    const { width, height } = await sharp(path).metadata();
    const zoom = Math.max(1, Math.round(600 / Math.max(width, height)));
    const grey = sharp(path)
      .resize(zoom * width, zoom * height)
      .blur(Math.max(0.3, 0.4 * zoom))
      .greyscale();
    const { data, info } = await grey.raw().toBuffer({ resolveWithObject: true });
    const threshold = parting(data);
    const border = data.filter((_, i) => i < info.width || i >= data.length - info.width);
    const way = mean([...border].map((value) => Math.sign(value - threshold))) > 0 ? -1 : 1;
    const rgba = Buffer.alloc(4 * data.length);
    data.forEach((value, i) =>
      rgba.writeUInt8(Math.max(0, Math.min(255, 6 * way * (value - threshold) + 128)), 4 * i + 3),
    );
    const drawing = join(folder, `${brand}.drawing.png`);
    await sharp(rgba, { raw: { width: info.width, height: info.height, channels: 4 } }).toFile(drawing);
    drawings.push({ brand, path: drawing });
  }
  return drawings;
}

/** The grey level that parts a picture best into dark and light (Otsu). */
function parting(grey: Uint8Array): number {
  const counts = new Array<number>(256).fill(0);
  for (const value of grey) counts[value]!++;
  const total = counts.reduce((sum, count, value) => sum + count * value, 0);
  let [best, threshold, below, sum] = [0, 128, 0, 0];
  counts.forEach((count, value) => {
    [below, sum] = [below + count, sum + count * value];
    const above = grey.length - below;
    const between = below * above * (sum / below - (total - sum) / above) ** 2;
    if (between > best) [best, threshold] = [between, value];
  });
  return threshold;
}
