import { receiveLocalDna } from '../dna/local.ts';
import { describeLocally } from '../local/features/describe.ts';
import { localReferenceQuality } from '../local/reference-quality.ts';
import type { Decide } from '../local/local-comparison.ts';
import { LocalPartition } from '../local/local-partition.ts';
import { localTerms } from '../local/local-terms.ts';
import { quadMatch } from '../local/match/quad-match.ts';
import { type TypeDefinition, usualTraits } from './type-definition.ts';

/** Terms of a feature in a search engine; see docs/experiments/2026-11-22-terms-in-a-cluster.md. */
const TERMS_PER_FEATURE = { reference: 8, query: 6 };

/** A print is clean and fills its picture, a photograph of it does not: the query is the richer of the two. */
const REFERENCE_RICHNESS = { core: 420, all: 420, finest: 0 };
const QUERY_RICHNESS = { core: 420, all: 1800, finest: -2, still: true };
/** Two covers of one maker share lettering and badges: they match only where most of what they show is the same. See docs/experiments/2026-11-22-frames.md. */
const DECISION_THRESHOLDS = { match: 1.6, listed: 1.6, covered: 0.2, visible: 2, shows: 'middle' } as const;

const DNA_KINDS = ['mobile-reference', 'mobile-query'] as const;
const MATCH_OPTIONS = { guided: true, tilted: true, chance: true };
const decide: Decide = (match) => quadMatch(match, DECISION_THRESHOLDS);

/** Printed things, such as covers, posters and cards, found by photographs of them. */
export const mobileMatching: TypeDefinition = {
  traits: { ...usualTraits, title: 'Mobile Matching', symmetric: false },
  workingSize: 1024,
  describe: (picture, side) =>
    side === 'reference'
      ? describeLocally(picture, 'mobile-reference', REFERENCE_RICHNESS)
      : describeLocally(picture, 'mobile-query', QUERY_RICHNESS),
  checkDna(dna, side) {
    receiveLocalDna(dna, [side === 'reference' ? 'mobile-reference' : 'mobile-query']);
  },
  referenceQuality: (dna) => localReferenceQuality(dna, 'mobile-reference'),
  terms: localTerms(DNA_KINDS, decide, MATCH_OPTIONS, TERMS_PER_FEATURE),
  createPartition: (records) => new LocalPartition(DNA_KINDS, decide, MATCH_OPTIONS, records),
};
