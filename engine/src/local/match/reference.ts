import { digest } from '../../dna/digest.ts';
import { coreFeaturesOf, type LocalDna } from '../../dna/local.ts';
import type { Miniature } from '../../dna/miniature.ts';
import type { Size } from '../../geometry/frame.ts';
import { type Sketch, sketchOf } from '../verify/guided-matching.ts';

/** What verification reads of a reference besides its correspondences. The size is that of the frame. */
export interface Reference extends Size {
  readonly originalWidth: number;
  readonly originalHeight: number;
  /** How many there are. */
  readonly features: number;
  readonly digest: string;
  readonly miniature: Miniature;
  /** Present where guided matching is used. */
  readonly sketch?: Sketch | undefined;
}

/**
 * A view of the DNA.
 * @param searched  with the features that are searched for; those of the DNA unless given
 */
export function referenceOf(dna: LocalDna, guided = false, searched = dna): Reference {
  const { width, height, originalWidth, originalHeight, count: features, miniature } = dna;
  const sketch = guided ? sketchOf(searched) : undefined;
  return { width, height, originalWidth, originalHeight, features, digest: digestOf(dna), miniature, sketch };
}

/** The same for a reference and for a query made of the same picture. */
export function digestOf(dna: LocalDna): string {
  return digest(...coreFeaturesOf(dna));
}
