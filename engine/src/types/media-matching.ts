import { receiveLocalDna } from '../dna/local.ts';
import { describeLocally } from '../local/features/describe.ts';
import { localReferenceQuality } from '../local/reference-quality.ts';
import type { Decide } from '../local/local-comparison.ts';
import { LocalPartition } from '../local/local-partition.ts';
import { localTerms } from '../local/local-terms.ts';
import { boxMatch } from '../local/match/box-match.ts';
import type { ReferenceRecords } from '../partition/records.ts';
import { type TypeDefinition, usualTraits } from './type-definition.ts';

/** Terms of a feature in a search engine; see docs/experiments/2026-11-22-terms-in-a-cluster.md. */
const TERMS_PER_FEATURE = { reference: 6, query: 3 };

/** Features of a reference and of a query, and the finest level of the query: 1.6 times the frame. */
const REFERENCE_RICHNESS = { core: 340, all: 340, finest: 0 };
const QUERY_RICHNESS = { core: 340, all: 1000, lettered: 2000, finest: -2 };

const DNA_KINDS = ['media-reference', 'media-query'] as const;
/** Copies with inverted colours are mostly wholes. */
const QUERY_VARIANTS = { plain: 'all', mirrored: 'core', inverted: 'third of core' } as const;
const MATCH_OPTIONS = { guided: true, secondLook: true, variants: QUERY_VARIANTS };

/** Copies of a picture, whole or in part, found again after cropping, rotating, mirroring, printing. */
export const mediaMatching: TypeDefinition = {
  traits: { ...usualTraits, title: 'Media Matching', fineComparison: true },
  workingSize: 1024,
  describe: (picture, side) =>
    side === 'reference'
      ? describeLocally(picture, 'media-reference', REFERENCE_RICHNESS)
      : describeLocally(picture, 'media-query', QUERY_RICHNESS),
  checkDna(dna, side) {
    receiveLocalDna(dna, side === 'reference' ? ['media-reference'] : ['media-query', 'media-reference']);
  },
  referenceQuality: (dna) => localReferenceQuality(dna, 'media-reference'),
  terms: localTerms(DNA_KINDS, boxMatch, MATCH_OPTIONS, TERMS_PER_FEATURE),
  createPartition: (records) => mediaPartition(boxMatch, records),
};

/** A partition whose pairs are decided by another function; for training. */
export function mediaPartition(decide: Decide, records?: ReferenceRecords): LocalPartition {
  return new LocalPartition(DNA_KINDS, decide, MATCH_OPTIONS, records);
}
