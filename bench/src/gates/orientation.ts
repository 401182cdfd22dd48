import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BoxMatch } from '@sosia/engine';
import { recipes } from '@sosia/engine';
import { decodePicture } from '@sosia/server/decode';
import { corporaFolder } from '../pictures/corpus.ts';
import { notRun, type GateResult } from './gate.ts';

const motifs = ['Landscape', 'Portrait'];
const SIDE = 1024;

/**
 * Two photographs, each stored in nine ways that EXIF knows (0 to 8), and its number drawn on each. All must come
 * upright, and each must find its motif first, as a Clone or a Match.
 */
export async function run(): Promise<GateResult> {
  const folder = join(corporaFolder, 'orientation');
  if (!existsSync(folder)) return notRun('the folder orientation of ../shared/corpora');

  const recipe = recipes['media-matching']!;
  const partition = recipe.createPartition();
  const pictureOf = (motif: string, orientation: number) =>
    decodePicture(readFileSync(join(folder, `${motif}_${orientation}.jpg`)), SIDE);
  const upright = await Promise.all(motifs.map((motif) => pictureOf(motif, 1)));
  upright.forEach((picture, i) => partition.add(i, recipe.describe(picture, 'reference')));

  const faults: string[] = [];
  const scores: number[] = [];
  for (const [i, motif] of motifs.entries()) {
    for (let orientation = 0; orientation <= 8; orientation++) {
      const picture = await pictureOf(motif, orientation);
      const { width, height } = upright[i]!;
      if (picture.width !== width || picture.height !== height) {
        faults.push(`${motif} ${orientation}: expected ${width}x${height}, got ${picture.width}x${picture.height}`);
      }
      const [first] = partition.verify(recipe.describe(picture, 'query'), [0, 1], {}).sort((a, b) => a.score - b.score);
      const { decision } = (first?.resultInfo ?? {}) as Partial<BoxMatch>;
      scores.push(first?.score ?? 1);
      if (first?.image !== i || !['Clone', 'Match'].includes(decision!)) {
        faults.push(
          `${motif} ${orientation}: expected a Clone or Match with ${motif} 1, got ${decision} with ${first?.image}`,
        );
      }
    }
  }
  return {
    passed: faults.length === 0,
    figures: { pictures: scores.length, largestScore: Math.max(...scores), faults },
  };
}
