import { receiveLocalDna } from '../dna/local.ts';
import { describeLocally } from '../local/features/describe.ts';
import { firstLevel, onGround } from '../local/features/drawing.ts';
import { localReferenceQuality } from '../local/reference-quality.ts';
import type { Decide } from '../local/local-comparison.ts';
import { LocalPartition } from '../local/local-partition.ts';
import { localTerms } from '../local/local-terms.ts';
import { quadMatch } from '../local/match/quad-match.ts';
import { type TypeDefinition, usualTraits } from './type-definition.ts';

/** Terms of a feature in a search engine; see docs/experiments/2026-11-22-terms-in-a-cluster.md. */
const TERMS_PER_FEATURE = { reference: 8, query: 3 };

/** A drawing without a background may show in either polarity; see `withInverted`. */
const REFERENCE_KINDS = ['brand-reference', 'brand-drawing-reference'] as const;
/** A logo is small in its scene, so the scene is enlarged to twice the frame. */
const REFERENCE_RICHNESS = { core: 340, all: 340, finest: 0 };
const QUERY_RICHNESS = { core: 340, all: 2000, finest: -3, enlarged: 1024 };
/** Logos have few features, so their evidence is low; wordmarks share letters, which cover little of them. See docs/experiments/2026-11-22-logos-and-lettering.md. */
const DECISION_THRESHOLDS = { match: 1.2, listed: 1, covered: 0.1, visible: 0, shows: 'logo' } as const;
/** Instances of one logo in the answer for a scene, and the evidence that each needs before another is searched for. */
const INSTANCE_LIMITS = { most: 16, least: 1.6 };

/** A logo is too small in its scene to show in the core of the mirror image or of the inverted one. */
const QUERY_VARIANTS = { plain: 'all', mirrored: 'half', inverted: 'half' } as const;

const DNA_KINDS = [...REFERENCE_KINDS, 'brand-query'] as const;
const MATCH_OPTIONS = { instances: INSTANCE_LIMITS, guided: true, chance: true, variants: QUERY_VARIANTS };
const decide: Decide = (match) => quadMatch(match, DECISION_THRESHOLDS);

/** Logos and other small marks, found in scenes, several at once. */
export const brandMonitoring: TypeDefinition = {
  traits: { ...usualTraits, title: 'Brand monitoring' },
  workingSize: 1024,
  transparency: true,
  describe(picture, side) {
    if (side === 'query') return describeLocally(picture, 'brand-query', QUERY_RICHNESS);
    const drawing = onGround(picture);
    if (!drawing) return describeLocally(picture, 'brand-reference', REFERENCE_RICHNESS);
    return describeLocally(drawing, 'brand-drawing-reference', { ...REFERENCE_RICHNESS, first: firstLevel(drawing) });
  },
  checkDna(dna, side) {
    receiveLocalDna(dna, side === 'reference' ? REFERENCE_KINDS : ['brand-query', ...REFERENCE_KINDS]);
  },
  referenceQuality: (dna) => localReferenceQuality(dna, ...REFERENCE_KINDS),
  terms: localTerms(DNA_KINDS, decide, MATCH_OPTIONS, TERMS_PER_FEATURE),
  createPartition: (records) => new LocalPartition(DNA_KINDS, decide, MATCH_OPTIONS, records),
};
