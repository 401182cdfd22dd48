import { WORD_COUNT } from '../features/vocabulary.ts';

/**
 * Bursts: a word that a picture has many times, as lettering and patterns do, says little about the picture. So each
 * occurrence weighs less (H. Jégou, M. Douze, C. Schmid, "On the burstiness of visual elements", CVPR 2009). Only the
 * counts of one picture are used, never those of the pictures held.
 */

/** How often each word occurs; 0 everywhere between two calls. */
const counts = new Uint16Array(WORD_COUNT);

/** How often the word of each place occurs in the whole list. */
export function occurrences(words: Uint32Array): Uint16Array {
  const all = new Uint16Array(words.length);
  for (let i = 0; i < words.length; i++) counts[words[i]]++;
  for (let i = 0; i < words.length; i++) all[i] = counts[words[i]];
  for (let i = 0; i < words.length; i++) counts[words[i]] = 0;
  return all;
}

/** The Euclidean norm of the counts of all words: the root of their number where no word occurs twice, and up to their number. */
export function burstNorm(words: Uint32Array): number {
  return Math.sqrt(occurrences(words).reduce((sum, count) => sum + count, 0));
}
