import { corpusPictures } from '@sosia/testing/pictures/corpus';
import { randomFor, shuffled } from '@sosia/testing/pictures/random';

/** Thresholds may be chosen on the first half; the second is only reported. No picture is in both. */
export const halves = ['chosen on', 'unseen'] as const;
export type Half = (typeof halves)[number];

/** The pictures of a folder in an order by chance that belong to a half. */
export function halfOf(half: Half, folder: string): string[] {
  const order = shuffled(randomFor('halves', folder), corpusPictures(folder) ?? []);
  return order.filter((_, i) => i % 2 === halves.indexOf(half));
}
