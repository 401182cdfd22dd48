import { basename, join } from 'node:path';
import sharp from 'sharp';
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
