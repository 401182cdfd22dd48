import { receiveLocalDna } from '../dna/local.ts';
import { describeLocally } from '../local/features/describe.ts';
import { gradeLocally } from '../local/grade.ts';
import { LocalPartition } from '../local/local-partition.ts';
import { quadMatch } from '../local/match/quad-match.ts';
import { type TypeDefinition, usualTraits } from './type-definition.ts';

/** A logo is small in its scene, so the scene is enlarged to twice the frame. */
const REFERENCE = { core: 340, all: 340, finest: 0 };
const QUERY = { core: 340, all: 2000, finest: -3, enlarged: 1024 };
/** Logos have few features, so their evidence is low; wordmarks share letters, which cover little of them. See docs/experiments/2026-11-21-logos.md. */
const THRESHOLDS = { match: 1.6, listed: 1, covered: 0.18, visible: 0 };
/** Instances of one logo in the answer for a scene. */
const INSTANCES = { most: 16, least: THRESHOLDS.match };

/** A logo is too small in its scene to show in the core of the mirror image; inverted ones are found by it. */
const VARIANTS = { plain: 'all', mirrored: 'half', inverted: 'core' } as const;

/** Logos and other small marks, found in scenes, several at once. */
export const brandMonitoring: TypeDefinition = {
  traits: { ...usualTraits, title: 'Brand monitoring' },
  workingSize: 1024,
  describe: (picture, side) =>
    side === 'reference'
      ? describeLocally(picture, 'brand-reference', REFERENCE)
      : describeLocally(picture, 'brand-query', QUERY),
  checkDna(dna, side) {
    receiveLocalDna(dna, side === 'reference' ? ['brand-reference'] : ['brand-query', 'brand-reference']);
  },
  grade: (dna) => gradeLocally(dna, 'brand-reference'),
  createPartition: () =>
    new LocalPartition(['brand-reference', 'brand-query'], (match) => quadMatch(match, THRESHOLDS), {
      instances: INSTANCES,
      guided: true,
      variants: VARIANTS,
    }),
};
