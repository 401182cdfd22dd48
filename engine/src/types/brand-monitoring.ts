import { receiveLocalDna } from '../dna/local.ts';
import { describeLocally } from '../local/features/describe.ts';
import { firstLevel, onGround } from '../local/features/drawing.ts';
import { gradeLocally } from '../local/grade.ts';
import type { Decide } from '../local/local-comparison.ts';
import { LocalPartition } from '../local/local-partition.ts';
import { localTerms } from '../local/local-terms.ts';
import { quadMatch } from '../local/match/quad-match.ts';
import { type TypeDefinition, usualTraits } from './type-definition.ts';

/** Terms of a feature in a search engine; see docs/experiments/2026-11-22-finer-terms.md. */
const TERMS = { reference: 8, query: 3 };

/** A drawing without a background may show in either polarity; see `withInverted`. */
const REFERENCES = ['brand-reference', 'brand-drawing-reference'] as const;
/** A logo is small in its scene, so the scene is enlarged to twice the frame. */
const REFERENCE = { core: 340, all: 340, finest: 0 };
const QUERY = { core: 340, all: 2000, finest: -3, enlarged: 1024 };
/** Logos have few features, so their evidence is low; wordmarks share letters, which cover little of them. See docs/experiments/2026-11-22-logos-and-lettering.md. */
const THRESHOLDS = { match: 1.2, listed: 1, covered: 0.1, visible: 0, shows: 'logo' } as const;
/** Instances of one logo in the answer for a scene, and the evidence that each needs before another is searched for. */
const INSTANCES = { most: 16, least: 1.6 };

/** A logo is too small in its scene to show in the core of the mirror image or of the inverted one. */
const VARIANTS = { plain: 'all', mirrored: 'half', inverted: 'half' } as const;

const KINDS = [...REFERENCES, 'brand-query'] as const;
const OPTIONS = { instances: INSTANCES, guided: true, variants: VARIANTS };
const decide: Decide = (match) => quadMatch(match, THRESHOLDS);

/** Logos and other small marks, found in scenes, several at once. */
export const brandMonitoring: TypeDefinition = {
  traits: { ...usualTraits, title: 'Brand monitoring' },
  workingSize: 1024,
  transparency: true,
  describe(picture, side) {
    if (side === 'query') return describeLocally(picture, 'brand-query', QUERY);
    const drawing = onGround(picture);
    if (!drawing) return describeLocally(picture, 'brand-reference', REFERENCE);
    return describeLocally(drawing, 'brand-drawing-reference', { ...REFERENCE, first: firstLevel(drawing) });
  },
  checkDna(dna, side) {
    receiveLocalDna(dna, side === 'reference' ? REFERENCES : ['brand-query', ...REFERENCES]);
  },
  grade: (dna) => gradeLocally(dna, ...REFERENCES),
  terms: localTerms(KINDS, decide, OPTIONS, TERMS),
  createPartition: (records) => new LocalPartition(KINDS, decide, OPTIONS, records),
};
