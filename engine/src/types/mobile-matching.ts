import { receiveLocalDna } from '../dna/local.ts';
import { describeLocally } from '../local/features/describe.ts';
import { gradeLocally } from '../local/grade.ts';
import { USUAL } from '../local/index/look-up.ts';
import { LocalPartition } from '../local/local-partition.ts';
import { localTerms } from '../local/local-terms.ts';
import { quadMatch } from '../local/match/quad-match.ts';
import { type TypeDefinition, usualTraits } from './type-definition.ts';

/** Terms of a query's feature for the shortlist; see docs/experiments/2026-11-22-finer-terms.md. */
const TERMS = 16;

/** A print is clean and fills its picture, a photograph of it does not: the query is the richer of the two. */
const REFERENCE = { core: 420, all: 420, finest: 0 };
const QUERY = { core: 420, all: 1800, finest: -2 };
/** Two covers of one maker share lettering and badges: they match only where most of what they show is the same. See docs/experiments/2026-11-21-covers.md. */
const THRESHOLDS = { match: 2.2, listed: 1.8, covered: 0.3, visible: 2, middle: true };

/** Printed things, such as covers, posters and cards, found by photographs of them. */
export const mobileMatching: TypeDefinition = {
  traits: { ...usualTraits, title: 'Mobile Matching', symmetric: false },
  workingSize: 1024,
  describe: (picture, side) =>
    side === 'reference'
      ? describeLocally(picture, 'mobile-reference', REFERENCE)
      : describeLocally(picture, 'mobile-query', QUERY),
  checkDna(dna, side) {
    receiveLocalDna(dna, [side === 'reference' ? 'mobile-reference' : 'mobile-query']);
  },
  grade: (dna) => gradeLocally(dna, 'mobile-reference'),
  terms: localTerms(['mobile-reference', 'mobile-query'], USUAL, TERMS),
  createPartition: (records) =>
    new LocalPartition(
      ['mobile-reference', 'mobile-query'],
      (match) => quadMatch(match, THRESHOLDS),
      { guided: true, tilted: true },
      records,
    ),
};
