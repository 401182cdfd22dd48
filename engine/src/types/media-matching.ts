import { receiveLocalDna } from '../dna/local.ts';
import { describeLocally } from '../local/features/describe.ts';
import { gradeLocally } from '../local/grade.ts';
import type { Decide } from '../local/local-comparison.ts';
import { LocalPartition } from '../local/local-partition.ts';
import { localTerms } from '../local/local-terms.ts';
import { boxMatch } from '../local/match/box-match.ts';
import type { ReferenceRecords } from '../partition/records.ts';
import { type TypeDefinition, usualTraits } from './type-definition.ts';

/** Terms of a feature in a search engine; see docs/experiments/2026-11-22-finer-terms.md. */
const TERMS = { reference: 6, query: 3 };

/** Features of a reference and of a query, and the finest level of the query: 1.6 times the frame. */
const REFERENCE = { core: 340, all: 340, finest: 0 };
const QUERY = { core: 340, all: 1000, lettered: 2000, finest: -2 };

const KINDS = ['media-reference', 'media-query'] as const;
/** Copies with inverted colours are mostly wholes. */
const VARIANTS = { plain: 'all', mirrored: 'core', inverted: 'third of core' } as const;
const OPTIONS = { guided: true, secondLook: true, variants: VARIANTS };

/** Copies of a picture, whole or in part, found again after cropping, turning, mirroring, printing. */
export const mediaMatching: TypeDefinition = {
  traits: { ...usualTraits, title: 'Media Matching', fineComparison: true },
  workingSize: 1024,
  describe: (picture, side) =>
    side === 'reference'
      ? describeLocally(picture, 'media-reference', REFERENCE)
      : describeLocally(picture, 'media-query', QUERY),
  checkDna(dna, side) {
    receiveLocalDna(dna, side === 'reference' ? ['media-reference'] : ['media-query', 'media-reference']);
  },
  grade: (dna) => gradeLocally(dna, 'media-reference'),
  terms: localTerms(KINDS, boxMatch, OPTIONS, TERMS),
  createPartition: (records) => mediaPartition(boxMatch, records),
};

/** A partition whose pairs are decided by another function; for training. */
export function mediaPartition(decide: Decide, records?: ReferenceRecords): LocalPartition {
  return new LocalPartition(KINDS, decide, OPTIONS, records);
}
