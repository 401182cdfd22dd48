import { LOOKS, looksOf } from '../classify/embedding.ts';
import { DnaError } from '../errors.ts';
import type { Recipe } from './recipe.ts';

/** Pictures classified by profiles. There are no references: the looks of a picture serve for one answer. */
export const filter: Recipe = {
  type: 'filter',
  workingSize: 512,
  describe: (picture) => looksOf(picture),
  checkDna(looks) {
    if (looks.length !== LOOKS) throw new DnaError(`looks of ${looks.length} bytes, expected ${LOOKS}`);
  },
  createPartition() {
    throw new Error('an application without references has no partition');
  },
};
