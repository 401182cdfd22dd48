import { type LocalKind, openLocalDna } from '../dna/local.ts';
import type { TermRule } from '../partition/terms.ts';
import type { Variants } from './index/look-up.ts';
import { queryTermsOf, referenceTermsOf } from './index/terms.ts';
import { withInverted } from './features/inverted.ts';
import { digestOf } from './match/reference.ts';

/**
 * The shortlist of a type with local features.
 * @param kinds  of references and of queries
 * @param each   terms of a query's feature
 */
export function localTerms(kinds: readonly LocalKind[], variants: Variants, each: number): TermRule {
  return {
    reference(block) {
      const dna = openLocalDna(block, kinds);
      return referenceTermsOf(dna.kind === 'brand-drawing-reference' ? withInverted(dna) : dna);
    },
    query: (block) => queryTermsOf(openLocalDna(block, kinds), variants, each),
    digestOf: (block) => digestOf(openLocalDna(block, kinds)),
  };
}
